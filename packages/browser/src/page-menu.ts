/** Page menu entries that need the page's Markdown. Loaded when one is chosen. */

/** Loads the Markdown of the entry's page. */
export async function loadPage({ dataset: { url = '' } }: HTMLElement): Promise<string> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return response.text()
}

/** Placeholders written by frame/page-menu.ts. */
const ORIGIN = '%7Borigin%7D'
const PAGE = '%7Bpage%7D'

/** Opens a link whose URL contains the origin or the text of this page. */
export async function handOff(link: HTMLAnchorElement): Promise<void> {
  const written = link.getAttribute('href') ?? ''
  const page = written.includes(PAGE) ? await loadPage(link) : ''
  const href = written
    .replaceAll(ORIGIN, encodeURIComponent(location.origin))
    .replaceAll(PAGE, () => encodeURIComponent(page))
  open(href, '_blank', 'noopener')
}
