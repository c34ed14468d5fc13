/** Entries of the page menu that need the page as Markdown. Loaded when one is chosen. */

/** The page that the entry is about, as Markdown. */
export async function loadPage({ dataset: { url = '' } }: HTMLElement): Promise<string> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return response.text()
}

/** As frame/page-menu.ts writes them. */
const ORIGIN = '%7Borigin%7D'
const PAGE = '%7Bpage%7D'

/** Opens a link whose address needs the address or the text of this page. */
export async function handOff(link: HTMLAnchorElement): Promise<void> {
  const written = link.getAttribute('href') ?? ''
  const page = written.includes(PAGE) ? await loadPage(link) : ''
  const href = written
    .replaceAll(ORIGIN, encodeURIComponent(location.origin))
    .replaceAll(PAGE, () => encodeURIComponent(page))
  open(href, '_blank', 'noopener')
}
