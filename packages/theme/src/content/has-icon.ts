import type { ComponentNode } from '@octavo/content'

/** True if the author set an icon, even if no icon has that name. */
export function hasIcon({ props, slots }: ComponentNode): boolean {
  return slots?.icon !== undefined || (props.icon !== undefined && props.icon !== '')
}
