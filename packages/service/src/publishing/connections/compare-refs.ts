/** What of a repository has to be built, given what was seen before. Pure, so that every case is a test. */

import type { GitRefs } from '../../platform/git/git.ts'
import type { NewBuild } from '../builds/build.ts'
import type { PullRequest } from '../providers/provider.ts'
import type { GitRefRow } from './store.ts'

export const REF_LIMITS = {
  /** Branches of a repository that are looked at, beside the one that is published. */
  branchesMax: 5_000,
  nameLengthMax: 250,
  /** Previews that one check begins; the others are for the next one. */
  buildsPerCheck: 50,
  /** When pull requests are listed for the first time, the newest are built. */
  firstPullsMax: 20,
} as const

const PULL_NUMBER_MAX = 2_147_483_647
const URL_LENGTH_MAX = 2_000

export type RefsToCompare = {
  readonly refs: GitRefs
  /** Nothing if there is no API to ask, or it failed: then pull requests stay as they were. */
  readonly pulls: readonly PullRequest[] | undefined
  readonly seen: readonly GitRefRow[]
  /** Refs whose commit is to be built again: outages interrupted its build too often. */
  readonly givenUp: ReadonlySet<string>
  readonly branch: string | null
  readonly buildsPreviews: boolean
  readonly buildsForks: boolean
  /** Branches that have a preview, and how many there may be. */
  readonly previewed: ReadonlySet<string>
  readonly previewsMax: number
  readonly isFirstCheck: boolean
  readonly isFirstPullList: boolean
}

export type FoundBuild = Omit<NewBuild, 'trigger'>

export type Comparison = {
  /** The one of the production branch first. */
  readonly builds: readonly FoundBuild[]
  /** Rows to write; `isBuilt` for what is only noted. */
  readonly changed: readonly (GitRefRow & { readonly isBuilt: boolean })[]
  readonly gone: readonly string[]
  /** Refs whose preview is over: those that are gone, and a branch that is published now. */
  readonly endedPreviews: readonly string[]
  readonly production: { readonly name: string; readonly commit: string } | undefined
  readonly notice: string | undefined
  readonly hasMore: boolean
}

export function compareRefs(input: RefsToCompare): Comparison {
  const { refs, seen } = input
  const wantedName = input.branch ?? refs.defaultBranch
  // Or a pull request from a fork would take the place of what is published.
  const productionName = wantedName && isPullName(wantedName) ? undefined : wantedName
  const { rows, leftOut } = currentRefs(input, productionName)
  const { builds, changed, hasMore, isFull } = findBuilds(input, rows)
  const gone = seen.map(({ name }) => name).filter((name) => !rows.has(name) && !leftOut.has(name))
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

/** What is new of the refs, and which of it is built, as far as there is room for previews. */
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
  // Branches of before the connection are built when they change.
  if (row.pullRequest !== null && input.isFirstPullList && (old === undefined || !isNew))
    return newestPulls.has(row.pullRequest)
  if (input.isFirstCheck) return false
  // The branch that was published until now stays as it is.
  if (old?.isProduction && old.commit === row.commit) return false
  return isNew || gotPull
}

/** Branches and pull requests as they are now, the production branch first. */
function currentRefs(
  { refs, pulls: listed, seen }: RefsToCompare,
  productionName: string | undefined,
): { rows: Map<string, GitRefRow>; leftOut: ReadonlySet<string> } {
  const pulls = listed?.filter(isUsable)
  const rows = new Map<string, GitRefRow>()
  const add = (name: string, commit: string) => {
    const isProduction = name === productionName
    const pull = isProduction ? undefined : findPull(name)
    const [pullRequest, pullUrl] = [pull?.number ?? null, pull?.url ?? null]
    rows.set(name, { name, commit, isProduction, pullRequest, pullUrl, isFork: false })
  }
  /** Of several from one branch, the one into the published branch; else the oldest. */
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
  const leftOut = new Set(others.toSorted().slice(REF_LIMITS.branchesMax))
  if (pulls === undefined) {
    for (const row of seen) if (row.isFork) rows.set(row.name, row)
  } else {
    for (const pull of pulls.filter(({ isFork }) => isFork)) {
      const { number: pullRequest, url: pullUrl, headCommit: commit } = pull
      const name = `pull/${pullRequest}`
      rows.set(name, { name, commit, isProduction: false, pullRequest, pullUrl, isFork: true })
    }
  }
  return { rows, leftOut }
}

/** One strange pull request must not stop the check: GitLab has some without a commit. */
function isUsable({ number, url, headCommit }: PullRequest): boolean {
  return (
    Number.isInteger(number) &&
    number > 0 &&
    number <= PULL_NUMBER_MAX &&
    url.length <= URL_LENGTH_MAX &&
    /^(?:[\da-f]{40}|[\da-f]{64})$/.test(headCommit)
  )
}

/** Taken for pull requests from forks: a branch of that name would be mistaken for one. */
export const isPullName = (name: string) => /^pull\/\d+$/.test(name)

function noticeOf(
  { refs, branch, previewsMax }: RefsToCompare,
  productionName: string | undefined,
  isFull: boolean,
): string | undefined {
  if (productionName === undefined)
    return 'The server does not say which branch is the default one. Choose one under Git connection, or connect the repository again with --branch.'
  if (isPullName(productionName))
    return `The branch "${productionName}" cannot be published: its name is used for pull requests. Rename it.`
  if (!refs.branches.has(productionName))
    return branch === null
      ? `The default branch "${productionName}" has no commits.`
      : `The branch "${productionName}" does not exist, so nothing is published. Push it, choose another under Git connection, or connect the repository again with another --branch.`
  if (refs.branches.size > REF_LIMITS.branchesMax)
    return `The repository has ${refs.branches.size} branches. Only the first ${REF_LIMITS.branchesMax} by name have previews.`
  if (isFull)
    return `The project has ${previewsMax} previews, so new branches get none. Delete branches that are merged.`
  return undefined
}
