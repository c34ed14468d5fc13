/**
 * Decides what to build, by comparing the refs of a repository with those that were seen before. It
 * uses no database and no network, so that every case can be tested.
 */

import type { GitRefs } from '../../platform/git/git.ts'
import type { NewBuild } from '../builds/build.ts'
import type { PullRequest } from '../providers/provider.ts'
import { chooseBranch, explainBranch } from './choose-branch.ts'
import type { GitRefRow } from './store.ts'

export const REF_LIMITS = {
  /** The maximum number of branches that are considered, besides the published one. */
  branchesMax: 5_000,
  nameLengthMax: 250,
  /** The maximum number of previews that one check builds; the next check builds more. */
  buildsPerCheck: 50,
  /** When pull requests are listed for the first time, only this many of the newest are built. */
  firstPullsMax: 20,
} as const

const PULL_NUMBER_MAX = 2_147_483_647
const URL_LENGTH_MAX = 2_000

export type RefsToCompare = {
  readonly refs: GitRefs
  /**
   * The open pull requests; undefined if there is no API or it failed. Then the known pull requests
   * stay unchanged.
   */
  readonly pulls: readonly PullRequest[] | undefined
  readonly seen: readonly GitRefRow[]
  /** Refs whose newest commit is built again, because outages interrupted all of its builds. */
  readonly givenUp: ReadonlySet<string>
  readonly branch: string | null
  readonly buildsPreviews: boolean
  readonly buildsForks: boolean
  /** Names of branches that already have a preview. */
  readonly previewed: ReadonlySet<string>
  readonly previewsMax: number
  readonly isFirstCheck: boolean
  readonly isFirstPullList: boolean
}

export type FoundBuild = Omit<NewBuild, 'trigger'>

export type Comparison = {
  /** The builds to accept. The build of the production branch comes first. */
  readonly builds: readonly FoundBuild[]
  /** Rows to write. `isBuilt` marks commits that are recorded as built without a build. */
  readonly changed: readonly (GitRefRow & { readonly isBuilt: boolean })[]
  readonly gone: readonly string[]
  /** Refs whose preview is deleted: deleted refs, and a branch that is now published. */
  readonly endedPreviews: readonly string[]
  readonly production: { readonly name: string; readonly commit: string } | undefined
  readonly notice: string | undefined
  readonly hasMore: boolean
}

export function compareRefs(input: RefsToCompare): Comparison {
  const { refs, seen } = input
  const wantedName = chooseBranch(refs, {
    branch: input.branch,
    published: seen.find(({ isProduction }) => isProduction)?.name,
  })
  // Publishing a branch named like `pull/3` would let a fork's pull request replace the site.
  const productionName = wantedName && isPullName(wantedName) ? undefined : wantedName
  const { rows, skipped } = currentRefs(input, productionName)
  const { builds, changed, hasMore, isFull } = findBuilds(input, rows)
  const gone = seen.map(({ name }) => name).filter((name) => !rows.has(name) && !skipped.has(name))
  const production = productionName === undefined ? undefined : rows.get(productionName)
  const published = changed.filter(({ isProduction }) => isProduction).map(({ name }) => name)
  return {
    builds,
    changed,
    gone,
    endedPreviews: [...gone, ...published],
    production,
    notice: noticeOf(input, wantedName, isFull),
    hasMore,
  }
}

/** Finds changed refs, and the builds that they need, as far as the limits allow. */
function findBuilds(input: RefsToCompare, rows: ReadonlyMap<string, GitRefRow>) {
  const before = new Map(input.seen.map((row) => [row.name, row]))
  const newestPulls = new Set(
    [...rows.values()]
      .flatMap(({ pullRequest }) => pullRequest ?? [])
      .toSorted((a, b) => b - a)
      .slice(0, REF_LIMITS.firstPullsMax),
  )
  const builds: FoundBuild[] = []
  const changed: (GitRefRow & { isBuilt: boolean })[] = []
  let hasMore = false
  let room = input.previewsMax - input.previewed.size
  for (const row of rows.values()) {
    const old = before.get(row.name)
    const isNew =
      old?.commit !== row.commit ||
      old.isProduction !== row.isProduction ||
      input.givenUp.has(row.name)
    const gotPull = row.pullRequest !== null && old?.pullRequest !== row.pullRequest
    const isRenumbered = old?.pullRequest !== row.pullRequest || old.pullUrl !== row.pullUrl
    if (!isNew && !isRenumbered) continue
    if (!needsBuild(row, { input, old, isNew, gotPull, newestPulls })) {
      changed.push({ ...row, isBuilt: isNew })
      continue
    }
    if (!row.isProduction && builds.length >= REF_LIMITS.buildsPerCheck) {
      hasMore = true
      continue
    }
    if (!row.isProduction && !input.previewed.has(row.name)) {
      room -= 1
      if (room < 0) {
        changed.push({ ...row, isBuilt: true })
        continue
      }
    }
    changed.push({ ...row, isBuilt: false })
    builds.push({
      target: row.isProduction ? 'production' : 'preview',
      ref: row.name,
      commit: row.commit,
      pullRequest: row.pullRequest ?? undefined,
      isFork: row.isFork,
    })
  }
  return { builds, changed, hasMore, isFull: room < 0 }
}

type RefChange = {
  readonly input: RefsToCompare
  readonly old: GitRefRow | undefined
  readonly isNew: boolean
  readonly gotPull: boolean
  readonly newestPulls: ReadonlySet<number>
}

function needsBuild(
  row: GitRefRow,
  { input, old, isNew, gotPull, newestPulls }: RefChange,
): boolean {
  if (row.isProduction) return isNew
  if (!input.buildsPreviews || (row.isFork && !input.buildsForks)) return false
  // Branches from before the connection are built once they change. When pull requests are listed
  // for the first time, only the newest ones are built.
  if (row.pullRequest !== null && input.isFirstPullList && (old === undefined || !isNew))
    return newestPulls.has(row.pullRequest)
  if (input.isFirstCheck) return false
  // A branch that was published before gets no preview until it changes.
  if (old?.isProduction && old.commit === row.commit) return false
  return isNew || gotPull
}

/** Returns the current branches and pull requests. The production branch comes first. */
function currentRefs(
  { refs, pulls: listed, seen }: RefsToCompare,
  productionName: string | undefined,
): { rows: Map<string, GitRefRow>; skipped: ReadonlySet<string> } {
  const pulls = listed?.filter(isUsable)
  const rows = new Map<string, GitRefRow>()
  const add = (name: string, commit: string) => {
    const isProduction = name === productionName
    const pull = isProduction ? undefined : findPull(name)
    const [pullRequest, pullUrl] = [pull?.number ?? null, pull?.url ?? null]
    rows.set(name, { name, commit, isProduction, pullRequest, pullUrl, isFork: false })
  }
  /**
   * Returns the pull request of a branch. If there are several, prefers one into the published
   * branch, then the oldest.
   */
  function findPull(branch: string): Pick<PullRequest, 'number' | 'url'> | undefined {
    if (pulls === undefined) {
      const old = seenByName.get(branch)
      return old?.pullRequest == null
        ? undefined
        : { number: old.pullRequest, url: old.pullUrl ?? '' }
    }
    const own = (pullsByBranch.get(branch) ?? []).toSorted((a, b) => a.number - b.number)
    return own.find(({ baseBranch }) => baseBranch === productionName) ?? own[0]
  }
  const seenByName = new Map(seen.map((row) => [row.name, row]))
  const pullsByBranch = Map.groupBy(
    (pulls ?? []).filter(({ isFork }) => !isFork),
    ({ headBranch }) => headBranch,
  )
  const production = productionName && refs.branches.get(productionName)
  if (productionName !== undefined && production !== undefined) add(productionName, production)
  const others = [...refs.branches.keys()].filter(
    (name) =>
      name !== productionName && name.length <= REF_LIMITS.nameLengthMax && !isPullName(name),
  )
  for (const name of others.toSorted().slice(0, REF_LIMITS.branchesMax))
    add(name, refs.branches.get(name) ?? '')
  const skipped = new Set(others.toSorted().slice(REF_LIMITS.branchesMax))
  if (pulls === undefined) {
    for (const row of seen) if (row.isFork) rows.set(row.name, row)
  } else {
    for (const pull of pulls.filter(({ isFork }) => isFork)) {
      const { number: pullRequest, url: pullUrl, headCommit: commit } = pull
      const name = `pull/${pullRequest}`
      rows.set(name, { name, commit, isProduction: false, pullRequest, pullUrl, isFork: true })
    }
  }
  return { rows, skipped }
}

/**
 * Returns false for a pull request that cannot be stored, such as one from GitLab without a commit:
 * it must not stop the check.
 */
function isUsable({ number, url, headCommit }: PullRequest): boolean {
  return (
    Number.isInteger(number) &&
    number > 0 &&
    number <= PULL_NUMBER_MAX &&
    url.length <= URL_LENGTH_MAX &&
    /^(?:[\da-f]{40}|[\da-f]{64})$/.test(headCommit)
  )
}

/**
 * Returns true for names like `pull/3`, which stand for pull requests from forks. Branches with
 * such names are ignored.
 */
export const isPullName = (name: string) => /^pull\/\d+$/.test(name)

function noticeOf(
  { refs, previewsMax }: RefsToCompare,
  productionName: string | undefined,
  isFull: boolean,
): string | undefined {
  if (productionName !== undefined && isPullName(productionName))
    return `The branch "${productionName}" cannot be published: its name is used for pull requests. Rename it.`
  const missing = explainBranch(refs, productionName)
  if (missing !== undefined) return missing
  if (refs.branches.size > REF_LIMITS.branchesMax)
    return `The repository has ${refs.branches.size} branches. Only the first ${REF_LIMITS.branchesMax} by name have previews.`
  if (isFull)
    return `The project has ${previewsMax} previews, which is the limit, so new branches get no preview. Delete merged branches.`
  return undefined
}
