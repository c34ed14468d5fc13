import type { ComponentNode } from '@octavo/content'

/** True if the author asked for an icon; there may be none of that name. */
export function hasIcon({ props, slots }: ComponentNode): boolean {
  return slots?.icon !== undefined || (props.icon !== undefined && props.icon !== '')
}
