/**
 * Enhances the navigation: prefetches pages, adds keyboard support to menus and drawers, and keeps
 * groups open. Loaded when a reader first interacts with it.
 */

/** Below this time, the pointer is only passing over a link. */
const DWELL_MS = 65
const PREFETCHED_MAX = 30

/** Prefetches a page that the reader is likely to open. */
export function prefetch(link: HTMLAnchorElement, isTouched: boolean): void {
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
  const pageExists = before.some((link) => link.getAttribute('href') === href)
  if (pageExists || before.length >= PREFETCHED_MAX) return
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

/** Called when a menu or drawer opens; its listeners are removed when it closes. */
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
      // Closes when the focus moves to content that it covers.
      if (!isOwn(target)) popover.hidePopover()
    },
    { signal },
  )
  if (popover.matches('.oct-menu ul')) followKeys(popover, isOwn, signal)
  else if (popover.matches('.oct-sidebar'))
    (
      popover.querySelector<HTMLElement>('[aria-current=page]') ??
      popover.querySelector<HTMLElement>('a')
    )?.focus()
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
 * Remembers that the reader opened or closed a group; the inline script in the head restores it.
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
    // Storage is disabled: the state applies to this page only.
  }
}
