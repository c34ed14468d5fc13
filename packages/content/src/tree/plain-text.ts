import type { ComponentNode, Data, IslandNode, PageNode } from './page-tree.ts'
import type { SectionMarks } from './section-marks.ts'

/** Inline tags. All other tags start a new line. */
const INLINE = new Set(
  'a abbr b bdi bdo cite code data del dfn em font i img ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr tspan'.split(
    ' ',
  ),
)
/** Inline components. */
const INLINE_COMPONENTS = new Set(['Tooltip', 'Icon', 'Badge', 'Link', 'Latex'])
/** Component props that are shown as text. */
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

/** Returns the visible text, one block per line, for search and for checks. */
export function plainText(nodes: readonly PageNode[]): string {
  return joinText(nodes).trim()
}

/** Returns the text of a heading or another single line, without line breaks. */
export function lineText(nodes: readonly PageNode[]): string {
  if (nodes.length === 1 && typeof nodes[0] === 'string') return nodes[0].trim()
  return joinText(nodes).replaceAll(/\s+/g, ' ').trim()
}

function joinText(nodes: readonly PageNode[]): string {
  const parts: string[] = []
  writeText(nodes, { parts, sections: undefined })
  return parts.join('')
}

/** The maximum number of pieces of text: a tree may contain the same markup many times. */
const PARTS_MAX = 4_000_000

export type TextOutput = {
  readonly parts: string[]
  /** Records where sections begin; undefined if they are not needed. */
  readonly sections: SectionMarks | undefined
}

export function writeText(nodes: readonly PageNode[], output: TextOutput): void {
  for (const node of nodes) {
    if (output.parts.length > PARTS_MAX) return
    if (typeof node === 'string') output.parts.push(node)
    else writeNode(node, output)
  }
}

/** Starts a new line for a block, without adding empty lines. */
function breakLine(parts: string[]): void {
  if (parts.length > 0 && parts.at(-1) !== '\n') parts.push('\n')
}

function writeNode(node: Exclude<PageNode, string>, output: TextOutput): void {
  const { parts } = output
  switch (node.kind) {
    case 'element': {
      if (node.tag === 'style') return
      const isBlock = !INLINE.has(node.tag)
      if (isBlock) breakLine(parts)
      const alt = node.attributes?.alt ?? node.attributes?.title
      if (typeof alt === 'string') parts.push(' ', alt, ' ')
      if (node.tag === 'input' && typeof node.attributes?.placeholder === 'string')
        parts.push(node.attributes.placeholder)
      writeText(node.children, output)
      if (isBlock) breakLine(parts)
      return
    }
    case 'heading': {
      breakLine(parts)
      const beginText = output.sections?.begin(node, parts.length)
      writeText(node.children, output)
      breakLine(parts)
      beginText?.(parts.length)
      return
    }
    case 'code':
      breakLine(parts)
      if (node.options.title !== undefined) parts.push(node.options.title, '\n')
      parts.push(node.text, '\n')
      return
    case 'math':
      parts.push(node.display ? `\n${node.text}\n` : node.text)
      return
    case 'component':
    case 'island':
      // This content is only in the page's Markdown, for agents.
      if (node.name === 'Visibility' && node.props.for === 'agents') return
      writeComponent(node, output)
  }
}

function writeComponent(node: ComponentNode | IslandNode, output: TextOutput): void {
  const { parts, sections } = output
  if (node.kind === 'island' && node.code !== undefined && node.slots === undefined) {
    writeText(node.children, output)
    return
  }
  const breakWords = INLINE_COMPONENTS.has(node.name)
    ? () => parts.push(' ')
    : () => breakLine(parts)
  breakWords()
  const section = sections?.enter(node, parts.length)
  for (const name of SHOWN_PROPS) {
    const text = shownText(node.props[name])
    if (text === undefined) continue
    parts.push(text)
    breakWords()
    if (name === section?.titleProp) section.beginText(parts.length)
  }
  const start = parts.length
  writeText(node.children, output)
  const shown = node.kind === 'island' && node.slots ? parts.slice(start).join('') : ''
  breakWords()
  for (const slot of Object.values(node.slots ?? {})) {
    if (writeSlot(slot, shown, output)) breakWords()
  }
  section?.end(parts.length)
}

function shownText(value: Data | undefined): string | undefined {
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'string').join(' ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/**
 * Writes the text of an island's slot unless the island's initial state already shows it. The slot
 * may be hidden until the island runs. Returns true if text was written.
 */
function writeSlot(slot: readonly PageNode[], shown: string, output: TextOutput): boolean {
  const { parts, sections } = output
  const start = parts.length
  const forget = sections?.remember()
  writeText(slot, output)
  const text = parts.slice(start).join('').trim()
  if (text !== '' && !shown.includes(text)) return true
  parts.length = start
  forget?.()
  return false
}
