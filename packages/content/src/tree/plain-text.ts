import type { ComponentNode, IslandNode, PageNode } from './page-tree.ts'

/** Tags that stand in a line of text; all others begin a line of their own. */
const INLINE = new Set(
  'a abbr b bdi bdo cite code data del dfn em font i img ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr tspan'.split(
    ' ',
  ),
)
/** Components that stand in a line of text. */
const INLINE_COMPONENTS = new Set(['Tooltip', 'Icon', 'Badge', 'Link', 'Latex'])
/** Props of components that readers see as text. */
const SHOWN_PROPS = [
  'title',
  'label',
  'name',
  'path',
  'query',
  'body',
  'header',
  'type',
  'default',
  'description',
  'tip',
  'headline',
  'caption',
  'hint',
  'cta',
  'placeholder',
  'summary',
  'filename',
  'value',
  'tags',
  'pre',
  'post',
  'alt',
]

/** What a reader sees as words, block by block, for search and for checks. */
export function plainText(nodes: readonly PageNode[]): string {
  const parts: string[] = []
  write(nodes, parts)
  return parts.join('').trim()
}

/** The words of a heading or another line of text, without line breaks. */
export function lineText(nodes: readonly PageNode[]): string {
  if (nodes.length === 1 && typeof nodes[0] === 'string') return nodes[0].trim()
  const parts: string[] = []
  write(nodes, parts)
  return parts.join('').replaceAll(/\s+/g, ' ').trim()
}

/** Pieces of text that are put together at most: the same markup may stand in a tree many times. */
const PARTS_MAX = 4_000_000

function write(nodes: readonly PageNode[], parts: string[]): void {
  for (const node of nodes) {
    if (parts.length > PARTS_MAX) return
    if (typeof node === 'string') parts.push(node)
    else writeNode(node, parts)
  }
}

/** Blocks stand on lines of their own, without empty lines between them. */
function breakLine(parts: string[]): void {
  if (parts.length > 0 && parts.at(-1) !== '\n') parts.push('\n')
}

function writeNode(node: Exclude<PageNode, string>, parts: string[]): void {
  switch (node.kind) {
    case 'element': {
      const isBlock = !INLINE.has(node.tag)
      if (isBlock) breakLine(parts)
      const alt = node.attributes?.alt ?? node.attributes?.title
      if (typeof alt === 'string') parts.push(' ', alt, ' ')
      if (node.tag === 'input' && typeof node.attributes?.placeholder === 'string')
        parts.push(node.attributes.placeholder)
      write(node.children, parts)
      if (isBlock) breakLine(parts)
      return
    }
    case 'heading':
      breakLine(parts)
      write(node.children, parts)
      breakLine(parts)
      return
    case 'code':
      breakLine(parts)
      if (node.options.title !== undefined) parts.push(node.options.title, '\n')
      parts.push(node.text, '\n')
      return
    case 'math':
      parts.push(node.display ? `\n${node.text}\n` : node.text)
      return
    case 'component':
    case 'island': {
      // Agents read their part in the Markdown of the page; no reader sees it.
      if (node.name === 'Visibility' && node.props.for === 'agents') return
      const gap = INLINE_COMPONENTS.has(node.name) ? ' ' : '\n'
      parts.push(gap)
      for (const name of SHOWN_PROPS) {
        const value = node.props[name]
        if (typeof value === 'string' || typeof value === 'number') parts.push(String(value), gap)
        else if (Array.isArray(value))
          parts.push(value.filter((item) => typeof item === 'string').join(' '), gap)
      }
      write(node.children, parts)
      parts.push(gap)
      writeSlots(node, parts, gap)
      return
    }
  }
}

/** What an island was given may be hidden until it runs; what it shows already is not said twice. */
function writeSlots(node: ComponentNode | IslandNode, parts: string[], gap: string): void {
  if (node.slots === undefined) return
  const shown = node.kind === 'island' ? plainText(node.children) : ''
  for (const slot of Object.values(node.slots)) {
    const text = plainText(slot)
    if (text !== '' && !shown.includes(text)) parts.push(text, gap)
  }
}
