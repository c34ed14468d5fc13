import type { SpecDocument } from '../document/spec-document.ts'
import { KIND, type NodeId } from '../document/tape.ts'

/** The vendor extension `x-svc` and its aliases. Repositories from another host use `x-mint`. */
export const EXTENSION_NAMES = ['x-svc', 'x-octavo', 'x-mint'] as const

/**
 * Returns a field of the vendor extension, such as `x-svc.href`, from the first name that has it.
 */
export function extensionField(
  document: SpecDocument,
  node: NodeId | undefined,
  key: string,
): NodeId | undefined {
  for (const name of EXTENSION_NAMES) {
    const found = document.field(document.field(node, name), key)
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns the label of a tag's group, from `x-group`. */
export function tagLabel(document: SpecDocument, tag: NodeId): string | undefined {
  const label = document.field(tag, 'x-group')
  if (label === undefined || document.kind(label) !== KIND.string) return undefined
  return document.text(label).trim() || undefined
}

/**
 * Returns true if `x-hidden` or `x-excluded` is set to anything but false, null, 0 or an empty
 * string.
 */
export function isHidden(document: SpecDocument, node: NodeId): boolean {
  return ['x-hidden', 'x-excluded'].some((key) => {
    const marker = document.field(node, key)
    const value = marker !== undefined && document.value(marker)
    return Boolean(value) && value !== 'false'
  })
}
