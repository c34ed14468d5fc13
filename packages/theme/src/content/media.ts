import type { ComponentNode } from '@octavo/content'
import { writeMermaid } from './code-block.ts'
import { type ContentWriter, textProp } from './content-writer.ts'
import { writeImage } from './write-element.ts'

/** A picture or film with a border and a caption. */
export function writeFrame(writer: ContentWriter, node: ComponentNode): void {
  const { props, slots } = node
  writer.put('<figure class="oct-frame">')
  if (props.hint !== undefined || slots?.hint !== undefined) {
    writer.put('<p class="oct-frame-hint">')
    writer.putMarkdownProp(node, 'hint')
    writer.put('</p>')
  }
  writer.put('<div class="oct-frame-content">')
  writer.nodes(node.children)
  writer.put('</div>')
  if (props.caption !== undefined || slots?.caption !== undefined) {
    writer.put('<figcaption>')
    writer.putMarkdownProp(node, 'caption')
    writer.put('</figcaption>')
  }
  writer.put('</figure>')
}

export function writeImageComponent(writer: ContentWriter, node: ComponentNode): void {
  const { props } = node
  const src = textProp(props, 'src') ?? textProp(props, 'img')
  if (src !== undefined) {
    const attributes: Record<string, string> = { src, alt: textProp(props, 'alt') ?? '' }
    for (const name of ['width', 'height', 'title']) {
      const value = textProp(props, name)
      if (value !== undefined) attributes[name] = value
    }
    const dark = textProp(props, 'darkSrc')
    writeImage(writer, dark === undefined ? attributes : { ...attributes, class: 'oct-light-only' })
    if (dark !== undefined) {
      writeImage(writer, { ...attributes, src: dark, class: 'oct-dark-only' })
    }
  }
  writer.nodes(node.children)
}

export function writeMermaidComponent(writer: ContentWriter, node: ComponentNode): void {
  const chart = textProp(node.props, 'chart')
  if (chart !== undefined) writeMermaid(writer, chart)
  if (node.children.length === 0) return
  writer.put('<pre class="oct-mermaid" tabindex="0">')
  writer.nodes(node.children)
  writer.put('</pre>')
}
