/**
 * Opens a deployment for one reader. Pages that the reader may not see, and pages of other
 * languages and versions, are never loaded, so no later step can rank, quote or name them.
 */
import { labelsOf, type ManifestRoot, type Reader } from '@octavo/model'
import { cutChunks } from './cut-chunks.ts'
import { cutSection } from './cut-section.ts'
import type { LibraryFiles } from './deployment-reader.ts'
import { findContext } from './find-context.ts'
import { findMatches } from './find-matches.ts'
import { LibraryMeter } from './library-meter.ts'
import { loadShelves, type ScopeView } from './load-shelves.ts'
import { Pace } from './pace.ts'
import { createPageMap, isUnder } from './page-map.ts'
import type { PageSections } from './parse-sections.ts'
import {
  embedsLanguage,
  type LibraryView,
  QuestionRanking,
  type QuestionVectors,
  type RankedQuestion,
} from './question-ranking.ts'
import { readMarkdown } from './read-markdown.ts'
import type { LibrarySection, SearchOptions, SiteLibrary, WantedSections } from './site-library.ts'

/** Maximum characters of a section in a result. */
const RESULT_LENGTH_MAX = 50_000
/** Maximum characters of a string to search for literally. */
const GREP_LENGTH_MAX = 200
/** Number of characters to search between two pauses. */
const UNPAUSED_LENGTH = 1_000_000
/** Matches characters with a special meaning in regular expressions. */
const OPERATOR = /[\\^$.*+?()[\]{}|/]/g

/** A library with additional methods for the process that opened it. */
export type OpenedLibrary = SiteLibrary & {
  /** Returns the sections of the best pages with the signals that rank them. */
  readonly rankSections: (question: string, page?: string) => Promise<RankedQuestion>
  /** Returns the current estimate of the memory used, which grows with use. */
  readonly countBytes: () => number
}

/**
 * Opens all indexes of one scope that the reader may read. Throws `UnreadableIndex` if an index is
 * invalid.
 */
export async function openLibrary(
  deployment: LibraryFiles,
  view: LibraryView,
): Promise<OpenedLibrary> {
  const meter = new LibraryMeter(view.heldBytesMax)
  const shelves = await loadShelves(deployment, view, meter)
  const pages = shelves.flatMap((shelf) => shelf.pages)
  const byUrl = new Map(pages.map((one) => [one.page.url, one]))
  const ranking = new QuestionRanking(shelves, view)
  const answering = {
    search: async (question: string, limit: number, options: SearchOptions = {}) => {
      const found = (await ranking.search(question)).slice(0, limit)
      const cut = cutText(options.textLengthMax)
      return found.map(({ section, score }) => ({ section: cut(section), score }))
    },
    rankSections: (question: string, page?: string) => ranking.rankSections(question, page),
    read: (url: string) => readUrl(url, { deployment, view, byUrl }),
  }
  const map = createPageMap(pages.map(({ page }) => page))
  return {
    ...map,
    ...answering,
    vectorBytes: ranking.vectorBytes,
    countBytes: () => meter.heldBytes + ranking.cacheBytes,
    findContext: (question, wanted) => findContext(question, wanted, { ...map, ...answering }),
    findMatches: async (question, options) =>
      findMatches(await ranking.rankSections(question, options?.page), answering.read, options),
    grep: async (text, wanted) => {
      const found = await grepSections(pages, text, { ...wanted, pause: view.pause })
      return found.map(cutText())
    },
  }
}

/** Returns the texts to embed, for all pages of a scope that a reader may read. */
export async function embeddingTexts(
  deployment: LibraryFiles,
  view: ScopeView,
  model: Pick<QuestionVectors, 'isOtherModel'> = {},
): Promise<readonly string[]> {
  const shelves = await loadShelves(deployment, view)
  return shelves
    .filter(({ language }) => embedsLanguage(language, model))
    .flatMap(({ sections }) => sections.flatMap(cutChunks))
}

/**
 * Returns a reader with access to all of a deployment. A library only looks up the vectors of text
 * that it contains, so a shared vector store never reveals text to a reader without access.
 */
export function readerWithFullAccess({ search }: Pick<ManifestRoot, 'search'>): Reader {
  const labels = search.flatMap(({ access }) => labelsOf(access))
  const groups = labels.flatMap((label) => (typeof label === 'string' ? [] : label))
  return { hasSiteAccess: true, groups: new Set(groups) }
}

function cutText(lengthMax = RESULT_LENGTH_MAX) {
  const most = Math.min(lengthMax, RESULT_LENGTH_MAX)
  return (section: LibrarySection): LibrarySection =>
    section.text.length <= most
      ? section
      : { ...section, text: section.text.slice(0, most).toWellFormed() }
}

type ReadContext = {
  readonly deployment: LibraryFiles
  readonly view: LibraryView
  readonly byUrl: ReadonlyMap<string, PageSections>
}

async function readUrl(
  url: string,
  { deployment, view, byUrl }: ReadContext,
): Promise<string | undefined> {
  const [address = '', id = ''] = url.split('#', 2)
  const found = byUrl.get(address.replace(/(?<=.)\/+$/, ''))
  if (found === undefined) return undefined
  const markdown = await readMarkdown(deployment, view.reader, found.page.path)
  if (id === '') return markdown ?? printSections(found)
  const section = found.sections.find((one) => one.id === id)
  if (section === undefined) return undefined
  const sameName = found.sections.filter(
    (one) => one.id !== '' && one.headings.at(-1) === section.headings.at(-1),
  )
  const cut = markdown && cutSection(markdown, section, sameName.indexOf(section))
  return cut || printSection(section)
}

function printSections({ page, sections }: PageSections): string {
  return [`# ${page.title}`, ...sections.map(printSection)].join('\n\n')
}

function printSection({ headings, text }: LibrarySection): string {
  const heading = headings.at(-1)
  return heading === undefined ? text : `## ${heading}\n\n${text}`
}

/**
 * Searches for a literal string. An escaped, case-insensitive expression avoids a lowercase copy of
 * every section, but may still take a second per megabyte if string and section are repetitive.
 */
async function grepSections(
  pages: readonly PageSections[],
  text: string,
  { limit, under, pause }: WantedSections & Pick<LibraryView, 'pause'>,
): Promise<readonly LibrarySection[]> {
  const wanted = text.slice(0, GREP_LENGTH_MAX).toWellFormed()
  const found: LibrarySection[] = []
  if (wanted.trim() === '') return found
  const literal = new RegExp(wanted.replaceAll(OPERATOR, '\\$&'), 'iu')
  const pace = new Pace(pause, UNPAUSED_LENGTH)
  for (const { page, sections } of pages) {
    if (!isUnder(page, under)) continue
    for (const section of sections) {
      if (found.length >= limit) return found
      const { headings, text: own } = section
      if (literal.test(own) || literal.test(headings.at(-1) ?? '')) found.push(section)
      await pace.after(own.length)
    }
  }
  return found
}
