import { type ComponentNode, printMarkdown } from '@octavo/content'
import { escapeHtml } from '../markup/html.ts'
import { putCopyButton } from './code-block.ts'
import { type ContentWriter, listProp } from './content-writer.ts'

/** Longer text does not fit into a URL. */
const ADDRESS_LENGTH_MAX = 8_000

/** Writes a prompt for an assistant, shown exactly as it will be copied. */
export function writePrompt(writer: ContentWriter, node: ComponentNode): void {
  const actions = listProp(node.props, 'actions').flatMap((names) => names.split(/[\s,]+/))
  const text = printMarkdown(node.children).trimEnd()
  writer.put('<figure class="oct-code oct-wrap oct-prompt"><figcaption>')
  writer.putIconOf(node)
  writer.put('<span>')
  writer.putMarkdownProp(node, 'description')
  writer.put('</span>')
  if (actions.includes('cursor')) putCursorLink(writer, text)
  writer.put('</figcaption>')
  if (actions.length === 0 || actions.includes('copy')) putCopyButton(writer)
  writer.put(`<pre tabindex="0"><code>${escapeHtml(text)}</code></pre></figure>`)
}

function putCursorLink(writer: ContentWriter, text: string): void {
  const address = `https://cursor.com/link/prompt?text=${encodeURIComponent(text.toWellFormed())}`
  if (address.length > ADDRESS_LENGTH_MAX) return
  // The line break separates words when text is extracted from the HTML.
  writer.put('\n<a class="oct-prompt-open"')
  writer.putHref(address)
  writer.put(`>${escapeHtml(writer.text.openInCursor)}</a>`)
}
