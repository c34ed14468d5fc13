/** Suggests similar pages on the 404 page. */

import { SITE_BASE, siteAddress } from '../page/site-base.ts'
import type { SearchSession } from './search-session.ts'

const SUGGESTIONS_MAX = 5
/**
 * How similar a name must be to the query. A page that only mentions the words in its text is not
 * suggested.
 */
const LIKENESS_MIN = 0.6
const WORDS_MAX = 12

/** Fills the list of suggestions with search results for the words in the URL. */
export async function suggestPages(Session: typeof SearchSession): Promise<void> {
  const list = document.querySelector<HTMLElement>('#oct-suggestions')
  const button = document.querySelector<HTMLElement>('[data-oct=search]')
  if (list === null || button === null) return
  const session = new Session(button.dataset.index ?? '')
  for (const query of queriesOf(location.pathname)) {
    const answer = await session.ask(query, () => true)
    const pages = new Map(answer?.hits.map(({ page }) => [page.url, page.title]))
    const links = [...pages]
      // The index can be older than the removal of the requested page.
      .filter(([url]) => siteAddress(url) !== location.pathname)
      .filter(([url, title]) => likeness(query, `${title} ${url}`) >= LIKENESS_MIN)
      .slice(0, SUGGESTIONS_MAX)
      .map(([url, title]) => {
        const link = document.createElement('a')
        link.href = siteAddress(url)
        link.textContent = title
        // Pages in several versions or languages often have the same title, so the path is shown
        // too.
        const path = document.createElement('small')
        path.textContent = url
        const item = document.createElement('li')
        item.append(link, path)
        return item
      })
    if (links.length === 0) continue
    list.querySelector('ul')?.append(...links)
    list.hidden = false
    return
  }
}

/**
 * Returns queries for a path. The last part is the most specific one; the others are used if it
 * finds no page.
 */
export function queriesOf(pathname: string): readonly string[] {
  const path = pathname.startsWith(`${SITE_BASE}/`) ? pathname.slice(SITE_BASE.length) : pathname
  // The author is viewing the 404 page itself.
  if (/^\/404(?:\.html)?\/?$/.test(path)) return []
  const parts = decode(path)
    .replace(/\.(?:html?|mdx?)$/, '')
    .split('/')
    .map((part) => wordsOf(part).join(' '))
    .filter((part) => part !== '' && part !== 'index')
  return [...new Set([parts.at(-1) ?? '', ...parts.toReversed().slice(1)])].filter(Boolean)
}

/**
 * Returns how similar a name is to a query, from 0 to 1, as the average over the words of the
 * query.
 */
export function likeness(query: string, name: string): number {
  const given = wordsOf(name).map(pairsOf)
  const shares = wordsOf(query).map((word) => {
    const pairs = pairsOf(word)
    const shared = (other: readonly string[]) => pairs.filter((pair) => other.includes(pair)).length
    return Math.max(...given.map((other) => (2 * shared(other)) / (pairs.length + other.length)))
  })
  return shares.reduce((sum, share) => sum + share, 0) / shares.length
}

/** Returns the pairs of letters in a word: similar words have most pairs in common. */
function pairsOf(word: string): readonly string[] {
  const letters = [...` ${word.toLowerCase()}`]
  return letters.slice(1).map((letter, index) => `${letters[index]}${letter}`)
}

/**
 * Splits text into words; `getting-started`, `getting_started` and `gettingStarted` are two words
 * each.
 */
function wordsOf(part: string): readonly string[] {
  const words = part.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').match(/[\p{L}\p{M}\p{N}]+/gu)
  return (words ?? []).slice(0, WORDS_MAX)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
