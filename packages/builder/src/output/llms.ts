import type { Access, AccessRange } from '@octavo/model'
import type { BasePath } from '@octavo/theme'
import type { PlannedPage } from '../plan/plan-pages.ts'
import { LabelledText } from './labelled-text.ts'

/** Longer descriptions are cut: the list is read by programs with little room. */
const DESCRIPTION_LENGTH_MAX = 300

/** Characters of one list. */
const LENGTH_MAX = 100_000

export type LlmsInput = {
  readonly name: string
  readonly description: string | undefined
  /** `markdown.instructions` of docs.json. */
  readonly instructions?: string | readonly string[] | undefined
  readonly pages: readonly PlannedPage[]
  readonly specifications: readonly { readonly path: string; readonly access: Access }[]
  /** Lists of parts of the site. */
  readonly parts: readonly {
    readonly label: string
    readonly url: string
    readonly access: Access
  }[]
  /** Who may read the list at all. */
  readonly access: Access
  readonly basePath: BasePath
}

/** A line that some do not see. */
type Line = { readonly text: string; readonly access: Access | undefined }

export type LlmsText = { readonly text: string; readonly ranges: readonly AccessRange[] }

/**
 * `llms.txt`: what the site is and where each page is, as Markdown, in the order of the navigation. A
 * list that is too long for its readers says less of each page, then names fewer.
 */
export function llmsTxt(input: LlmsInput): LlmsText {
  const { name, description, pages, specifications, parts, access, basePath } = input
  const instructions = [input.instructions ?? []].flat().filter((line) => line !== '')
  const head = [
    plain(`# ${oneLine(name)}`),
    ...(description === undefined ? [] : [plain(''), plain(`> ${oneLine(description)}`)]),
    ...instructions.flatMap((line) => [plain(''), plain(oneLine(line))]),
  ]
  const tail = [
    ...list(
      'Sections',
      parts.map(({ label, url, access: own }) => ({ text: link(label, url), access: own })),
    ),
    ...list(
      'OpenAPI',
      specifications.map(({ path, access: own }) => {
        return { text: link(path, encodeURI(`/${path}`)), access: own }
      }),
    ),
  ]
  const room = LENGTH_MAX - lengthOf([...head, ...tail])
  const out = new LabelledText(access)
  for (const line of [...head, ...list('Docs', pageLines(pages, room)), ...tail]) {
    out.add(basePath.markdown(`${line.text}\n`), line.access)
  }
  return out.done()
}

function pageLines(pages: readonly PlannedPage[], room: number): readonly Line[] {
  const short = pages.map(({ title, url, access }) => {
    return { text: link(title, markdownUrl(url)), access }
  })
  const full = pages.map(({ description, access }, index) => {
    const text = short[index]?.text ?? ''
    const about = description === undefined ? '' : `: ${shorten(oneLine(description))}`
    return { text: text + about, access }
  })
  if (lengthOf(full) <= room) return full
  if (lengthOf(short) <= room) return short
  let length = 0
  const fitting = short.findIndex((line) => {
    length += line.text.length + 1
    return length > room
  })
  const note = `- ${short.length - fitting} more pages are in the sections and in [llms-full.txt](/llms-full.txt).`
  return [...short.slice(0, fitting), plain(note)]
}

function list(title: string, lines: readonly Line[]): readonly Line[] {
  return lines.length === 0 ? [] : [plain(''), plain(`## ${title}`), plain(''), ...lines]
}

/** A line that everybody sees. */
function plain(text: string): Line {
  return { text, access: undefined }
}

function link(text: string, url: string): string {
  return `- [${linkText(text)}](${url})`
}

function lengthOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { text }) => sum + text.length + 1, 0)
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
