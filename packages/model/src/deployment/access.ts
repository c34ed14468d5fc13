/**
 * Access to the outputs of a site. One label applies everywhere: to the page, its Markdown, its
 * feed, and its entries in search and in the navigation of other pages.
 *
 * Labels are ordered. All readers have `public`. Readers who pass the site's protection have
 * `default`. A reader who is in any group has passed that protection, so they have `default` too.
 */

/**
 * The label of a page: `public`, `default` if the author set no access (the site's protection then
 * decides at request time), or the groups that may read it. If the list of groups is empty, no
 * reader may read the page.
 */
export type AccessLabel = 'public' | 'default' | readonly string[]

/** The labels that a reader needs: one label, any of several labels, or all of several labels. */
export type Access =
  | AccessLabel
  | { readonly any: readonly AccessLabel[] }
  | { readonly all: readonly AccessLabel[] }

/** A byte range of an output that is removed for readers without access. */
export type AccessRange = {
  readonly start: number
  readonly end: number
  readonly access: Access
}

/** Returns the label for a list of groups, whose order and duplicates do not matter. */
export function groupsLabel(groups: readonly string[]): AccessLabel {
  return [...new Set(groups.map((group) => group.toWellFormed()))].toSorted()
}

/** Checks whether every reader with the first label also has the second one. */
export function implies(label: AccessLabel, other: AccessLabel): boolean {
  if (other === 'public') return true
  if (label === 'public') return false
  if (other === 'default') return true
  return label !== 'default' && label.every((group) => other.includes(group))
}

/** Checks whether every reader with the label has access. */
export function grantsAccess(label: AccessLabel, access: Access): boolean {
  if (isLabel(access)) return implies(label, access)
  if ('any' in access) return access.any.some((one) => implies(label, one))
  return access.all.every((one) => implies(label, one))
}

/**
 * Returns the access for readers with any of the labels, such as for a file that several pages use.
 */
export function accessOfAny(labels: Iterable<AccessLabel>): Access {
  const found = distinct(labels)
  if (found.length === 0) return 'default'
  const loosest = found.filter((label) =>
    found.every((other) => other === label || !implies(label, other)),
  )
  return loosest.length === 1 ? (loosest[0] ?? 'default') : { any: loosest }
}

/**
 * Returns the access for readers with all of the labels, such as for a file with content of several
 * pages.
 */
export function accessOfAll(labels: Iterable<AccessLabel>): Access {
  const found = distinct(labels)
  if (found.length === 0) return 'default'
  const strictest = found.filter((label) =>
    found.every((other) => other === label || !implies(other, label)),
  )
  return strictest.length === 1 ? (strictest[0] ?? 'default') : { all: strictest }
}

export type Reader = {
  /** True if the reader passes the site's protection. Always true if the site is not protected. */
  readonly hasSiteAccess: boolean
  readonly groups: ReadonlySet<string>
}

export function mayRead({ hasSiteAccess, groups }: Reader, access: Access): boolean {
  const has = (label: AccessLabel) => {
    if (label === 'public') return true
    if (label === 'default') return hasSiteAccess || groups.size > 0
    return label.some((group) => groups.has(group))
  }
  if (isLabel(access)) return has(access)
  return 'any' in access ? access.any.some(has) : access.all.every(has)
}

/** Returns the labels that an access consists of. */
export function labelsOf(access: Access): readonly AccessLabel[] {
  if (isLabel(access)) return [access]
  return 'any' in access ? access.any : access.all
}

/** Returns a key that is equal for equal labels or accesses. */
export function accessKey(access: Access): string {
  return JSON.stringify(access)
}

/** Checks whether an access is a single label, and not any or all of several labels. */
export function isLabel(access: Access): access is AccessLabel {
  return typeof access === 'string' || Array.isArray(access)
}

/** Removes duplicates and sorts the labels in a fixed order. */
function distinct(labels: Iterable<AccessLabel>): readonly AccessLabel[] {
  const byKey = new Map([...labels].map((label) => [accessKey(label), label]))
  return [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, label]) => label)
}
