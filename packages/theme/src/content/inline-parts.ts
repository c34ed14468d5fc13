/** Small components that stand in a line of text. */
import type { ComponentNode } from '@octavo/content'
import { escapeHtml } from '../html.ts'
import { type ContentWriter, numberProp, textProp } from './content-writer.ts'
import { iconLook } from './icon-prop.ts'
import { writeMath } from './math.ts'
import { safeColor } from './safe-color.ts'

const ICON_PIXELS_MAX = 512

/** An icon in the text, in a box of its own if something is said about its look. */
export function writeIcon(writer: ContentWriter, node: ComponentNode): void {
  const { props } = node
  const style = iconStyle(node)
  const own = textProp(props, 'className')
  const isBoxed = style !== '' || own !== undefined
  if (isBoxed) {
    const classes = own === undefined ? '' : ` ${escapeHtml(own)}`
    const look = style === '' ? '' : ` style="${escapeHtml(style)}"`
    writer.put(`<span class="oct-icon-box${classes}"${look}>`)
  }
  writer.putIcon(props.icon ?? props.src ?? props.name, iconLook(props))
  if (isBoxed) writer.put('</span>')
  writer.nodes(node.children)
}

function iconStyle({ props }: ComponentNode): string {
  const color = safeColor(props.color)
  const size = numberProp(props, 'size')
  const isSize = size !== undefined && size > 0 && size <= ICON_PIXELS_MAX
  // `style` has passed the allow-list of `content`.
  const style = textProp(props, 'style')
  return [
    color === undefined ? undefined : `color: ${color}`,
    isSize ? `--size: ${size}px` : undefined,
    style,
  ]
    .filter((part) => part !== undefined && part !== '')
    .join('; ')
}

export function writeLink(writer: ContentWriter, node: ComponentNode): void {
  const { props } = node
  const href = textProp(props, 'href') ?? textProp(props, 'to') ?? textProp(props, 'path')
  writer.put('<a')
  if (href !== undefined) writer.putHref(href)
  writer.put('>')
  const { isLinked } = writer
  writer.isLinked = true
  writer.nodes(node.children)
  writer.isLinked = isLinked
  writer.put('</a>')
}

/** A formula whose source is not plain text: shown as it is. */
export function writeLatex(writer: ContentWriter, node: ComponentNode): void {
  if (node.children.every((child) => typeof child === 'string')) {
    writeMath(writer, { kind: 'math', display: false, text: node.children.join('') })
    return
  }
  writer.put('<code class="oct-math-source">')
  writer.nodes(node.children)
  writer.put('</code>')
}
