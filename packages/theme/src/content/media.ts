import type { ComponentNode } from '@octavo/content'
import { type ContentWriter, flagProp, textProp } from './content-writer.ts'
import { writeImage } from './write-element.ts'

/** Writes an image or video with a border and a caption. */
export function writeFrame(writer: ContentWriter, node: ComponentNode): void {
  const { props, slots } = node
  writer.put('<figure class="oct-frame">')
  if (props.hint !== undefined || slots?.hint !== undefined) {
    writer.put('<p class="oct-frame-hint">')
    writer.putMarkdownProp(node, 'hint')
    writer.put('</p>')
  }
  writer.put('<div class="oct-frame-content">')
  const { isFramed } = writer
  writer.isFramed = true
  writer.nodes(node.children)
  writer.isFramed = isFramed
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
  const src = textProp(props, 'src') ?? textProp(props, 'lightSrc') ?? textProp(props, 'img')
  if (src !== undefined) {
    const attributes: Record<string, string | true> = { src, alt: textProp(props, 'alt') ?? '' }
    // `content` has already checked `style` against its allowlist.
    for (const name of ['width', 'height', 'title', 'style']) {
      const value = textProp(props, name)
      if (value !== undefined) attributes[name] = value
    }
    if (flagProp(props, 'noZoom')) attributes.nozoom = true
    const own = textProp(props, 'className') ?? ''
    const dark = textProp(props, 'darkSrc')
    if (dark === undefined) {
      writeImage(writer, own === '' ? attributes : { ...attributes, class: own })
    } else {
      writeImage(writer, { ...attributes, class: `oct-light-only ${own}`.trim() })
      writeImage(writer, { ...attributes, src: dark, class: `oct-dark-only ${own}`.trim() })
    }
  }
  writer.nodes(node.children)
}
