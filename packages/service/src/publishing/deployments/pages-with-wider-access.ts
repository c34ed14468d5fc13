/** Pages that more people could read after a rollback: it brings back the labels of then. */
import { type Access, type AccessLabel, implies, isLabel, type ManifestEntry } from '@octavo/model'

/** `isProtected`: readers sign in, so what has no label of its own is not for everybody. */
export function pagesWithWiderAccess(
  live: readonly ManifestEntry[],
  next: readonly ManifestEntry[],
  isProtected: boolean,
): readonly string[] {
  const labelOf = (access: Access): AccessLabel => {
    // Only files that several pages share have more than one label, and no page is one.
    if (!isLabel(access)) return []
    return access === 'default' && !isProtected ? 'public' : access
  }
  const before = new Map(live.map(({ path, access }) => [path, labelOf(access)]))
  return next
    .filter(({ path }) => path.endsWith('.md'))
    .filter(({ path, access }) => {
      const label = before.get(path)
      return label !== undefined && !implies(labelOf(access), label)
    })
    .map(({ path }) => `/${path.replace(/(?:^|\/)index\.md$|\.md$/, '')}`)
    .toSorted()
}
