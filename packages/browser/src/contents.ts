/** The distance of a line from the top of the window. It crosses the current section. */
const LINE_PX = 175

/** Highlights the section that is being read in the table of contents or the bar of sections. */
export function highlightCurrentSection(): void {
  const sections: [heading: HTMLElement, link: HTMLAnchorElement][] = []
  for (const link of document.querySelectorAll<HTMLAnchorElement>(
    '.oct-contents a,.oct-sections a',
  )) {
    const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)))
    if (heading !== null) sections.push([heading, link])
  }
  let current: HTMLAnchorElement | undefined
  const mark = () => {
    const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2
    // Headings in closed tabs have no position on the screen.
    const shown = sections.filter(([heading]) => heading.checkVisibility())
    const passed = shown.filter(([heading]) => heading.getBoundingClientRect().top < LINE_PX)
    const next = ((isAtEnd && scrollY > 0 ? shown : passed).at(-1) ?? shown[0])?.[1]
    if (next === current) return
    current?.removeAttribute('aria-current')
    next?.setAttribute('aria-current', 'true')
    current = next
    if (next !== undefined) scrollIntoContainer(next)
  }
  // The observer calls `mark` when a heading crosses the line or the bottom edge, instead of for
  // each scroll event.
  const observer = new IntersectionObserver(mark, { rootMargin: `-${LINE_PX}px 0px 0px` })
  for (const [heading] of sections) observer.observe(heading)
  addEventListener('scrollend', mark)
}

/**
 * Scrolls the container of a link, such as a long list, to the link; `scrollIntoView` would also
 * scroll the page.
 */
export function scrollIntoContainer(link: HTMLElement): void {
  let box = link.parentElement
  while (box !== null && !/auto|scroll/.test(getComputedStyle(box).overflowY))
    box = box.parentElement
  if (box === null || box === document.body || box === document.documentElement) return
  const inner = link.getBoundingClientRect()
  const outer = box.getBoundingClientRect()
  if (inner.top < outer.top || inner.bottom > outer.bottom)
    box.scrollTop += inner.top - outer.top - outer.height / 2
}
