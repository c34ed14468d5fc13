/**
 * Checks navigation rules 4 to 8 for any page of any site, by comparing the model with the browser.
 */
import {
  divisionsOf,
  firstPage,
  type NavDivision,
  type NavGroup,
  type NavNode,
  type NavPage,
} from '@octavo/model'
import type { Page } from 'playwright-core'

/** Code to run in the page. It is a string because DOM types are not available here. */
const READ_PAGE = `(() => {
  const texts = (selector) => [...document.querySelectorAll(selector)].map((one) => one.textContent.trim())
  const menus = [...document.querySelectorAll('.oct-menu')].map((menu) => [
    menu.className.replace(/.*oct-menu-/, ''),
    menu.querySelectorAll('li').length,
  ])
  return {
    tabs: texts('.oct-tabbar > ul > li > a'),
    anchors: texts('.oct-anchors a'),
    menus: Object.fromEntries(menus),
    groupLinks: [...document.querySelectorAll('#oct-sidebar a')].map((link) => link.pathname),
    hasListing: document.querySelector('article [class*=oct-directory]') !== null,
  }
})()`

type Shown = {
  readonly tabs: readonly string[]
  readonly anchors: readonly string[]
  readonly menus: Readonly<Record<string, number>>
  readonly groupLinks: readonly string[]
  readonly hasListing: boolean
}

/** Returns the rules that the open page violates. */
export async function checkRules(page: Page, entry: NavPage): Promise<readonly string[]> {
  const shown = await page.evaluate<Shown>(READ_PAGE)
  const problems: string[] = []
  if (shown.hasListing !== hasListing(entry))
    problems.push(`rules 4 and 5: ${shown.hasListing ? 'lists pages' : 'lists no pages'}`)
  for (const division of divisionsOf(entry)) problems.push(...checkDivision(division, shown))
  for (const { label, root } of groupsBelow(entry.section)) {
    if (root === undefined || shown.groupLinks.includes(encodeURI(root.url))) continue
    problems.push(`rule 7: the title of ${label} does not lead to ${root.url}`)
  }
  for (const label of globalAnchors(entry.section)) {
    if (!shown.anchors.includes(label)) problems.push(`rule 8: no ${label} in the sidebar`)
  }
  return problems.map((problem) => `${entry.url}: ${problem}`)
}

function hasListing({ parent, path }: NavPage): boolean {
  if (parent.type !== 'group' || parent.root?.path !== path) return false
  const others = parent.children.filter((node) => {
    return !node.hidden && !(node.type === 'page' && node.path === path)
  })
  return parent.directory !== 'none' && others.length > 0
}

/** Checks where sibling divisions are shown (navigation rule 6). */
function checkDivision(division: NavDivision, shown: Shown): readonly string[] {
  const { kind } = division
  const siblings = (division.parent?.children ?? []).filter((node): node is NavDivision => {
    if (node.type !== 'division' || node.kind !== kind || node.hidden) return false
    // A division without a target is not shown.
    return node.href !== undefined || firstPage(node) !== undefined
  })
  if (siblings.length < 2 || division.hidden) return []
  if (kind === 'tab' || kind === 'anchor') {
    const labels = kind === 'tab' ? shown.tabs : shown.anchors
    return siblings
      .filter(({ label }) => !labels.includes(label))
      .map(({ label }) => `rule 6: the ${kind} ${label} is not shown`)
  }
  const count = shown.menus[kind]
  if (kind === 'item' || count === siblings.length) return []
  return [`rule 6: the menu of ${kind} has ${count} of ${siblings.length} entries`]
}

function* groupsBelow(node: NavNode): Generator<NavGroup> {
  if (node.type === 'page') return
  for (const child of node.children) {
    if (child.type !== 'group' || child.hidden) continue
    yield child
    yield* groupsBelow(child)
  }
}

function globalAnchors(section: NavDivision): readonly string[] {
  const labels: string[] = []
  for (let at: NavDivision | undefined = section; at !== undefined; at = at.parent) {
    for (const { kind, label, hidden } of at.globals)
      if (kind === 'anchor' && !hidden) labels.push(label)
  }
  return labels
}
