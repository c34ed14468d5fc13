/**
 * The target of a switch of version, language, product, …: the same page in the other division, or
 * else the nearest: a page of the same group, of an enclosing group, of the division with the same
 * name, or the first page. "The same page" is found by, in this order:
 *   1. its path, if both divisions list it;
 *   2. its operation (method and path);
 *   3. its path below the home folder of each division (`en/start` and `fr/start`, `v1/start` and
 *      `start`), or below a parent of that folder;
 *   4. its path below the home folder of its version: a language may have no versions, or others.
 * The home folder of a division is the deepest folder that contains all pages that only it lists.
 * A page that both divisions list has one address, which opens only one of them. The target in the
 * other one is a page whose address opens that division.
 */

import type { NavDivision, NavGroup, NavNode, NavPage } from './navigation.ts'
import { firstPage, isForGroups } from './page-context.ts'

export type SwitchTarget = {
  readonly division: NavDivision
  /** Undefined for a division without pages. A division that is a link has its `href` instead. */
  readonly page: NavPage | undefined
  /** False if the reader's page does not exist in that division. */
  readonly samePage: boolean
  /**
   * The reader's page, if this division also lists it. The page's address opens it in only one
   * division.
   */
  readonly shared: NavPage | undefined
}

type Side = {
  readonly home: string
  readonly byPath: ReadonlyMap<string, NavPage>
  readonly byOperation: ReadonlyMap<string, NavPage>
}

/**
 * Finds switch targets. It caches data about each division, so use one instance for a whole site.
 */
export class SwitchTargets {
  readonly #opening: ReadonlyMap<string, NavPage>
  readonly #sides = new Map<NavDivision, Side>()
  /** For each division, the first page whose address opens that division. */
  readonly #own = new Map<NavDivision, NavPage | undefined>()
  /** The nearest page for each group or division, by target division. */
  readonly #near = new Map<NavDivision, Map<NavGroup | NavDivision, NavPage | undefined>>()

  /**
   * `opening` maps each path to the entry that opens at its address. If a path is missing, any of
   * its entries can open there.
   */
  constructor(opening: ReadonlyMap<string, NavPage> = new Map()) {
    this.#opening = opening
  }

  /** Returns the targets for a division around the page and for all its siblings. */
  targets(page: NavPage, division: NavDivision): readonly SwitchTarget[] {
    const siblings = (division.parent?.children ?? []).filter(
      (child): child is NavDivision => child.type === 'division' && child.kind === division.kind,
    )
    return siblings.map((sibling) => {
      if (sibling === division)
        return { division: sibling, page, samePage: true, shared: undefined }
      const same = this.#samePage(page, division, sibling)
      const to = { division: sibling, shared: same?.path === page.path ? same : undefined }
      if (this.#shows(sibling, same)) return { ...to, page: same, samePage: true }
      const near = this.#nearest(page.parent, division, sibling) ?? firstPage(sibling)
      if (this.#shows(sibling, near)) return { ...to, page: near, samePage: false }
      const own = this.#firstShowing(sibling)
      if (own !== undefined) return { ...to, page: own, samePage: false }
      return { ...to, page: same ?? near, samePage: same !== undefined }
    })
  }

  /**
   * Returns the page if its address opens it in this division, or else the first page whose address
   * opens this division. A page that is restricted to groups never replaces one that other readers
   * may read too.
   */
  pageShowing(division: NavDivision, page: NavPage): NavPage {
    if (this.#shows(division, page)) return page
    const own = this.#firstShowing(division) ?? page
    return isForGroups(own) && !isForGroups(page) ? page : own
  }

  /** Checks whether the address of a page opens it in this division. */
  #shows(division: NavDivision, page: NavPage | undefined): page is NavPage {
    if (page === undefined) return false
    let at: NavDivision | undefined = (this.#opening.get(page.path) ?? page).section
    while (at !== undefined && at !== division) at = at.parent
    return at === division
  }

  #firstShowing(division: NavDivision): NavPage | undefined {
    if (this.#own.has(division)) return this.#own.get(division)
    const pages = [...pagesBelow(division)].filter(
      (page) => !page.hidden && this.#shows(division, page),
    )
    const found = pages.find((page) => !isForGroups(page)) ?? pages[0]
    this.#own.set(division, found)
    return found
  }

  #nearest(
    around: NavGroup | NavDivision,
    from: NavDivision,
    to: NavDivision,
  ): NavPage | undefined {
    if (around === from || around.parent === undefined) return undefined
    const known = this.#near.get(to) ?? new Map<NavGroup | NavDivision, NavPage | undefined>()
    this.#near.set(to, known)
    if (known.has(around)) return known.get(around)
    const found = this.#nearby(around, from, to) ?? this.#nearest(around.parent, from, to)
    known.set(around, found)
    return found
  }

  #nearby(around: NavGroup | NavDivision, from: NavDivision, to: NavDivision): NavPage | undefined {
    if (around.type === 'division') {
      const namesake = findMatchingDivision(around, to)
      if (namesake !== undefined) return firstPage(namesake)
    }
    for (const page of pagesBelow(around)) {
      const same = this.#samePage(page, from, to)
      if (same !== undefined && !same.hidden) return same
    }
    return undefined
  }

  #samePage(page: NavPage, from: NavDivision, to: NavDivision): NavPage | undefined {
    const here = this.#side(from)
    const there = this.#side(to)
    const operation = page.operation && `${page.operation.method} ${page.operation.path}`
    const direct =
      there.byPath.get(page.path) ??
      (operation === undefined ? undefined : there.byOperation.get(operation))
    if (direct !== undefined) return direct
    for (const mine of [...foldersAbove(here.home), ...this.#versionHomes(page, from)]) {
      if (!page.path.startsWith(mine)) continue
      for (const theirs of foldersAbove(there.home)) {
        const found = there.byPath.get(theirs + page.path.slice(mine.length))
        if (found !== undefined) return found
      }
    }
    return undefined
  }

  /** Returns the home folders of the versions between the page and the switched division. */
  #versionHomes(page: NavPage, from: NavDivision): readonly string[] {
    const homes: string[] = []
    let at: NavDivision | undefined = page.section
    for (; at !== undefined && at !== from; at = at.parent) {
      if (at.kind === 'version') homes.push(this.#side(at).home)
    }
    return homes
  }

  #side(division: NavDivision): Side {
    const known = this.#sides.get(division)
    if (known !== undefined) return known
    const side = this.#learn(division)
    this.#sides.set(division, side)
    return side
  }

  #learn(division: NavDivision): Side {
    const byPath = new Map<string, NavPage>()
    const byOperation = new Map<string, NavPage>()
    for (const page of pagesBelow(division)) {
      if (!byPath.has(page.path)) byPath.set(page.path, page)
      if (page.operation === undefined) continue
      const name = `${page.operation.method} ${page.operation.path}`
      if (!byOperation.has(name)) byOperation.set(name, page)
    }
    const elsewhere = new Set<string>()
    for (const sibling of division.parent?.children ?? []) {
      if (sibling === division || sibling.type !== 'division') continue
      for (const page of pagesBelow(sibling)) elsewhere.add(page.path)
    }
    const files = [...byPath.values()].filter((page) => page.operation === undefined)
    const own = files.map(({ path }) => path).filter((path) => !elsewhere.has(path))
    return { home: commonFolder(own), byPath, byOperation }
  }
}

/** Finds the division with the same kind and name, such as the tab "API". */
function findMatchingDivision(wanted: NavDivision, below: NavDivision): NavDivision | undefined {
  for (const child of below.children) {
    if (child.type !== 'division') continue
    const isLike = child.kind === wanted.kind && child.label === wanted.label
    const found = isLike ? child : findMatchingDivision(wanted, child)
    if (found !== undefined && firstPage(found) !== undefined) return found
  }
  return undefined
}

function* pagesBelow(node: NavNode): Generator<NavPage> {
  if (node.type === 'page') {
    yield node
    return
  }
  if (node.type === 'group' && node.root !== undefined) yield node.root
  for (const child of node.children) yield* pagesBelow(child)
}

/**
 * Returns a folder and its parents, because the home folder of a language with few pages may be too
 * deep.
 */
function foldersAbove(folder: string): readonly string[] {
  const folders = [folder]
  for (let at = folder; at !== ''; ) {
    at = at.slice(0, at.lastIndexOf('/', at.length - 2) + 1)
    folders.push(at)
  }
  return folders
}

/**
 * Returns the deepest folder that contains all paths, with a trailing slash; empty for the root.
 */
function commonFolder(paths: readonly string[]): string {
  const [first, ...rest] = paths
  if (first === undefined) return ''
  let folder = first.slice(0, first.lastIndexOf('/') + 1)
  for (const path of rest) {
    while (!path.startsWith(folder)) {
      folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1)
    }
  }
  return folder
}
