/** Parses the input of `what_changed`, and prints its result as Markdown. */
import type {
  ApiChangesOfFile,
  DocsSite,
  LiveDeployment,
  NoDeployment,
  Since,
  SiteChanges,
} from './docs-site.ts'
import { TOOL_LIMITS } from './docs-tools.ts'
import { oneLine } from './one-line.ts'
import { printAddress } from './page-address.ts'

const NUMBER = /^#?([1-9]\d{0,8})$/
const DATE = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/
const LISTED_MAX = TOOL_LIMITS.changesPerList

/** Returns undefined if the text is neither a number nor a date. A date begins at 00:00 UTC. */
export function parseSince(text: string): Since | undefined {
  const [, digits] = NUMBER.exec(text) ?? []
  if (digits !== undefined) return { number: Number(digits) }
  const [, day] = DATE.exec(text) ?? []
  if (day === undefined) return undefined
  const at = new Date(text)
  // The constructor accepts 31 February as a day in March.
  const begin = new Date(`${day}T00:00Z`)
  const isDate = !Number.isNaN(at.getTime()) && !Number.isNaN(begin.getTime())
  return isDate && begin.toISOString().startsWith(day) ? { at } : undefined
}

export function printNoDeployment({ oldest }: NoDeployment): string {
  const kept = oldest === undefined ? '' : ` The oldest one is ${printDeployment(oldest)}.`
  return `This deployment was never live, or is no longer kept.${kept}`
}

export function printChanges(site: DocsSite, changes: SiteChanges, since: Since): string {
  const { from, to } = changes
  const isLater = 'at' in since && from.publishedAt > since.at
  return [
    ...(isLater
      ? [
          'No deployment that was live then is kept. The comparison begins with the next one that is kept.',
        ]
      : []),
    from.number === to
      ? `Nothing has changed: ${printDeployment(from)}, is still live.`
      : `Changes from ${printDeployment(from)}, to #${to}, which is live now.`,
    ...(from.number === to ? [] : [...printPages(site, changes), ...printApi(changes)]),
  ].join('\n\n')
}

const printDeployment = ({ number, publishedAt }: LiveDeployment) =>
  `#${number}, live since ${publishedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`

function printPages(site: DocsSite, { pages }: SiteChanges): readonly string[] {
  const print = (page: string) => oneLine(printAddress(site, encodeURI(page)))
  const moved = pages.moved.map(({ from, to }) => `${print(from)} is now ${print(to)}`)
  const lists = [
    ...printList('Pages added', pages.added.map(print)),
    ...printList('Pages changed', pages.changed.map(print)),
    ...printList('Pages moved', moved),
    ...printList('Pages removed', pages.removed.map(print)),
  ]
  return lists.length === 0 ? ['No page has changed.'] : lists
}

function printApi({ api, isApiComplete }: SiteChanges): readonly string[] {
  const lines = api.flatMap(printFile)
  const unlisted = api.reduce((sum, { count, changes }) => sum + count - changes.length, 0)
  return [
    ...printList('API changes, oldest first', lines, unlisted),
    ...(isApiComplete ? [] : ['The API changes of some deployments are not known (yet).']),
    ...(isApiComplete && lines.length === 0 ? ['No API change is known.'] : []),
  ]
}

function printFile({ deployment, file, changes, problem }: ApiChangesOfFile): readonly string[] {
  const place = `(${oneLine(file)}, #${deployment})`
  const problems = problem === undefined ? [] : [`${oneLine(problem)} ${place}`]
  const sentences = changes.map(({ level, message, operations, operationCount }) => {
    const rest = operationCount - operations.length
    const more = rest > 0 ? ` and ${rest} more` : ''
    const names = operations.length === 0 ? '' : `${operations.map(oneLine).join(', ')}${more}: `
    return `${level}: ${names}${oneLine(message)} ${place}`
  })
  return [...problems, ...sentences]
}

/** Prints the first lines and the number of the others. `unlisted` more lines exist elsewhere. */
function printList(title: string, lines: readonly string[], unlisted = 0): readonly string[] {
  if (lines.length === 0) return []
  const shown = lines.slice(0, LISTED_MAX).map((line) => `- ${line}`)
  const rest = lines.length - shown.length + unlisted
  const more = rest > 0 ? [`- and ${rest} more`] : []
  return [`## ${title}\n\n${[...shown, ...more].join('\n')}`]
}
