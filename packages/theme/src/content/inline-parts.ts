/** Small components within a line of text. */
import type { ComponentNode } from '@octavo/content'
import { type ContentWriter, numberProp, textProp } from './content-writer.ts'
import { writeMath } from './math.ts'

export function writeIcon(writer: ContentWriter, node: ComponentNode): void {
  const { props } = node
  const className = textProp(props, 'className') ?? textProp(props, 'class')
  writer.notes.useClasses(className ?? '')
  writer.putIcon(props.icon ?? props.src ?? props.name, {
    type: textProp(props, 'iconType'),
    library: textProp(props, 'iconLibrary') ?? textProp(props, 'library'),
    color: textProp(props, 'color'),
    size: numberProp(props, 'size'),
    className,
    style: textProp(props, 'style'),
  })
  writer.nodes(node.children)
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

/** Writes a formula. A source that is not plain text is shown unchanged. */
export function writeLatex(writer: ContentWriter, node: ComponentNode): void {
  if (node.children.every((child) => typeof child === 'string')) {
    writeMath(writer, { kind: 'math', display: false, text: node.children.join('') })
    return
  }
  writer.put('<code class="oct-math-source">')
  writer.nodes(node.children)
  writer.put('</code>')
}
