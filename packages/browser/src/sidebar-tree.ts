/**
 * Completes a large sidebar, in which pages have only links into collapsed groups. The lists of a
 * section are one file. They are stored for the next pages, on which an inline script inserts them
 * (`theme/frame/sidebar-tree.ts`).
 */

/** The files that are loaded or loading. */
const ASKED = new Set<string>()

export async function completeSidebar(): Promise<void> {
  const sidebar = document.querySelector('.oct-sidebar')
  const url = omitted(sidebar)?.dataset.tree?.split('#')[0]
  if (!sidebar || !url || ASKED.has(url)) return
  ASKED.add(url)
  try {
    const response = await fetch(url)
    if (!response.ok) throw new Error(url)
    const text = await response.text()
    insertLists(sidebar, JSON.parse(text) as readonly string[])
    sessionStorage.setItem(`octavo-tree ${url}`, text)
  } catch {
    // The links into the groups remain, and the next use of the sidebar tries again. If only the
    // storage is disabled, nothing is missing any more.
    ASKED.delete(url)
  }
}

function insertLists(sidebar: Element, lists: readonly string[]): void {
  const focused = document.activeElement
  for (let list = omitted(sidebar); list; list = omitted(sidebar))
    list.outerHTML = lists[Number(list.dataset.tree?.split('#')[1])] ?? ''
  if (focused?.isConnected === false)
    sidebar
      .querySelector<HTMLElement>(`a[href="${CSS.escape(focused.getAttribute('href') ?? '')}"]`)
      ?.focus()
}

function omitted(sidebar: Element | null): HTMLElement | null | undefined {
  return sidebar?.querySelector<HTMLElement>('[data-tree]')
}
