import { diagnose, type Report } from '../diagnostics/diagnostic.ts'
import { type JsonObject, placeOfMember } from '../json/json-node.ts'

/** Property names that hold children, in the order in which a level is read. */
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
 * Which kinds of children does this element hold? (Navigation rule 2: one kind per level.)
 *
 * We look at the keys before validating the children. Asking a schema to match a union of ten
 * shapes instead would answer "did not match any of 10 shapes", which tells the author nothing.
 * All kinds are returned even when there are too many: nothing that was written is dropped.
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

/** The kinds that hold something: an empty list beside another is no second kind. */
export function filledKinds(element: JsonObject): readonly ChildKind[] {
  return CHILD_KINDS.filter((kind) => {
    const list = element.members.get(kind)?.value
    return list !== undefined && (list.type !== 'array' || list.items.length > 0)
  })
}
