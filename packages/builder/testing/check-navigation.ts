/**
 * Checks, in a browser, the rules that hold on every page of every site. Returns the violations.
 */
import type { Page } from 'playwright-core'

/** Code to run in the page. It is a string because DOM types are not available here. */
const READ_PAGE = `(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)]
  const parts = ['.oct-header', '.oct-sidebar', '.oct-breadcrumbs', '.oct-neighbours']
  const controls = parts.flatMap((part) => all(part + ' :is(a[href], button, summary)'))
  return {
    hasSidebar: document.getElementById('oct-sidebar') !== null,
    current: all('.oct-sidebar [aria-current=page]').map((link) => link.getAttribute('href')),
    links: [...new Set(parts.flatMap((part) => all(part + ' a[href^="/"]')).map((link) => link.pathname))],
    nameless: controls.filter((one) => !(one.ariaLabel || one.textContent.trim() || one.querySelector('img[alt]'))).map((one) => one.outerHTML.slice(0, 120)),
    unreachable: controls.filter((one) => one.checkVisibility() && one.tabIndex < 0).map((one) => one.outerHTML.slice(0, 120)),
    switches: all('.oct-menu-version, .oct-menu-language, .oct-menu-product, .oct-menu-dropdown').map((menu) => ({
      kind: menu.className.replace(/.*oct-menu-/, ''),
      marked: all('[aria-current]', menu).length,
      targets: all('a[href^="/"]', menu).map((link) => ({ label: link.querySelector('span').textContent, path: link.pathname, isCurrent: link.hasAttribute('aria-current') })),
    })),
  }
})()`

type Target = { readonly label: string; readonly path: string; readonly isCurrent: boolean }

type Switch = {
  readonly kind: string
  readonly marked: number
  readonly targets: readonly Target[]
}

type Facts = {
  readonly hasSidebar: boolean
  readonly current: readonly string[]
  readonly links: readonly string[]
  readonly nameless: readonly string[]
  readonly unreachable: readonly string[]
  readonly switches: readonly Switch[]
}

export type NavigationCheck = {
  /** Returns true if there is a page or file at the path. */
  readonly resolves: (path: string) => boolean
  /** Returns true if the navigation lists the page at the path. */
  readonly isListed: (path: string) => boolean
}

/** Checks the page that is open, then each page to which its switches lead. */
export async function checkNavigation(
  page: Page,
  { resolves, isListed }: NavigationCheck,
): Promise<readonly string[]> {
  const url = new URL(page.url())
  const facts = await page.evaluate<Facts>(READ_PAGE)
  const problems = [
    ...facts.links.filter((path) => !resolves(path)).map((path) => `${path} does not resolve`),
    ...facts.nameless.map((control) => `no name: ${control}`),
    ...facts.unreachable.map((control) => `not reached by Tab: ${control}`),
    ...facts.switches
      .filter(({ marked }) => marked !== 1)
      .map(({ kind, marked }) => `${marked} marked entries in the menu of ${kind}`),
  ]
  if (facts.hasSidebar && isListed(url.pathname) && facts.current.length !== 1)
    problems.push(`${facts.current.length} current pages`)
  for (const one of facts.switches) {
    for (const target of one.targets) {
      if (target.isCurrent || !resolves(target.path)) continue
      problems.push(...(await checkSwitch(page, { from: url, kind: one.kind, target })))
    }
  }
  return problems.map((problem) => `${url.pathname}: ${problem}`)
}

type Followed = { readonly from: URL; readonly kind: string; readonly target: Target }

/** Checks that the target page's menu marks the chosen entry. */
async function checkSwitch(
  page: Page,
  { from, kind, target }: Followed,
): Promise<readonly string[]> {
  // If both versions have the same URL, the page cannot know which of them the reader chose.
  if (target.path === from.pathname) return []
  await page.goto(new URL(target.path, from).href)
  const { switches } = await page.evaluate<Facts>(READ_PAGE)
  const here = switches.find((one) =>
    one.targets.some(
      ({ label, isCurrent }) => one.kind === kind && isCurrent && label === target.label,
    ),
  )
  if (here !== undefined) return []
  // A shared page opens in the first division that lists it.
  const isShared = switches.some((one) => one.kind === kind && one.marked === 1)
  return isShared
    ? []
    : [`switching ${kind} to ${target.label} leads to ${target.path}, which is elsewhere`]
}
