/**
 * A deployment as one reader may ask it. What the reader may not see, and pages of other languages
 * and versions, are never loaded, so nothing behind this file can rank, quote or name them.
 */
import { labelsOf } from '@octavo/model'
import { cutChunks } from './cut-chunks.ts'
import { cutSection } from './cut-section.ts'
import type { DeploymentReader } from './deployment-reader.ts'
import { loadShelf, loadShelves, type ScopeView, type Shelf } from './load-shelves.ts'
import type { PageSections } from './parse-sections.ts'
import { embedsLanguage, QuestionRanking, type QuestionVectors } from './question-ranking.ts'
import { readMarkdown } from './read-markdown.ts'
import type { LibraryPage, LibrarySection, SiteLibrary } from './site-library.ts'

export type LibraryView = ScopeView & {
  /** Finds by meaning too, where the model knows the language. */
  readonly vectors?: QuestionVectors | undefined
}

/** Characters of a text that is looked for literally. */
const GREP_LENGTH_MAX = 200
/** Characters that mean something in an expression. */
const OPERATOR = /[\\^$.*+?()[\]{}|/]/g

/** Opens all indexes of one scope that the reader may read. */
export async function openLibrary(
  deployment: DeploymentReader,
  view: LibraryView,
): Promise<SiteLibrary> {
  const shelves = await loadShelves(deployment, view)
  const pages = shelves.flatMap((shelf) => shelf.pages)
  const byUrl = new Map(pages.map((one) => [one.page.url, one]))
  const ranking = new QuestionRanking(shelves, view.vectors)
  return {
    vectorBytes: ranking.vectorBytes,
    pages: pages.map(({ page }) => page),
    search: async (question, limit) => (await ranking.rank(question)).slice(0, limit),
    support: (question) => ranking.support(question),
    read: (url) => readUrl(url, { deployment, view, byUrl }),
    grep: (text, limit, isWanted) => grepSections(pages, text, { limit, isWanted }),
  }
}

/** The texts that vectors are made of, for all that a reader may read of a scope. English only. */
export async function libraryChunks(
  deployment: DeploymentReader,
  view: ScopeView,
): Promise<readonly string[]> {
  return chunksOf(await loadShelves(deployment, view), {})
}

/**
 * The same for all readers and scopes, one index at a time. Whoever keeps vectors of them gives a
 * library those that it asks for by their text, so it gets none of a text that it does not have.
 */
export async function* deploymentChunks(
  deployment: DeploymentReader,
  model: Pick<QuestionVectors, 'isOtherModel'>,
): AsyncGenerator<readonly string[], void> {
  const { search } = deployment.root
  const labels = search.flatMap(({ access }) => labelsOf(access))
  const groups = labels.flatMap((label) => (typeof label === 'string' ? [] : label))
  const reader = { isLetIn: true, groups: new Set(groups) }
  for (const place of search) {
    const shelf = await loadShelf(deployment, { reader }, place)
    if (shelf !== undefined) yield chunksOf([shelf], model)
  }
}

function chunksOf(
  shelves: readonly Shelf[],
  model: Pick<QuestionVectors, 'isOtherModel'>,
): readonly string[] {
  return shelves
    .filter(({ language }) => embedsLanguage(language, model))
    .flatMap(({ sections }) => sections.flatMap(cutChunks))
}

type ReadContext = {
  readonly deployment: DeploymentReader
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

type GrepOptions = {
  readonly limit: number
  readonly isWanted: ((page: LibraryPage) => boolean) | undefined
}

/**
 * A literal search, so its time grows with the length of all texts alone, whatever is looked for. The
 * expression has no operator, and spares a copy of every section in small letters.
 */
function grepSections(
  pages: readonly PageSections[],
  text: string,
  { limit, isWanted = () => true }: GrepOptions,
): readonly LibrarySection[] {
  const wanted = text.slice(0, GREP_LENGTH_MAX).toWellFormed()
  const found: LibrarySection[] = []
  if (wanted.trim() === '') return found
  const literal = new RegExp(wanted.replaceAll(OPERATOR, '\\$&'), 'iu')
  for (const { page, sections } of pages) {
    if (!isWanted(page)) continue
    for (const section of sections) {
      if (found.length >= limit) return found
      const { headings, text: own } = section
      if (literal.test(own) || literal.test(headings.at(-1) ?? '')) found.push(section)
    }
  }
  return found
}
