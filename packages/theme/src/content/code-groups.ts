import type { CodeNode, ComponentNode, PageNode } from '@octavo/content'
import { escapeHtml } from '../markup/html.ts'
import { languageLabel, writeCode } from './code-block.ts'
import { type ContentWriter, flagProp, textProp } from './content-writer.ts'
import { renderStatus } from './responses.ts'
import { beginTab, beginTabs, endTab, endTabs } from './tabs.ts'

/** Writes code blocks as a group that shows one at a time. Other content follows below. */
export function writeCodeGroup(writer: ContentWriter, node: ComponentNode): void {
  writeGroup(writer, node, languageTitle)
}

/** Writes an example request or response, shown next to the text if there is room. */
export function writeExample(writer: ContentWriter, node: ComponentNode): void {
  const isRequest = node.name === 'RequestExample'
  const label = isRequest ? writer.text.request : writer.text.response
  const kind = isRequest ? 'request' : 'response'
  writer.put(`<aside class="oct-example oct-${kind}" aria-label="${escapeHtml(label)}">`)
  writeGroup(writer, node, (_, index) => (index === 0 ? label : `${label} ${index + 1}`))
  writer.put('</aside>')
}

type NameBlock = (code: CodeNode, index: number) => string

function languageTitle(code: CodeNode, index: number): string {
  return languageLabel(code.language) || `Code ${index + 1}`
}

function writeGroup(writer: ContentWriter, node: ComponentNode, name: NameBlock): void {
  const blocks = node.children.filter((child) => isCode(child))
  if (blocks.length > 0) {
    // Many languages do not fit into a row, so a script shows them as a dropdown: see
    // browser/tabs.ts.
    const isMenu = flagProp(node.props, 'dropdown') && blocks.length > 1
    const classes = isMenu ? 'oct-code-group oct-tab-menu' : 'oct-code-group'
    const group = beginTabs(writer, classes, isMenu ? writer.text.codeLanguage : undefined)
    for (const [index, block] of blocks.entries()) {
      const title = block.options.title ?? name(block, index)
      beginTab(writer, { group, index, isChosen: index === 0, title })
      writer.putIcon(block.options.icon)
      writer.put(
        `${node.name === 'ResponseExample' ? renderStatus(title) : escapeHtml(title)}</label><div class="oct-tab-panel">`,
      )
      writeCode(writer, block, true)
      endTab(writer)
    }
    endTabs(writer)
  }
  writer.nodes(node.children.filter((child) => !isCode(child)))
}

function isCode(node: PageNode): node is CodeNode {
  return typeof node !== 'string' && node.kind === 'code'
}

/** Writes a code block whose content is not plain text and therefore keeps its markup. */
export function writeCodeBlock(writer: ContentWriter, node: ComponentNode): void {
  const title = textProp(node.props, 'filename') ?? textProp(node.props, 'title')
  const wrap = flagProp(node.props, 'wrap') ? ' oct-wrap' : ''
  const only = node.children.filter((child) => typeof child !== 'string' || child.trim() !== '')
  const [first] = only
  // If a fenced block is the only child, that block is written instead.
  if (only.length === 1 && first !== undefined && isCode(first)) {
    const options = title === undefined ? first.options : { ...first.options, title }
    writeCode(writer, { ...first, options })
    return
  }
  writer.put(`<figure class="oct-code${wrap}">`)
  if (title !== undefined) writer.put(`<figcaption><span>${escapeHtml(title)}</span></figcaption>`)
  writer.put('<pre tabindex="0"><code>')
  writer.nodes(node.children)
  writer.put('</code></pre></figure>')
}
