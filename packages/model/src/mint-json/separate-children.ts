/**
 * Ensures that a navigation level has only one kind of children (navigation rule 2), without losing
 * any entry.
 */
import { CHILD_KINDS, type ChildKind } from '../navigation/child-kind.ts'
import { KIND_OF_LIST, listOfEntry } from '../navigation/element-fields.ts'
import { GLOBAL_LISTS } from '../navigation/read-global.ts'

type Element = Record<string, unknown>
type ReportChange = (change: string) => void

/** The name of a new entry that contains children of another kind. */
const UNNAMED = 'Documentation'

export function separateChildren(navigation: unknown, report: ReportChange): unknown {
  const level = { name: 'navigation', isRoot: true, isGroup: false, report }
  if (Array.isArray(navigation)) {
    const lists = Object.groupBy(
      navigation,
      (entry): ChildKind => (isElement(entry) ? listOfEntry((key) => key in entry) : 'pages'),
    )
    const kinds = Object.keys(lists).map((kind) => `\`${kind}\``)
    report(`\`navigation\` was a list; it is now an object with ${kinds.join(' and ')}.`)
    return separate(lists, level)
  }
  return isElement(navigation) ? separate(navigation, level) : navigation
}

type Level = {
  readonly name: string
  readonly isRoot: boolean
  readonly isGroup: boolean
  readonly report: ReportChange
}

function separate(written: Element, level: Level): Element {
  let element = written
  if (level.isRoot) element = moveLinksToGlobal(element, level)
  element = mergeGroupsIntoPages(element, level)
  element = nestOtherKinds(element, level)
  const kinds = CHILD_KINDS.filter((kind) => Array.isArray(element[kind]))
  for (const kind of kinds) {
    const list = element[kind] as readonly unknown[]
    element = { ...element, [kind]: list.map((child) => separateChild(child, kind, level)) }
  }
  return element
}

function separateChild(child: unknown, kind: ChildKind, level: Level): unknown {
  if (!isElement(child)) return child
  const own = kind === 'pages' ? 'group' : KIND_OF_LIST[kind]
  const name = `${own} "${String(child[own] ?? '')}"`
  return separate(child, { ...level, name, isRoot: false, isGroup: own === 'group' })
}

/**
 * Moves lists of links into `global` if there are other children, so that the links appear on every
 * page.
 */
function moveLinksToGlobal(element: Element, { report }: Level): Element {
  let result = element
  for (const kind of GLOBAL_LISTS) {
    const list = result[kind]
    if (!Array.isArray(list) || list.length === 0 || kindsOf(result).length < 2) continue
    if (
      !list.every((entry) => isElement(entry) && 'href' in entry && kindsOf(entry).length === 0)
    ) {
      continue
    }
    const { [kind]: _, ...rest } = result
    const global = isElement(rest.global) ? rest.global : {}
    const known = global[kind]
    const links = [...(Array.isArray(known) ? known : []), ...list]
    result = { ...rest, global: { ...global, [kind]: links } }
    report(`\`${kind}\` in the navigation contained only links; they are now in \`global\`.`)
  }
  return result
}

/**
 * Merges `groups` into `pages`, which may contain groups. Inside a group, only `pages` is allowed.
 */
function mergeGroupsIntoPages(element: Element, { name, isGroup, report }: Level): Element {
  const { groups, pages, ...rest } = element
  if (!Array.isArray(groups) || (!Array.isArray(pages) && !isGroup)) return element
  report(`\`groups\` and \`pages\` of ${name} are now one list, \`pages\`.`)
  return { ...rest, pages: [...groups, ...(Array.isArray(pages) ? pages : [])] }
}

/** Moves children of all other kinds into an entry of the first kind. */
function nestOtherKinds(element: Element, { name, report }: Level): Element {
  const [first, ...others] = kindsOf(element)
  if (first === undefined || others.length === 0 || first === 'pages') return element
  const moved: Element = {}
  const rest: Element = { ...element }
  for (const kind of others) {
    moved[kind] = rest[kind]
    delete rest[kind]
  }
  const list = rest[first] as readonly unknown[]
  const kinds = others.map((kind) => `\`${kind}\``).join(' and ')
  // There is no language for these children, so they move into the first one.
  if (first === 'languages') {
    const [head, ...tail] = list
    report(`${kinds} of ${name} are now in the first of its \`languages\`.`)
    return {
      ...rest,
      [first]: [{ ...(isElement(head) ? head : {}), ...merged(head, moved) }, ...tail],
    }
  }
  const own = KIND_OF_LIST[first]
  const taken = new Set(list.map((entry) => (isElement(entry) ? entry[own] : undefined)))
  const label = [UNNAMED, 'More', 'Other pages'].find((word) => !taken.has(word)) ?? UNNAMED
  report(`${kinds} of ${name} are now in a new ${own} "${label}". Give it a better name.`)
  return { ...rest, [first]: [...list, { [own]: label, ...moved }] }
}

/** Adds the moved lists to those of an entry. The resulting levels are separated again. */
function merged(head: unknown, moved: Element): Element {
  const known = isElement(head) ? head : {}
  const entries = Object.entries(moved).map(([kind, list]) => {
    const before = known[kind]
    return [kind, [...(Array.isArray(before) ? before : []), ...(list as readonly unknown[])]]
  })
  return Object.fromEntries(entries)
}

function kindsOf(element: Element): readonly ChildKind[] {
  return CHILD_KINDS.filter((kind) => Array.isArray(element[kind]))
}

function isElement(value: unknown): value is Element {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
