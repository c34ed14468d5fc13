/**
 * Finds pages that more readers could read after a rollback, which restores older access labels.
 */
import { type Access, type AccessLabel, implies, isLabel, type ManifestEntry } from '@octavo/model'

/**
 * Compares the live deployment with the next one. If `isProtected` is true, readers have to sign
 * in, so pages without a label are not public.
 */
export function pagesWithWiderAccess(
  live: readonly ManifestEntry[],
  next: readonly ManifestEntry[],
  isProtected: boolean,
): readonly string[] {
  const labelOf = (access: Access): AccessLabel => {
    // Only files that several pages share have several labels. Pages have one.
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
