import { type Access, type AccessRange, accessOfAny, labelsOf } from '@octavo/model'
import type { BasePath } from '@octavo/theme'
import type { PlannedPage } from '../plan/plan-pages.ts'
import { LabelledText } from './labelled-text.ts'

/**
 * Maximum length of a description in characters. Longer ones are shortened, since agents have
 * limited context.
 */
const DESCRIPTION_LENGTH_MAX = 300

/** Maximum length of a list in characters, because agents truncate longer files. */
export const LLMS_LENGTH_MAX = 50_000

type LlmsLink = {
  readonly label: string
  readonly url: string
  readonly access: Access
}

export type LlmsInput = {
  readonly name: string
  readonly description: string | undefined
  /** The value of `markdown.instructions` in docs.json. */
  readonly instructions?: string | readonly string[] | undefined
  readonly pages: readonly PlannedPage[]
  /** Further lists of pages, if one list cannot hold all of them. */
  readonly pageLists?: readonly LlmsLink[]
  readonly specifications: readonly { readonly path: string; readonly access: Access }[]
  /** Lists for parts of the site. */
  readonly parts: readonly LlmsLink[]
  /** Determines who may read the list. */
  readonly access: Access
  readonly basePath: BasePath
}

/** A line and who may see it; undefined means all readers of the list. */
type Line = { readonly text: string; readonly access: Access | undefined }

export type LlmsText = { readonly text: string; readonly ranges: readonly AccessRange[] }

/**
 * Prints `llms.txt`: the site, and the URL of each page's Markdown, in the order of the navigation.
 * Descriptions are omitted from a list that would be too long with them.
 */
export function llmsTxt(input: LlmsInput): LlmsText {
  const { name, description, pages, pageLists = [], specifications, parts } = input
  const instructions = [input.instructions ?? []].flat().filter((line) => line !== '')
  const head = [
    plain(`# ${oneLine(name)}`),
    ...(description === undefined ? [] : [plain(''), plain(`> ${oneLine(description)}`)]),
    ...instructions.flatMap((line) => [plain(''), plain(oneLine(line))]),
  ]
  const tail = [
    ...list('Pages', pageLists.map(linkLine)),
    ...list('Sections', parts.map(linkLine)),
    ...list(
      'OpenAPI',
      specifications.map(({ path, access: own }) => {
        return { text: link(path, encodeURI(`/${path}`)), access: own }
      }),
    ),
  ]
  const { access, basePath } = input
  const prefix = basePath.whole('/').length
  const room = LLMS_LENGTH_MAX - lengthOf([...head, ...tail], prefix)
  const out = new LabelledText(access)
  for (const line of [...head, ...list('Docs', pageLines(pages, { room, prefix })), ...tail]) {
    out.add(basePath.markdown(`${line.text}\n`), line.access)
  }
  return out.done()
}

/** Splits pages into lists that are short enough, or returns one list if all pages fit. */
export function cutPages(
  pages: readonly PlannedPage[],
  basePath: BasePath,
): readonly (readonly PlannedPage[])[] {
  const prefix = basePath.whole('/').length
  const room = LLMS_LENGTH_MAX - HEAD_LENGTH
  const short = pages.map(shortLine)
  if (lengthOf(short, prefix) <= room) return [pages]
  const lists: PlannedPage[][] = []
  let left = 0
  for (const page of pages) {
    const length = lengthOf([fullLine(page)], prefix)
    if (length > left) {
      lists.push([])
      left = room
    }
    left -= length
    lists.at(-1)?.push(page)
  }
  return lists
}

/** Number of characters to reserve for the other parts of a list. */
const HEAD_LENGTH = 5_000

function pageLines(
  pages: readonly PlannedPage[],
  { room, prefix }: { readonly room: number; readonly prefix: number },
): readonly Line[] {
  const full = pages.map(fullLine)
  return lengthOf(full, prefix) <= room ? full : pages.map(shortLine)
}

function shortLine({ title, url, access }: PlannedPage): Line {
  return { text: link(title, markdownUrl(url)), access }
}

function fullLine(page: PlannedPage): Line {
  const { description, access } = page
  const about = description === undefined ? '' : `: ${shorten(oneLine(description))}`
  return { text: shortLine(page).text + about, access }
}

function linkLine({ label, url, access }: LlmsLink): Line {
  return { text: link(label, url), access }
}

/**
 * Returns a list with its heading. Readers who may not see any line of the list do not see the
 * heading.
 */
function list(title: string, lines: readonly Line[]): readonly Line[] {
  if (lines.length === 0) return []
  const labels = lines.map(({ access }) => access && labelsOf(access))
  const access = labels.includes(undefined)
    ? undefined
    : accessOfAny(labels.flatMap((some) => some ?? []))
  return [...['', `## ${title}`, ''].map((text) => ({ text, access })), ...lines]
}

/** Returns a line that all readers of the list may see. */
function plain(text: string): Line {
  return { text, access: undefined }
}

function link(text: string, url: string): string {
  return `- [${linkText(text)}](${url})`
}

/**
 * Returns the length of lines in the output, in which each URL has an additional prefix of the
 * given length.
 */
function lengthOf(lines: readonly Line[], prefix: number): number {
  return lines.reduce((sum, { text }) => sum + text.length + 1 + prefix, 0)
}

/** Returns the URL at which a page is served as Markdown. */
export function markdownUrl(url: string): string {
  return url === '/' ? '/index.md' : `${url}.md`
}

function oneLine(text: string): string {
  // A single space is not replaced, because this runs several times for each page.
  return text.replaceAll(/\s{2,}|[^\S ]/g, ' ').trim()
}

function linkText(text: string): string {
  return oneLine(text).replaceAll(/[[\]]/g, '\\$&')
}

function shorten(text: string): string {
  if (text.length <= DESCRIPTION_LENGTH_MAX) return text
  return `${text.slice(0, DESCRIPTION_LENGTH_MAX).trimEnd()}…`
}
