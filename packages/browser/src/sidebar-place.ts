import { keepInSight } from './contents.ts'

const KEY = 'octavo-sidebar'

/** The sidebar stays where the reader had scrolled it, and the page itself is always in sight. */
export function keepSidebarPlace(): void {
  const sidebar = document.querySelector<HTMLElement>('.oct-sidebar')
  if (sidebar === null) return
  try {
    sidebar.scrollTop = Number(sessionStorage.getItem(KEY))
    addEventListener('pagehide', () => sessionStorage.setItem(KEY, `${sidebar.scrollTop}`))
  } catch {
    // Storage is switched off: it starts at the top.
  }
  const current = sidebar.querySelector<HTMLElement>('[aria-current=page]')
  if (current !== null) keepInSight(current)
}
