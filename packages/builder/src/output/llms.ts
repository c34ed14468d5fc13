import type { PlannedPage } from '../plan/plan-pages.ts'

/** Longer descriptions are cut: the list is read by programs with little room. */
const DESCRIPTION_LENGTH_MAX = 300

/** Characters of one list. */
const LENGTH_MAX = 100_000

export type LlmsInput = {
  readonly name: string
  readonly description: string | undefined
  readonly pages: readonly PlannedPage[]
  readonly specifications: readonly string[]
  /** Lists of parts of the site. */
  readonly parts: readonly { readonly label: string; readonly url: string }[]
}

/**
 * `llms.txt`: what the site is and where each page is, as Markdown, in the order of the navigation. A
 * list that is too long for its readers says less of each page, then names fewer.
 */
export function llmsTxt(input: LlmsInput): string {
  const { name, description, pages, specifications, parts } = input
  const head = [
    `# ${oneLine(name)}`,
    ...(description === undefined ? [] : ['', `> ${oneLine(description)}`]),
  ]
  const tail = [
    ...list(
      'Sections',
      parts.map(({ label, url }) => link(label, url)),
    ),
    ...list(
      'OpenAPI',
      specifications.map((path) => link(path, encodeURI(`/${path}`))),
    ),
    '',
  ]
  const room = LENGTH_MAX - [...head, ...tail].join('\n').length
  return [...head, ...list('Docs', pageLines(pages, room)), ...tail].join('\n')
}

function pageLines(pages: readonly PlannedPage[], room: number): readonly string[] {
  const short = pages.map(({ title, url }) => link(title, markdownUrl(url)))
  const full = pages.map(({ description }, index) =>
    description === undefined
      ? (short[index] ?? '')
      : `${short[index]}: ${shorten(oneLine(description))}`,
  )
  if (lengthOf(full) <= room) return full
  if (lengthOf(short) <= room) return short
  let length = 0
  const fitting = short.findIndex((line) => {
    length += line.length + 1
    return length > room
  })
  const note = `- ${short.length - fitting} more pages are in the sections and in [llms-full.txt](/llms-full.txt).`
  return [...short.slice(0, fitting), note]
}

function list(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines]
}

function link(text: string, url: string): string {
  return `- [${linkText(text)}](${url})`
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, { length }) => sum + length + 1, 0)
}

/** Where the Markdown of a page is. */
export function markdownUrl(url: string): string {
  return url === '/' ? '/index.md' : `${url}.md`
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function linkText(text: string): string {
  return oneLine(text).replaceAll(/[[\]]/g, '\\$&')
}

function shorten(text: string): string {
  if (text.length <= DESCRIPTION_LENGTH_MAX) return text
  return `${text.slice(0, DESCRIPTION_LENGTH_MAX).trimEnd()}…`
}
