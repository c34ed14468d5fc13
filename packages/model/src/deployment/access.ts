/**
 * Who may read an output of a site. One label decides on every surface: the page, its Markdown, its
 * feed, its place in search and in the navigation of other pages.
 *
 * Labels are ordered. Everybody has `public`; readers whom the protection of the site lets in have
 * `default`; and a reader who is in any group has passed that protection, so has `default` too.
 */

/**
 * The label of one page: `public` was written, nothing was written (`default`: the protection of the
 * site decides when somebody asks), or the groups that may read it. Without a group nobody may.
 */
export type AccessLabel = 'public' | 'default' | readonly string[]

/** Readers with one label, with any of several, or with all of several. */
export type Access =
  | AccessLabel
  | { readonly any: readonly AccessLabel[] }
  | { readonly all: readonly AccessLabel[] }

/** A part of an output, in bytes, that is left out for readers without access. */
export type AccessRange = {
  readonly start: number
  readonly end: number
  readonly access: Access
}

/** Groups in any order, also twice, as a label. */
export function groupsLabel(groups: readonly string[]): AccessLabel {
  return [...new Set(groups.map((group) => group.toWellFormed()))].toSorted()
}

/** True when every reader who has the first label has the second too. */
export function implies(label: AccessLabel, other: AccessLabel): boolean {
  if (other === 'public') return true
  if (label === 'public') return false
  if (other === 'default') return true
  return label !== 'default' && label.every((group) => other.includes(group))
}

/** True when every reader who has the label has access. */
export function givesAccess(label: AccessLabel, access: Access): boolean {
  if (isLabel(access)) return implies(label, access)
  if ('any' in access) return access.any.some((one) => implies(label, one))
  return access.all.every((one) => implies(label, one))
}

/** Access for the readers of any of the labels, as for a file that several pages use. */
export function accessOfAny(labels: Iterable<AccessLabel>): Access {
  const found = distinct(labels)
  if (found.length === 0) return 'default'
  const loosest = found.filter((label) =>
    found.every((other) => other === label || !implies(label, other)),
  )
  return loosest.length === 1 ? (loosest[0] ?? 'default') : { any: loosest }
}

/** Access only for those who have all of the labels, as for a file that mixes pages. */
export function accessOfAll(labels: Iterable<AccessLabel>): Access {
  const found = distinct(labels)
  if (found.length === 0) return 'default'
  const strictest = found.filter((label) =>
    found.every((other) => other === label || !implies(other, label)),
  )
  return strictest.length === 1 ? (strictest[0] ?? 'default') : { all: strictest }
}

/** Somebody who asks. */
export type Reader = {
  /** The protection of the site lets them in; everybody where there is none. */
  readonly isLetIn: boolean
  readonly groups: ReadonlySet<string>
}

export function mayRead({ isLetIn, groups }: Reader, access: Access): boolean {
  const has = (label: AccessLabel) => {
    if (label === 'public') return true
    if (label === 'default') return isLetIn || groups.size > 0
    return label.some((group) => groups.has(group))
  }
  if (isLabel(access)) return has(access)
  return 'any' in access ? access.any.some(has) : access.all.every(has)
}

/** The labels that an access names. */
export function labelsOf(access: Access): readonly AccessLabel[] {
  if (isLabel(access)) return [access]
  return 'any' in access ? access.any : access.all
}

/** Two labels or two accesses that are equal have the same key. */
export function accessKey(access: Access): string {
  return JSON.stringify(access)
}

/** A label, in contrast to any or all of several. */
export function isLabel(access: Access): access is AccessLabel {
  return typeof access === 'string' || Array.isArray(access)
}

/** Each label once, in a fixed order. */
function distinct(labels: Iterable<AccessLabel>): readonly AccessLabel[] {
  const byKey = new Map([...labels].map((label) => [accessKey(label), label]))
  return [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, label]) => label)
}
