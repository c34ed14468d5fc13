import {
  createPageMap,
  findContext,
  isUnder,
  type LibraryPage,
  type LibrarySection,
  nearestPages,
  type SiteLibrary,
  sourceOf,
} from '@octavo/search'

/**
 * Creates a library in memory, with one section per page. A search finds the sections that share
 * words with the question.
 */
export function memoryLibrary(
  texts: Readonly<Record<string, string>>,
): SiteLibrary & { readonly asked: string[] } {
  const asked: string[] = []
  const sections = Object.entries(texts).map(([url, text]): LibrarySection => {
    const title = url.slice(1)
    const page: LibraryPage = { path: title, url, title, description: `About ${title}`, trail: [] }
    return { page, id: 'main', headings: ['Main'], text }
  })
  const words = (text: string) => text.toLowerCase().match(/\w{4,}/g) ?? []
  const search: SiteLibrary['search'] = async (question, limit) => {
    asked.push(`search ${question}`)
    return sections
      .map((section) => {
        const has = new Set(words(section.text))
        return { section, score: words(question).filter((word) => has.has(word)).length }
      })
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
  }
  const read: SiteLibrary['read'] = async (url) => {
    asked.push(`read ${url}`)
    return texts[url.replace(/#main$/, '')]
  }
  const map = createPageMap(sections.map(({ page }) => page))
  return {
    asked,
    ...map,
    search,
    read,
    findContext: (question, wanted) => findContext(question, wanted, { ...map, search, read }),
    findMatches: async (question) => {
      const found = await search(question, 3)
      const matches = found.map(({ section }) => ({ ...sourceOf(section), text: section.text }))
      const hasAnswer = matches.length > 0
      const likelihood = hasAnswer ? 1 : 0
      return { matches, hasAnswer, likelihood, missing: [], nearest: nearestPages(found) }
    },
    grep: async (text, { limit, under }) => {
      asked.push(`grep ${text}`)
      const found = sections.filter(
        (section) => section.text.includes(text) && isUnder(section.page, under),
      )
      return found.slice(0, limit)
    },
  }
}
