/** Handles page menu entries that need the page's Markdown. Loaded when a reader chooses one. */

/** Loads the Markdown of the page that an entry refers to. */
export async function loadPage({ dataset: { url = '' } }: HTMLElement): Promise<string> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return response.text()
}

/** Placeholders in links, which frame/page-menu.ts writes. */
const ORIGIN = '%7Borigin%7D'
const PAGE = '%7Bpage%7D'

/** Opens a link in which the origin or the text of this page must be inserted. */
export async function handOff(link: HTMLAnchorElement): Promise<void> {
  const written = link.getAttribute('href') ?? ''
  const page = written.includes(PAGE) ? await loadPage(link) : ''
  const href = written
    .replaceAll(ORIGIN, encodeURIComponent(location.origin))
    .replaceAll(PAGE, () => encodeURIComponent(page))
  open(href, '_blank', 'noopener')
}
