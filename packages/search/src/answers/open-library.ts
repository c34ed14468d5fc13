/**
 * A deployment as one reader may ask it. What the reader may not see, and pages of other languages
 * and versions, are never loaded, so nothing behind this file can rank, quote or name them.
 */
import { cutChunks } from './cut-chunks.ts'
import { cutSection } from './cut-section.ts'
import { type DeploymentReader, readAs } from './deployment-reader.ts'
import { loadShelves, type ScopeView } from './load-shelves.ts'
import type { PageSections } from './parse-sections.ts'
import { QuestionRanking, type QuestionVectors } from './question-ranking.ts'
import type { LibrarySection, SiteLibrary } from './site-library.ts'

export type LibraryView = ScopeView & {
  /** Finds by meaning too. They are of an English model, so other languages do without. */
  readonly vectors?: QuestionVectors | undefined
}

/** Characters of a text that is looked for literally. */
const GREP_LENGTH_MAX = 200

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
    pages: pages.map(({ page }) => page),
    search: async (question, limit) => (await ranking.rank(question)).slice(0, limit),
    support: (question) => ranking.support(question),
    read: (url) => readUrl(url, { deployment, view, byUrl }),
    grep: (text, limit) => grepSections(pages, text, limit),
  }
}

/** The texts that vectors are made of, for all that a reader may read of a scope. English only. */
export async function libraryChunks(
  deployment: DeploymentReader,
  view: ScopeView,
): Promise<readonly string[]> {
  const shelves = await loadShelves(deployment, view)
  const english = shelves.filter(({ language }) => language.code === 'en')
  return english.flatMap(({ sections }) => sections.flatMap(cutChunks))
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
  const bytes = await readAs(view.reader, deployment, `${found.page.path}.md`)
  const markdown = bytes && new TextDecoder().decode(bytes)
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

function grepSections(
  pages: readonly PageSections[],
  text: string,
  limit: number,
): readonly LibrarySection[] {
  const wanted = text.slice(0, GREP_LENGTH_MAX).toLowerCase()
  const found: LibrarySection[] = []
  if (wanted.trim() === '') return found
  for (const { sections } of pages) {
    for (const section of sections) {
      if (found.length >= limit) return found
      const { headings, text: own } = section
      if (`${headings.at(-1) ?? ''}\n${own}`.toLowerCase().includes(wanted)) found.push(section)
    }
  }
  return found
}
