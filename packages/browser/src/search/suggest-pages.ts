/** Suggests pages on the 404 page. */

import { SITE_BASE, siteAddress } from '../page/site-base.ts'
import type { SearchSession } from './search-session.ts'

const SUGGESTIONS_MAX = 5
const WORDS_MAX = 12

/** Fills the list with search results for the words in the URL. */
export async function suggestPages(Session: typeof SearchSession): Promise<void> {
  const list = document.querySelector<HTMLElement>('#oct-suggestions')
  const button = document.querySelector<HTMLElement>('[data-oct=search]')
  if (list === null || button === null) return
  const session = new Session(button.dataset.index ?? '')
  for (const query of queriesOf(location.pathname)) {
    const answer = await session.ask(query, () => true)
    const pages = new Map(answer?.hits.map(({ page }) => [page.url, page.title]))
    if (pages.size === 0) continue
    const links = [...pages].slice(0, SUGGESTIONS_MAX).map(([url, title]) => {
      const link = document.createElement('a')
      link.href = siteAddress(url)
      link.textContent = title
      const item = document.createElement('li')
      item.append(link)
      return item
    })
    list.querySelector('ul')?.append(...links)
    list.hidden = false
    return
  }
}

/**
 * Returns the queries for a path: its last part says most; the others are used if it finds no page.
 */
export function queriesOf(pathname: string): readonly string[] {
  const path = pathname.startsWith(`${SITE_BASE}/`) ? pathname.slice(SITE_BASE.length) : pathname
  // The 404 page itself, viewed by its author.
  if (/^\/404(?:\.html)?\/?$/.test(path)) return []
  const parts = decode(path)
    .replace(/\.(?:html?|mdx?)$/, '')
    .split('/')
    .map((part) => wordsOf(part).join(' '))
    .filter((part) => part !== '' && part !== 'index')
  return [...new Set([parts.at(-1) ?? '', ...parts.toReversed().slice(1)])].filter(Boolean)
}

/** `getting-started`, `getting_started` and `gettingStarted` are two words each. */
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
