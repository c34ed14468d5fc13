import type { ComponentNode } from '@octavo/content'

/** Returns true if the author set an icon, even if no icon with that name exists. */
export function hasIcon({ props, slots }: ComponentNode): boolean {
  return slots?.icon !== undefined || (props.icon !== undefined && props.icon !== '')
}
