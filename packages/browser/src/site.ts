/**
 * The script of every page: small features that HTML alone cannot provide. One listener on the
 * document finds controls by `data-oct`, so tabs and code cost nothing on a page without them.
 * Features that are rarely used are loaded on demand.
 */

import { CHOSEN_TITLES } from './chosen-titles.ts'
import { highlightCurrentSection } from './contents.ts'
import { keep, read } from './local-storage.ts'
import { reveal, revealAddress } from './reveal-target.ts'
import { restoreSidebarScroll } from './sidebar-place.ts'
import { announce, word } from './status-line.ts'
import { applyColorScheme, switchTheme } from './theme-switch.ts'

type Action = (control: HTMLElement) => void

const ACTIONS: Readonly<Record<string, Action>> = {
  copy: (button) => void loadCopy().then(({ copyCode }) => copyCode(button, announceCopied)),
  theme: switchTheme,
  dismiss: (button) =>
    void import('./banner.ts').then(({ dismissBanner }) => dismissBanner(button, keep)),
  'copy-page': (button) =>
    void loadPageMenu()
      .then(({ loadPage }) => loadPage(button))
      .then(async (text) => (await loadCopy()).copyFor(button, text, announceCopied)),
  'hand-off': (link) =>
    void loadPageMenu().then(({ handOff }) => handOff(link as HTMLAnchorElement)),
  print: () => print(),
  search: (button) => {
    void loadSearch().then(({ openSearch }) =>
      openSearch({ button, storage: { read, keep }, closeLabel: word('close') }),
    )
  },
  find: () => document.querySelector<HTMLElement>('.oct-search')?.click(),
  zoom: (control) => {
    if (control.matches(`${PICTURE},button`))
      void loadZoom().then(({ zoom }) => zoom(control, word('close')))
  },
}

const loadSearch = () => import('./search/search-dialog.ts')
const loadPageMenu = () => import('./page-menu.ts')
const loadZoom = () => import('./zoom.ts')
const loadCopy = () => import('./page/copy.ts')
const announceCopied = () => announce(word('copied'))

/** Copies text and announces that it was copied. */
const copyAndAnnounce = (text: string) =>
  loadCopy()
    .then(({ copyText }) => copyText(text))
    .then(announceCopied)

/** Images that readers can enlarge. An image inside a link opens the link instead. */
const PICTURE = 'img[data-oct=zoom]:not(a *)'

function start(): void {
  // The inline script does the same while the page loads, but a policy may block it.
  for (const control of all('[data-oct][hidden]')) control.hidden = false
  if (has(PICTURE))
    void loadZoom().then(({ makeButton }) => {
      for (const image of all(PICTURE)) makeButton(image, word('enlarge'))
    })
  if (/^Mac|^iP/.test(navigator.platform))
    for (const key of all('.oct-search kbd')) key.textContent = '⌘K'
  revealAddress()
  applyColorScheme()
  highlightCurrentSection()
  restoreSidebarScroll()
  if (has('.oct-try,.oct-deeper'))
    void import('./api.ts').then((api) => api.startApi({ copyText: copyAndAnnounce }))
  if (has('.oct-tabs'))
    void import('./tabs.ts').then(({ upgradeTabs }) => {
      upgradeTabs(CHOSEN_TITLES)
      revealAddress()
    })
  if (has('[data-oct=mermaid]'))
    void import('./diagrams.ts').then(({ drawDiagrams }) => drawDiagrams(word))
  if (has('#oct-suggestions'))
    void Promise.all([loadSearch(), import('./search/suggest-pages.ts')]).then(
      ([{ SearchSession }, { suggestPages }]) => suggestPages(SearchSession),
    )
  if (has('[data-oct=tags],[data-oct=views]'))
    void import('./filters.ts').then(({ startFilters }) => startFilters(CHOSEN_TITLES))
}

function has(selector: string): boolean {
  return document.querySelector(selector) !== null
}

function all(selector: string): NodeListOf<HTMLElement> {
  return document.querySelectorAll<HTMLElement>(selector)
}

document.addEventListener('click', (event) => {
  const { target } = event
  if (!(target instanceof Element)) return
  const control = target.closest<HTMLElement>('[data-oct]')
  const name = control?.dataset.oct ?? ''
  if (control !== null) ACTIONS[name]?.(control)
  if (name === 'hand-off') event.preventDefault()
  const group = target.closest<HTMLDetailsElement>('.oct-sidebar summary')?.closest('details')
  if (group) {
    const isOpening = !group.open
    void loadNavigation().then(({ keepGroup }) => keepGroup(group, isOpening))
  }
  // Menus close when the reader navigates, so that no menu is open when they return.
  if (target.closest('a, li > button')) for (const open of all(':popover-open')) open.hidePopover()
  const link = target.closest<HTMLAnchorElement>('a[href^="#"]')
  if (link === null) return
  // The target must be revealed before the browser scrolls to it. A second click on the same link
  // does not change the URL, so listening to `hashchange` is not enough.
  reveal(link.hash)
  // A click on a heading's link also copies its URL; the link itself works as usual.
  if (link.matches('.oct-anchor')) void copyAndAnnounce(link.href)
})

document.addEventListener('keydown', (event) => {
  if (!isSearchKey(event)) return
  event.preventDefault()
  document.querySelector<HTMLElement>('[data-oct=search]')?.click()
})

/** Most readers only read, so this script is loaded when they are about to navigate. */
const loadNavigation = () => import('./navigation.ts')

for (const type of ['pointerover', 'focusin', 'touchstart'])
  document.addEventListener(
    type,
    ({ target }) => {
      const control = (target as Element).closest(
        'a[href^="/"],.oct-sidebar summary,.oct-menu-button',
      )
      if (control !== null)
        void loadNavigation().then(({ prepare }) => prepare(control, type === 'touchstart'))
    },
    { passive: true },
  )

document.addEventListener(
  'toggle',
  ({ target, newState }) => {
    const isPopover = target instanceof HTMLElement && target.popover !== null
    if (isPopover && newState === 'open')
      void loadNavigation().then(({ followPopover }) => followPopover(target))
  },
  true,
)

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyColorScheme)
/** Checks for Ctrl or Command with K, or for a slash outside of text fields. */
function isSearchKey({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k' && !altKey
  return key === '/' && !(target as Element).closest?.('input,textarea,select,[contenteditable]')
}

addEventListener('hashchange', revealAddress)
start()
