import {
  createPageMap,
  findContext,
  findPassage,
  isUnder,
  type LibraryPage,
  type LibrarySection,
  type SiteLibrary,
} from '@octavo/search'

/**
 * Creates a library of pages with one section each, which are found by the words they share with a
 * question.
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
    findPassage: (question) => findPassage(question, { search, read }),
    grep: async (text, { limit, under }) => {
      asked.push(`grep ${text}`)
      const found = sections.filter(
        (section) => section.text.includes(text) && isUnder(section.page, under),
      )
      return found.slice(0, limit)
    },
  }
}
