import type { ComponentNode, Props } from '@octavo/content'
import { type ContentWriter, type IconLook, textProp } from './content-writer.ts'

/** The icon of a component: a name, a file, or markup of the author's. */
export function putIconProp(writer: ContentWriter, node: ComponentNode): void {
  const slot = node.slots?.icon
  if (slot === undefined) {
    writer.putIcon(node.props.icon, iconLook(node.props))
    return
  }
  writer.put('<span class="oct-icon" aria-hidden="true">')
  writer.nodes(slot)
  writer.put('</span>')
}

/** `iconType` and `iconLibrary`, as every component with an icon takes them. */
export function iconLook(props: Props): IconLook {
  const type = textProp(props, 'iconType')
  const library = textProp(props, 'iconLibrary')
  return {
    ...(type === undefined ? {} : { type }),
    ...(library === undefined ? {} : { library }),
  }
}

export function hasIcon({ props, slots }: ComponentNode): boolean {
  return slots?.icon !== undefined || (typeof props.icon === 'string' && props.icon !== '')
}
