/** Compares two deployments, so that the changes can be reviewed. */
import type { ManifestEntry } from '@octavo/model'

type PageChanges = {
  readonly added: string[]
  readonly changed: string[]
  readonly removed: string[]
  /** Pages whose text is now at a different address. */
  readonly moved: { readonly from: string; readonly to: string }[]
}

export type DeploymentChanges = {
  readonly pages: PageChanges
  /** Proposed redirects for pages that have moved. */
  readonly redirects: { readonly source: string; readonly destination: string }[]
  /** Counts of all files, including pages. */
  readonly files: { readonly added: number; readonly changed: number; readonly removed: number }
}

/**
 * Compares the entries of two manifests. Entries of runs that both deployments share can be
 * omitted.
 */
export function compareDeployments(
  before: readonly ManifestEntry[],
  after: readonly ManifestEntry[],
): DeploymentChanges {
  const old = new Map(before.map((entry) => [entry.path, entry]))
  const fresh = new Map(after.map((entry) => [entry.path, entry]))
  const added = [...fresh.keys()].filter((path) => !old.has(path))
  const removed = [...old.keys()].filter((path) => !fresh.has(path))
  const changed = [...fresh.values()]
    .filter(({ path, sha256 }) => old.has(path) && old.get(path)?.sha256 !== sha256)
    .map(({ path }) => path)
  const files = { added: added.length, changed: changed.length, removed: removed.length }

  const addedPages = added.filter(isPage)
  const byText = new Map(addedPages.map((path) => [fresh.get(path)?.sha256, path]))
  const moved = removed.filter(isPage).flatMap((path) => {
    const to = byText.get(old.get(path)?.sha256)
    return to === undefined ? [] : [{ from: addressOf(path), to: addressOf(to) }]
  })
  const movedAddresses = new Set(moved.flatMap(({ from, to }) => [from, to]))
  const isMoved = (address: string) => movedAddresses.has(address)
  const addresses = (paths: readonly string[]) =>
    paths
      .filter(isPage)
      .map(addressOf)
      .filter((address) => !isMoved(address))
  return {
    pages: {
      added: addresses(added),
      changed: addresses(changed),
      removed: addresses(removed),
      moved,
    },
    redirects: moved.map(({ from, to }) => ({ source: from, destination: to })),
    files,
  }
}

/**
 * Pages are compared by their Markdown. Their HTML also contains the layout, which changes when
 * other pages change.
 */
const isPage = (path: string) => path.endsWith('.md')

const addressOf = (path: string) => `/${path.replace(/\.md$/, '').replace(/^index$/, '')}`
