/**
 * Prints the comment on a pull request. Everything that an author or a contributor wrote, such as
 * page addresses, file names and messages, is printed as code (see `inline-code.ts`).
 */
import { type AnswerForecast, API_LEVELS, type DeploymentDiff } from '@octavo/contract'
import type { BuildDiagnostic } from '../../projects/notifications/build-diagnostic.ts'
import { plural, printCounts } from '../../projects/notifications/print-status.ts'
import { isRestricted } from '../deployments/api-changes.ts'
import type { Comparison } from '../deployments/comparison-store.ts'
import { inlineCode } from './inline-code.ts'
import type { CommentGaps } from './notify-store.ts'

/** The maximum number of entries in each list. */
const ENTRIES_MAX = 10
const COMMIT_LENGTH = 7
/**
 * Longer addresses are printed without a link and without a proposed redirect, since the size of a
 * comment is limited.
 */
const ADDRESS_LENGTH_MAX = 300

export type CommentFacts = {
  /** The project's public id. */
  readonly projectId: string
  readonly projectName: string
  readonly state: 'finished' | 'failed' | 'skipped'
  readonly commit: string
  readonly reason: string | null
  readonly finishedAt: Date | null
  readonly errorCount: number
  readonly warningCount: number
  /** The documentation folder, which is added to the paths of files. */
  readonly folder: string
  /** Errors of a failed build, or problems that the live site does not have. */
  readonly diagnostics: readonly BuildDiagnostic[]
  /** The URL of the preview, if the build has one. */
  readonly previewUrl: string | undefined
  /** The changes compared to the live site; undefined if there is no live site. */
  readonly changes: DeploymentDiff | undefined
  /** How the change affects gaps; undefined if there are no gaps. */
  readonly gaps: CommentGaps | undefined
  /** How the change affects the answers to the author's questions; undefined if there are none. */
  readonly answers: AnswerForecast | undefined
  /** How it affects the answers to readers' questions; undefined if they are not asked. */
  readonly readerAnswers: AnswerForecast | undefined
  /** How the change affects the API; undefined if it does not. */
  readonly api: Comparison | undefined
  readonly deploymentId: string | null
  /**
   * The fork that the pull request comes from; undefined if it comes from the repository itself.
   */
  readonly fork: { readonly ref: string; readonly isApproved: boolean } | undefined
}

/** Returns the invisible marker by which a project's comment is found again. */
export const commentMarker = (projectId: string) => `<!-- octavo:${projectId} -->`

export function printComment(facts: CommentFacts): string {
  const blocks = [
    commentMarker(facts.projectId),
    `### ${titleOf(facts)}: ${inlineCode(facts.projectName, 100)}`,
    printOutcome(facts),
    ...(facts.state === 'finished' && facts.changes !== undefined
      ? printChanges(facts.changes, facts.previewUrl)
      : []),
    ...printApi(facts),
    ...printGaps(facts),
    ...printAnswers(facts),
    ...printReaderAnswers(facts),
    ...printDiagnostics(facts),
    ...printFork(facts),
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

function titleOf({ state }: CommentFacts): string {
  switch (state) {
    case 'finished':
      return 'Documentation preview'
    case 'failed':
      return 'Documentation build failed'
    case 'skipped':
      return 'Documentation build skipped'
  }
}

function printOutcome(facts: CommentFacts): string {
  const { state, commit, reason, previewUrl, finishedAt, diagnostics } = facts
  const of = `commit ${inlineCode(commit.slice(0, COMMIT_LENGTH))}`
  const at = finishedAt === null ? '' : `, ${printTime(finishedAt)}`
  const link = previewUrl === undefined ? undefined : linkTo(previewUrl)
  const counts = printCounts(facts)
  const behind = counts === '' ? 'No problems found.' : `${counts}.`
  // The errors are listed below, so the reason is omitted.
  const isSaid = state === 'failed' && diagnostics.length > 0
  const why = reason === null || reason === '' || isSaid ? '' : ` ${inlineCode(reason)}`
  switch (state) {
    case 'finished':
      return link === undefined
        ? `Built ${of}${at}. ${behind}`
        : `**[Open the preview](${link})** of ${of}${at}. ${behind}`
    case 'failed':
      return [
        `The build of ${of} failed${at}${counts === '' ? '' : `: ${counts}`}.${why}`,
        ...(link === undefined ? [] : [`The [preview](${link}) shows an earlier commit.`]),
      ].join(' ')
    case 'skipped':
      return [
        `${of[0]?.toUpperCase()}${of.slice(1)} was not built.${why}`,
        ...(link === undefined ? [] : [`The [preview](${link}) is up to date.`]),
      ].join(' ')
  }
}

function printChanges({ pages, redirects }: DeploymentDiff, previewUrl: string | undefined) {
  const page = (address: string) => {
    const text = inlineCode(address, 200)
    const hasLink = previewUrl !== undefined && address.length <= ADDRESS_LENGTH_MAX
    return hasLink ? `[${text}](${linkTo(previewUrl, address)})` : text
  }
  const isUnchanged =
    pages.added.length + pages.changed.length + pages.removed.length + pages.moved.length === 0
  if (isUnchanged) return ['No page differs from the live site.']
  return [
    printList(`**${plural(pages.changed.length, 'changed page')}**`, pages.changed, page),
    printList(`**${plural(pages.added.length, 'new page')}**`, pages.added, page),
    printList(
      `**${plural(pages.moved.length, 'moved page')}**`,
      pages.moved,
      ({ from, to }) => `${page(to)}, was ${inlineCode(from, 200)}`,
    ),
    printList(`**${plural(pages.removed.length, 'removed page')}**`, pages.removed, (address) =>
      inlineCode(address, 200),
    ),
    printRedirects(redirects),
  ]
}

function printRedirects(all: DeploymentDiff['redirects']): string {
  const redirects = all.filter(
    ({ source, destination }) =>
      source.length <= ADDRESS_LENGTH_MAX && destination.length <= ADDRESS_LENGTH_MAX,
  )
  if (redirects.length === 0) return ''
  const json = redirects
    .slice(0, ENTRIES_MAX)
    .map(({ source, destination }) => `  ${JSON.stringify({ source, destination })}`)
    .join(',\n')
  const runs = [...json.matchAll(/`+/g)].map(([run]) => run.length)
  const fence = '`'.repeat(Math.max(2, ...runs) + 1)
  const rest = redirects.length - ENTRIES_MAX
  const more = rest > 0 ? `\n\nand ${rest} more` : ''
  return `Links to addresses that moved will break. Add redirects to \`docs.json\`:\n\n${fence}json\n"redirects": [\n${json}\n]\n${fence}${more}`
}

/**
 * Prints the counts of changes of the API, and the first changes that clients notice. Changes of a
 * specification that only some readers may see are only counted.
 */
function printApi({ state, api }: CommentFacts): readonly string[] {
  if (api === undefined || state !== 'finished') return []
  const { specifications, problem } = api
  const sum = (level: 'breaking' | 'additive' | 'documentation') =>
    specifications.reduce((total, one) => total + one[level], 0)
  const [breaking, additive] = [sum('breaking'), sum('additive')]
  const texts = plural(sum('documentation'), 'change')
  const counts = `API: ${breaking} breaking, ${additive} additive, ${texts} of the documentation`
  const problems = [
    problem,
    ...specifications.map((one) => one.problem && `${one.file}: ${one.problem}`),
  ]
    .filter((text) => text !== undefined)
    .map((text) => `The API could not be compared. ${inlineCode(text)}`)
  if (specifications.every((one) => one.problem !== undefined)) return problems
  const shown = specifications
    .filter((one) => !isRestricted(one))
    .flatMap(({ changes }) => changes)
    .filter(({ level }) => level !== 'documentation')
    .toSorted((a, b) => API_LEVELS.indexOf(a.level) - API_LEVELS.indexOf(b.level))
  const list = printList(
    `**${counts}**`,
    shown,
    ({ level, message, operations, operationCount }) => {
      const more = operationCount - operations.length
      const named = `${operations.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
      return `${level}: ${inlineCode(named === '' ? message : `${named}: ${message}`)}`
    },
    breaking + additive,
  )
  return [list === '' ? `**${counts}**` : list, ...problems]
}

/**
 * Prints how the change affects gaps. Prints only numbers, since readers' questions are never sent
 * to a repository.
 */
function printGaps({ state, gaps, deploymentId, projectId }: CommentFacts): readonly string[] {
  if (gaps === undefined || deploymentId === null || state !== 'finished') return []
  const { likely, open, lost } = gaps
  const command = inlineCode(`octavo gaps compare ${deploymentId} --project ${projectId}`)
  return [
    `This change likely answers ${likely} of ${plural(open, 'open gap')}, and loses ${plural(lost, 'answer')}. List them with ${command}.`,
  ]
}

/** Prints the questions whose answers are lost. They are part of the repository. */
function printAnswers({ state, answers }: CommentFacts): readonly string[] {
  if (answers === undefined || state !== 'finished') return []
  const { questions, lostCount, lost, gained } = answers
  const counts = `Answers: ${lostCount} lost, ${gained} gained of ${plural(questions, 'question')}`
  if (lostCount === 0) return [`${counts}.`]
  return [printList(`**${counts}**`, lost, (question) => inlineCode(question, 200), lostCount)]
}

/** Prints only numbers, since readers' questions are never sent to a repository. */
function printReaderAnswers({ state, readerAnswers }: CommentFacts): readonly string[] {
  if (readerAnswers === undefined || state !== 'finished') return []
  const { questions, lostCount, gained } = readerAnswers
  return [
    `Answers to readers: ${lostCount} lost, ${gained} gained of ${plural(questions, 'question')}.`,
  ]
}

function printDiagnostics({ state, diagnostics, folder }: CommentFacts): readonly string[] {
  if (state === 'skipped') return []
  const noun = state === 'failed' ? 'error' : 'new problem'
  const root = folder === '' ? '' : `${folder}/`
  return [
    printList(`**${plural(diagnostics.length, noun)}**`, diagnostics, ({ place, message }) =>
      inlineCode(`${root}${place.file}:${place.line} ${message}`),
    ),
  ]
}

function printFork({ fork, projectId }: CommentFacts): readonly string[] {
  if (fork === undefined || fork.isApproved) return []
  return [
    `This pull request comes from a fork, so its scripts are off in the preview. After a review, a maintainer can turn them on with ${inlineCode(`octavo deployments approve-preview ${fork.ref} --project ${projectId}`)}.`,
  ]
}

function printList<Item>(
  title: string,
  items: readonly Item[],
  print: (item: Item) => string,
  count = items.length,
): string {
  if (items.length === 0) return ''
  const rest = count - ENTRIES_MAX
  const lines = items.slice(0, ENTRIES_MAX).map((item) => `- ${print(item)}`)
  return [`${title}\n`, ...lines, ...(rest > 0 ? [`- and ${rest} more`] : [])].join('\n')
}

/**
 * Returns a link target with escaped characters, so that an address cannot end the Markdown link.
 */
function linkTo(url: string, address = ''): string {
  const path = address
    .split('/')
    .map((part) => encodeURIComponent(part.toWellFormed()))
    .join('/')
  const all = url.replace(/\/$/, '') + path
  return all.replaceAll(
    /[()<>\\'*_~`[\]!]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Prints a time in UTC, such as `2026-11-16 12:00 UTC`. */
function printTime(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
