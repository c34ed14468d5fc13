/**
 * Enhances the navigation: prefetches what a reader is likely to need, adds keyboard support to
 * menus and drawers, and keeps groups open. It is loaded when a reader first uses the navigation.
 */

/** If the pointer leaves a link within this time, it was only passing over it. */
const DWELL_MS = 65
const PREFETCHED_MAX = 30

/** Prefetches a page that the reader is likely to open, and the rest of a large sidebar. */
export function prepare(control: Element, isTouched: boolean): void {
  if (control.matches('.oct-menu-button')) void import('./drawer.ts')
  if (control.closest('.oct-sidebar:has([data-tree])'))
    void import('./sidebar-tree.ts').then(({ completeSidebar }) => completeSidebar())
  if (control instanceof HTMLAnchorElement) prefetch(control, isTouched)
}

function prefetch(link: HTMLAnchorElement, isTouched: boolean): void {
  if (isTouched) addPrefetch(link)
  else
    setTimeout(() => {
      if (link.matches(':hover, :focus')) addPrefetch(link)
    }, DWELL_MS)
}

function addPrefetch({ origin, pathname, search, target, download }: HTMLAnchorElement): void {
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } }
  const isPage = !/\.\w+$/.test(pathname) && target === '' && download === ''
  const isOther = origin === location.origin && pathname !== location.pathname
  if (!isPage || !isOther || connection?.saveData === true) return
  const href = pathname + search
  const before = [...document.querySelectorAll('link[rel=prefetch]')]
  const isPrefetched = before.some((link) => link.getAttribute('href') === href)
  if (isPrefetched || before.length >= PREFETCHED_MAX) return
  const hint = document.createElement('link')
  hint.rel = 'prefetch'
  hint.href = href
  document.head.append(hint)
}

const KEYS: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowDown: (index, count) => (index + 1) % count,
  ArrowUp: (index, count) => (index <= 0 ? count : index) - 1,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** Adds listeners to a menu or drawer that has opened. They are removed when it closes. */
export function followPopover(popover: HTMLElement): void {
  const opener = document.querySelector<HTMLElement>(`[popovertarget="${popover.id}"]`)
  const end = new AbortController()
  const { signal } = end
  const isOwn = (node: unknown) =>
    node instanceof Node && (popover.contains(node) || opener?.contains(node) === true)
  popover.addEventListener('toggle', () => end.abort(), { signal })
  document.addEventListener(
    'focusin',
    ({ target }) => {
      // The popover closes when the focus moves to content that it covers.
      if (!isOwn(target)) popover.hidePopover()
    },
    { signal },
  )
  if (popover.matches('.oct-menu ul')) followKeys(popover, isOwn, signal)
  else if (popover.matches('.oct-sidebar'))
    void import('./drawer.ts').then(({ openDrawer }) => openDrawer(popover))
}

function followKeys(menu: HTMLElement, isOwn: (node: unknown) => boolean, signal: AbortSignal) {
  document.addEventListener(
    'keydown',
    (event) => {
      const entries = [...menu.querySelectorAll<HTMLElement>('a, button')]
      const move = KEYS[event.key]
      if (move === undefined || !isOwn(event.target)) return
      event.preventDefault()
      const index = entries.indexOf(document.activeElement as HTMLElement)
      entries[move(index, entries.length)]?.focus()
    },
    { signal },
  )
}

const GROUPS_KEY = 'octavo-groups'
const GROUPS_MAX = 200

/**
 * Stores whether the reader opened or closed a group; the inline script in the head restores it.
 */
export function keepGroup(group: HTMLDetailsElement, isOpen: boolean): void {
  const summary = group.firstElementChild
  const name = `${summary?.ariaLabel ?? summary?.textContent} ${group.querySelector('a')?.getAttribute('href')}`
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(GROUPS_KEY) ?? '{}')
    const { [name]: _, ...others } = kept as Readonly<Record<string, boolean>>
    const groups = [...Object.entries(others), [name, isOpen] as const].slice(-GROUPS_MAX)
    sessionStorage.setItem(GROUPS_KEY, JSON.stringify(Object.fromEntries(groups)))
  } catch {
    // If storage is disabled, the state applies to this page only.
  }
}
