import { scrollIntoContainer } from './contents.ts'

const KEY = 'octavo-sidebar'

/** Restores the scroll position of the sidebar and keeps the current page visible in it. */
export function restoreSidebarScroll(): void {
  const sidebar = document.querySelector<HTMLElement>('.oct-sidebar')
  if (sidebar === null) return
  try {
    sidebar.scrollTop = Number(sessionStorage.getItem(KEY))
    addEventListener('pagehide', () => sessionStorage.setItem(KEY, `${sidebar.scrollTop}`))
  } catch {
    // If storage is disabled, the sidebar starts at the top.
  }
  const current = sidebar.querySelector<HTMLElement>('[aria-current=page]')
  if (current !== null) scrollIntoContainer(current)
}
