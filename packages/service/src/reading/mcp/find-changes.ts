/**
 * Compares the live deployment with an earlier one, for the MCP tool `what_changed`. The result
 * contains only what the reader may see: a page in the version that has it, and changes of a
 * specification whose old, new and live versions they may read.
 */
import type { DocsSite, Since } from '@octavo/mcp'
import { type Access, type ManifestRoot, mayRead, type Reader, runIndexOf } from '@octavo/model'
import { parseMarkdownPartPath } from '@octavo/search'
import type { Database } from '../../platform/database/database.ts'
import { compareDeployments } from '../../publishing/deployments/compare-deployments.ts'
import {
  type ComparisonStep,
  ComparisonStore,
} from '../../publishing/deployments/comparison-store.ts'
import { DeploymentStore } from '../../publishing/deployments/store.ts'
import type { BlobCache } from '../hosting/blob-cache.ts'
import { classOf } from '../hosting/find-file.ts'
import { readableEntries } from '../hosting/readable-entries.ts'
import type { SitePointer } from '../hosting/site-directory.ts'
import type { DeploymentLibraries } from '../libraries/deployment-libraries.ts'

export type ChangesDeps = {
  readonly database: Database
  readonly cache: BlobCache
  readonly libraries: DeploymentLibraries
}

type LiveSite = {
  readonly pointer: SitePointer
  /** The reader with all their groups: an earlier deployment may use other groups. */
  readonly reader: Reader
}

/** A deployment and what its reader may see there. */
type SeenDeployment = {
  readonly id: string
  readonly digest: string
  readonly root: ManifestRoot
}

type FoundChanges = Awaited<ReturnType<NonNullable<DocsSite['findChanges']>>>

/** The number of pages that are requested from a library at once. */
const PAGES_AT_ONCE = 1_000

export function createFindChanges(deps: ChangesDeps) {
  return async (since: Since, live: LiveSite): Promise<FoundChanges> => {
    const { pointer, reader } = live
    const bound = deps.database.forProject(pointer)
    const comparisons = new ComparisonStore(bound)
    const now = await new DeploymentStore(bound).find(pointer.deploymentId)
    const from = await comparisons.findLive(since)
    if (from === undefined || now === undefined)
      return { oldest: await comparisons.findLive({ at: new Date(0) }) }
    const to = Number(now.number)
    const none = { added: [], changed: [], removed: [], moved: [] }
    if (from.id === now.id) return { from, to, pages: none, api: [], isApiComplete: true }
    const [before, after] = await Promise.all([
      openDeployment(deps, from.id, from.root.toString('hex')),
      openDeployment(deps, pointer.deploymentId, pointer.root),
    ])
    const steps = await comparisons.between({ from: from.id, to: now.id })
    // A failed comparison is not reported, since files that the reader may not see can cause it.
    const isComplete = steps?.every(({ result }) => result !== null)
    return {
      from,
      to,
      pages: await comparePages(deps, live, { before, after }),
      api: await readableSteps(deps, { root: after.root, reader }, steps ?? []),
      isApiComplete: isComplete ?? false,
    }
  }
}

async function openDeployment({ cache }: ChangesDeps, id: string, digest: string) {
  return { id, digest, root: await cache.root(digest) }
}

async function comparePages(
  deps: ChangesDeps,
  site: LiveSite,
  { before, after }: Record<'before' | 'after', SeenDeployment>,
) {
  const isReadable = (access: Access) => mayRead(site.reader, access)
  const pagesOf = async (
    { root }: SeenDeployment,
    listed: ReadonlySet<string>,
    other: SeenDeployment,
  ) => {
    const entries = await readableEntries(deps.cache, { root, isReadable, other: other.root })
    return entries.filter(({ path }) => {
      const page = parseMarkdownPartPath(path)?.path ?? /^(.+)\.md$/.exec(path)?.[1]
      return page !== undefined && listed.has(encodeURI(addressOf(page)))
    })
  }
  const { pages } = compareDeployments(
    await pagesOf(before, await listedPages(deps, site, before), after),
    await pagesOf(after, await listedPages(deps, site, after), before),
  )
  return withWholePages(pages)
}

const addressOf = (page: string) => (page === 'index' ? '/' : `/${page}`)

type PageChanges = ReturnType<typeof compareDeployments>['pages']

/** Replaces changes of later parts of long pages by a change of the page. */
function withWholePages({ added, changed, removed, moved }: PageChanges) {
  const partOf = (address: string) => parseMarkdownPartPath(`${address.slice(1)}.md`)
  const isWhole = (address: string) => partOf(address) === undefined
  const whole = {
    added: added.filter(isWhole),
    removed: removed.filter(isWhole),
    moved: moved.filter(({ from }) => isWhole(from)),
  }
  const known = new Set([
    ...whole.added,
    ...whole.removed,
    ...whole.moved.flatMap(({ from, to }) => [from, to]),
  ])
  const pages = [...added, ...changed, ...removed]
    .flatMap((address) => partOf(address)?.path ?? [])
    .map(addressOf)
    .filter((address) => !known.has(address))
  return { ...whole, changed: [...new Set([...changed.filter(isWhole), ...pages])] }
}

/** Returns the addresses of pages that `list_pages` lists, so hidden pages stay unnamed. */
async function listedPages(
  { libraries }: ChangesDeps,
  { pointer, reader: whole }: LiveSite,
  { id, digest, root }: SeenDeployment,
): Promise<ReadonlySet<string>> {
  const { reader } = classOf(root, whole)
  const readable = root.search.filter(({ access }) => mayRead(reader, access))
  const listed = new Set<string>()
  for (const scope of new Set(readable.map((place) => place.scope))) {
    const view = { tenant: pointer, deploymentId: id, digest, root, reader, scope }
    const library = await libraries.library(view)
    for (let from = 0, total = 1; from < total; from += PAGES_AT_ONCE) {
      const list = await library.pages({ from, limit: PAGES_AT_ONCE })
      for (const { url } of list.pages) listed.add(url)
      total = list.total
    }
  }
  return listed
}

async function readableSteps(
  { cache }: ChangesDeps,
  { root, reader }: { readonly root: ManifestRoot; readonly reader: Reader },
  steps: readonly ComparisonStep[],
) {
  const isReadableNow = async (file: string) => {
    const index = runIndexOf(root, file)
    const entry = index < 0 ? undefined : (await cache.run(root, index)).get(file)
    return entry !== undefined && mayRead(reader, entry.access)
  }
  const found = []
  for (const { number, result } of steps)
    for (const { file, changes, access, problem, ...counts } of result?.specifications ?? []) {
      const isReadable = access.length > 0 && access.every((one) => mayRead(reader, one))
      if (!isReadable || !(await isReadableNow(file))) continue
      const count = counts.breaking + counts.additive + counts.documentation
      found.push({ deployment: number, file, count, changes, problem })
    }
  return found
}
