import { diagnose, type Report } from '../diagnostics/diagnostic.ts'
import { type JsonObject, placeOfMember } from '../json/json-node.ts'

/** Keys that contain children, in the order in which they are read. */
export const CHILD_KINDS = [
  'languages',
  'versions',
  'products',
  'tabs',
  'dropdowns',
  'anchors',
  'menu',
  'groups',
  'pages',
] as const

export type ChildKind = (typeof CHILD_KINDS)[number]

/**
 * Returns the kinds of children that an element has. (Navigation rule 2: one kind per level.)
 *
 * The keys are checked before the children are validated. Comparing with a union of ten schemas
 * would only report "did not match any of 10 shapes", which does not help the author. All kinds are
 * returned even if there are too many, so that no entry is lost.
 */
export function childKinds(
  element: JsonObject,
  name: string,
  report: Report,
): readonly ChildKind[] {
  const present = CHILD_KINDS.filter((kind) => element.members.has(kind))
  const [first, ...others] = filledKinds(element)
  for (const second of others) {
    report(
      diagnose('nav/mixed-children', placeOfMember(element, second), {
        message: `${name} has both \`${first}\` and \`${second}\`. A level can have only one kind of child.`,
        hint: `Move \`${second}\` inside an entry of \`${first}\`, or remove one of the two.`,
        related: [{ message: `\`${first}\` is here.`, place: placeOfMember(element, first ?? '') }],
      }),
    )
  }
  return present
}

/**
 * Returns the kinds of children that are not empty: an empty list does not count as a second kind.
 */
export function filledKinds(element: JsonObject): readonly ChildKind[] {
  return CHILD_KINDS.filter((kind) => {
    const list = element.members.get(kind)?.value
    return list !== undefined && (list.type !== 'array' || list.items.length > 0)
  })
}
