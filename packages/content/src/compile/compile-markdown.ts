/** Compiles the Markdown syntax tree to page nodes, with one case per node type. */
import type { MdastNode } from 'satteri'
import { isSafeImage, isSafeLink } from '../allowed/safe-url.ts'
import { findUnclosedLines, readCode } from '../markdown/code-options.ts'
import { fillProps, fillVariables } from '../markdown/fill-variables.ts'
import { spotOf } from '../modules/markdown-file.ts'
import { HtmlBuilder } from '../render/html/html-builder.ts'
import { rejectUrl } from '../render/render-attributes.ts'
import { reportNoAlt } from '../render/render-element.ts'
import { headingNode } from '../render/render-heading.ts'
import { CONTENT_LIMITS } from '../tree/content-limits.ts'
import { safeId } from '../tree/heading-ids.ts'
import type { Attributes, PageNode } from '../tree/page-tree.ts'
import { compileAlert } from './compile-alert.ts'
import { compileExpression } from './compile-expression.ts'
import { compileTable } from './compile-table.ts'
import { compileTag } from './compile-tag.ts'
import { footnoteReference } from './footnotes.ts'
import { definitionsOf, type Reading } from './reading.ts'

type Node<Type extends MdastNode['type']> = Extract<MdastNode, { type: Type }>

/** Compiles the children of a node in order, and joins HTML that was split into pieces. */
export function compileChildren(
  reading: Reading,
  nodes: readonly MdastNode[],
): readonly PageNode[] {
  if (reading.depth >= CONTENT_LIMITS.treeDepthMax) return tooDeep(reading, nodes)
  const inner: Reading = { ...reading, depth: reading.depth + 1 }
  if (nodes.some((node) => node.type === 'html')) return compileWithHtml(inner, nodes)
  const result: PageNode[] = []
  for (const node of nodes) {
    const before = result.length
    append(result, compileNode(inner, node))
    // A space separates the text of an expression or tag on its own line from the text before it.
    const isFlow = node.type === 'mdxFlowExpression' || node.type === 'mdxJsxFlowElement'
    if (isFlow && before > 0 && isText(result[before - 1]) && isText(result[before])) {
      result.splice(before, 0, ' ')
    }
  }
  return result
}

function isText(node: PageNode | undefined): boolean {
  return node !== undefined && !isBlock(node)
}

function compileWithHtml(reading: Reading, nodes: readonly MdastNode[]): readonly PageNode[] {
  const builder = new HtmlBuilder(reading.page)
  for (const node of nodes) {
    if (node.type === 'html') builder.addHtml(node.value, spotOf(reading.file, node))
    else {
      const result: PageNode[] = []
      append(result, compileNode(reading, node))
      for (const child of result) builder.add(child)
    }
  }
  return builder.finish()
}

/** Compiles nodes that are nested too deeply: drops their structure and keeps their text. */
function tooDeep(reading: Reading, nodes: readonly MdastNode[]): readonly PageNode[] {
  const [first] = nodes
  if (first === undefined) return []
  reading.page.report('content/limit', spotOf(reading.file, first), {
    message: `The page is nested deeper than ${CONTENT_LIMITS.treeDepthMax} levels, so the rest is shown as text.`,
    hint: 'Reduce the nesting of lists, quotes and components.',
  })
  const texts: string[] = []
  const stack = nodes.toReversed()
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if ('value' in node && typeof node.value === 'string') texts.push(node.value)
    if ('children' in node) for (const child of node.children.toReversed()) stack.push(child)
  }
  return [texts.join(' ')]
}

/** Appends one node or many, without a spread: a very long list would overflow the stack. */
function append(result: PageNode[], added: PageNode | readonly PageNode[]): void {
  if (typeof added === 'string' || 'kind' in added) result.push(added)
  else for (const node of added) result.push(node)
}

function element(
  reading: Reading,
  tag: string,
  node: MdastNode,
  attributes?: Attributes,
): PageNode {
  reading.page.countNode()
  const children = 'children' in node ? compileChildren(reading, node.children) : []
  return { kind: 'element', tag, attributes, children }
}

/** Compiles a node. Returns a list only if needed, since most nodes compile to a single one. */
function compileNode(reading: Reading, node: MdastNode): PageNode | readonly PageNode[] {
  switch (node.type) {
    case 'text':
      return fillVariables(node.value, reading.variables)
    case 'paragraph':
      return paragraph(reading, node)
    case 'heading':
      return heading(reading, node)
    case 'emphasis':
      return element(reading, 'em', node)
    case 'strong':
      return element(reading, 'strong', node)
    case 'delete':
      return element(reading, 'del', node)
    case 'blockquote':
      return compileAlert(reading, node) ?? element(reading, 'blockquote', node)
    case 'inlineCode':
      return inlineCode(reading, node)
    case 'break':
    case 'thematicBreak':
      return element(reading, node.type === 'break' ? 'br' : 'hr', node)
    case 'list':
      return list(reading, node)
    case 'link':
      return link(reading, node, node)
    case 'image':
      return image(reading, node, node)
    case 'linkReference':
    case 'imageReference':
      return reference(reading, node)
    case 'code':
      reading.page.countNode()
      return code(reading, node)
    case 'table':
      return compileTable(reading, node)
    case 'math':
    case 'inlineMath': {
      const formula = { text: node.value, display: node.type === 'math' }
      return reading.page.formula(formula, spotOf(reading.file, node))
    }
    case 'footnoteReference':
      return footnoteReference(reading, node)
    case 'mdxFlowExpression':
    case 'mdxTextExpression':
      return compileExpression(reading, node)
    case 'mdxJsxFlowElement':
    case 'mdxJsxTextElement':
      return compileTag(reading, node)
    case 'html':
      return compileWithHtml(reading, [node])
    // Definitions are looked up where they are used; imports and exports were read earlier.
    case 'definition':
    case 'footnoteDefinition':
    case 'mdxjsEsm':
      return []
    default:
      if ('children' in node) return compileChildren(reading, node.children)
      return 'value' in node ? String(node.value) : []
  }
}

function inlineCode(reading: Reading, node: Node<'inlineCode'>): PageNode {
  reading.page.countNode()
  const children = [fillVariables(node.value, reading.variables)]
  return { kind: 'element', tag: 'code', attributes: undefined, children }
}

/**
 * Compiles a paragraph. If it contains blocks, it becomes a `div`, since browsers end a `p` before
 * a block.
 */
function paragraph(reading: Reading, node: Node<'paragraph'>): PageNode {
  reading.page.countNode()
  const children = compileChildren(reading, node.children)
  return {
    kind: 'element',
    tag: children.some(isBlock) ? 'div' : 'p',
    attributes: undefined,
    children,
  }
}

const BLOCKS = new Set(
  'address article aside blockquote center details div dl fieldset figure footer header hr iframe li main nav ol p pre section table ul'.split(
    ' ',
  ),
)
const INLINE_COMPONENTS = new Set(['Tooltip', 'Icon', 'Badge', 'Link', 'Latex'])

function isBlock(node: PageNode): boolean {
  if (typeof node === 'string') return false
  if (node.kind === 'element') return BLOCKS.has(node.tag)
  if (node.kind === 'component') return !INLINE_COMPONENTS.has(node.name)
  if (node.kind === 'island') return node.code?.isInline !== true || node.children.some(isBlock)
  return node.kind === 'heading' || node.kind === 'code'
}

function heading(reading: Reading, node: Node<'heading'>): PageNode {
  const data = node.data as { readonly hProperties?: { readonly id?: string } } | undefined
  let children = compileChildren(reading, node.children)
  let id = data?.hProperties?.id
  const last = children.at(-1)
  // In plain Markdown, `{#id}` is text at the end of the heading.
  const written = typeof last === 'string' ? /\s*\{#([^\s{}]+)\}\s*$/.exec(last) : null
  if (written !== null && typeof last === 'string') {
    id = written[1]
    children = [...children.slice(0, -1), last.slice(0, written.index)]
  }
  return headingNode(reading.page, {
    level: node.depth,
    children,
    id: id ? safeId(id) : undefined,
    spot: spotOf(reading.file, node),
  })
}

function list(reading: Reading, node: Node<'list'>): PageNode {
  reading.page.countNode()
  const isLoose = node.spread === true || node.children.some((item) => item.spread === true)
  const start =
    node.ordered === true && node.start !== 1 && typeof node.start === 'number'
      ? { start: String(node.start) }
      : undefined
  const children = node.children.map((item) => listItem(reading, item, isLoose))
  return { kind: 'element', tag: node.ordered === true ? 'ol' : 'ul', attributes: start, children }
}

function listItem(reading: Reading, item: Node<'listItem'>, isLoose: boolean): PageNode {
  reading.page.countNode()
  let children = compileChildren(reading, item.children)
  if (!isLoose) children = children.flatMap(unwrapParagraph)
  if (typeof item.checked !== 'boolean')
    return { kind: 'element', tag: 'li', attributes: undefined, children }
  const box: Record<string, string | true> = { type: 'checkbox', disabled: true }
  if (item.checked) box.checked = true
  const input: PageNode = { kind: 'element', tag: 'input', attributes: box, children: [] }
  return {
    kind: 'element',
    tag: 'li',
    attributes: { class: 'task' },
    children: withBox(input, children),
  }
}

/** Inserts the checkbox before the text of an item. In a loose list, the text is in a paragraph. */
function withBox(box: PageNode, children: readonly PageNode[]): readonly PageNode[] {
  const [first, ...rest] = children
  const isParagraph =
    first !== undefined &&
    typeof first !== 'string' &&
    first.kind === 'element' &&
    first.tag === 'p'
  if (!isParagraph) return [box, ' ', ...children]
  return [{ ...first, children: [box, ' ', ...first.children] }, ...rest]
}

function unwrapParagraph(node: PageNode): readonly PageNode[] {
  return typeof node !== 'string' && node.kind === 'element' && node.tag === 'p'
    ? node.children
    : [node]
}

function link(
  reading: Reading,
  node: Node<'link'> | Node<'linkReference'>,
  target: Node<'link'> | Node<'definition'>,
): PageNode {
  // The place of the URL, which for a link definition may be far away from the link.
  const spot = spotOf(reading.file, target)
  const url = fillVariables(target.url, reading.variables)
  const attributes: Record<string, string> = {}
  if (isSafeLink(url)) {
    attributes.href = url
    reading.page.recordLink('link', url, spot)
  } else rejectUrl(reading.page, url, spot)
  if (target.title) attributes.title = target.title
  return element({ ...reading, isInLink: true }, 'a', node, attributes)
}

function image(
  reading: Reading,
  node: Node<'image'> | Node<'imageReference'>,
  target: Node<'image'> | Node<'definition'>,
): readonly PageNode[] {
  const spot = spotOf(reading.file, node)
  const address = spotOf(reading.file, target)
  const url = fillVariables(target.url, reading.variables)
  const alt = node.alt ?? ''
  if (!isSafeImage(url)) {
    rejectUrl(reading.page, url, address)
    return alt === '' ? [] : [alt]
  }
  reading.page.recordLink('image', url, address)
  if (alt.trim() === '') reportNoAlt(reading.page, spot)
  reading.page.countNode()
  const attributes: Record<string, string> = { src: url, alt }
  if (target.title) attributes.title = target.title
  return [{ kind: 'element', tag: 'img', attributes, children: [] }]
}

function reference(
  reading: Reading,
  node: Node<'linkReference'> | Node<'imageReference'>,
): readonly PageNode[] {
  const target = definitionsOf(reading).links.get(node.identifier)
  if (node.type === 'imageReference')
    return target === undefined ? [`![${node.alt ?? ''}]`] : image(reading, node, target)
  return target === undefined
    ? compileChildren(reading, node.children)
    : [link(reading, node, target)]
}

function code(reading: Reading, node: Node<'code'>): PageNode {
  reportUnclosedLines(reading, node)
  const text = fillProps(fillVariables(node.value, reading.variables), reading.props)
  return readCode({ language: node.lang ?? undefined, meta: node.meta ?? undefined, text })
}

function reportUnclosedLines(reading: Reading, node: Node<'code'>): void {
  const written = [node.lang, node.meta].filter(Boolean).join(' ')
  const lines = findUnclosedLines(written)
  if (lines === undefined) return
  const { source, offset } = spotOf(reading.file, node)
  const closed = `${lines.replace(/[\s,-]+$/, '')}}`
  reading.page.report(
    'content/syntax',
    { source, offset: source.text.indexOf(lines, offset) },
    {
      message: `\`${lines}\` after a code fence is never closed.`,
      hint: `Write \`${closed}\` to highlight these lines.`,
      fix: { find: lines, put: closed },
    },
  )
}
