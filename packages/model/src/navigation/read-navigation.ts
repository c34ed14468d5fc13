/**
 * Reads `navigation` as typed elements. The key of an element determines which schema is used. All
 * problems are reported; children are kept even where they are not allowed, so that no page
 * disappears.
 */
import { type DiagnosticText, diagnose, type Report } from '../diagnostics/diagnostic.ts'
import type { DiagnosticCode } from '../diagnostics/diagnostic-codes.ts'
import { LIMITS } from '../diagnostics/limits.ts'
import {
  type JsonArray,
  type JsonNode,
  type JsonObject,
  placeOf,
  placeOfKey,
  placeOfMember,
} from '../json/json-node.ts'
import { wrongType } from '../schema/schema.ts'
import { readFields, reportUnknownKeys } from '../schema/shape.ts'
import { CHILD_KINDS, type ChildKind, childKinds } from './child-kind.ts'
import {
  ELEMENT_FIELDS,
  ELEMENT_KEYS,
  KIND_LABELS,
  KIND_OF_LIST,
  LEGACY_ELEMENT_KEYS,
  listOfEntry,
  ROOT_FIELDS,
  UNSUPPORTED_FIELDS,
} from './element-fields.ts'
import { readElementName } from './element-name.ts'
import { parsePageTarget } from './page-target.ts'
import { readGlobal } from './read-global.ts'
import { checkSiblings } from './siblings.ts'
import {
  type ElementKind,
  EMPTY_NAVIGATION,
  type SpecificationUse,
  type WrittenChild,
  type WrittenElement,
  type WrittenFields,
  type WrittenNavigation,
  type WrittenPage,
} from './written.ts'

/** Reads the `navigation` value of docs.json. */
export function readNavigation(node: JsonNode, report: Report): WrittenNavigation {
  if (node.type === 'array') return readLegacyList(node, report)
  if (node.type !== 'object') {
    wrongType(report, node, 'an object with `pages`, `groups`, `tabs` or another pattern')
    return EMPTY_NAVIGATION
  }
  const known = new Set([...Object.keys(ROOT_FIELDS), ...CHILD_KINDS])
  reportUnknownKeys({ node, known, legacy: {}, report })
  const kinds = childKinds(node, 'The navigation', report)
  const reader = new NavigationReader(report)
  if (kinds.includes('menu')) reader.rejectMenu(node, 'The navigation')
  const fields = readFields(node, ROOT_FIELDS, report)
  const global = node.members.get('global')?.value
  const children = reader.readChildren(node, kinds, { depth: 0, parent: undefined })
  if (kinds.every((kind) => isEmptyList(node, kind))) reportNoPattern(node, report)
  return {
    children,
    directory: fields.directory,
    specifications: specificationsOf(fields.openapi),
    global: global && readGlobal(global, report),
    node,
  }
}

function isEmptyList(node: JsonObject, kind: ChildKind): boolean {
  const list = node.members.get(kind)?.value
  return list?.type === 'array' && list.items.length === 0
}

function reportNoPattern(node: JsonObject, report: Report): void {
  report(
    diagnose('nav/no-pattern', placeOf(node), {
      message: 'The navigation has no pages.',
      hint: 'Add one of `pages`, `groups`, `tabs`, `anchors`, `dropdowns`, `products`, `versions`, `languages`.',
    }),
  )
}

/**
 * Reads a navigation that is a list, as in mint.json. Some docs.json files still have this form.
 */
function readLegacyList(node: JsonArray, report: Report): WrittenNavigation {
  const kind = kindOfEntries(node)
  report(
    diagnose('key/legacy', placeOfKey(node), {
      message: '`navigation` is a list, which is the legacy mint.json format.',
      hint: `Write \`"navigation": {"${kind}": […]}\`.`,
    }),
  )
  const children = new NavigationReader(report).readList(node, kind, {
    depth: 0,
    parent: undefined,
  })
  return { ...EMPTY_NAVIGATION, children, node }
}

/** Infers the kind of a list without a key from the keys of its first entry. */
function kindOfEntries(list: JsonArray): ChildKind {
  const [first] = list.items
  return first?.type === 'object' ? listOfEntry((key) => first.members.has(key)) : 'pages'
}

type Level = { readonly depth: number; readonly parent: ElementKind | undefined }

class NavigationReader {
  readonly #report: Report

  constructor(report: Report) {
    this.#report = report
  }

  readChildren(
    node: JsonObject,
    kinds: readonly ChildKind[],
    level: Level,
  ): readonly WrittenChild[] {
    const lists = kinds.map((kind) => {
      const list = node.members.get(kind)?.value
      return list === undefined ? [] : this.readList(list, kind, level)
    })
    return lists.length === 1 ? (lists[0] ?? []) : lists.flat()
  }

  readList(list: JsonNode, kind: ChildKind, level: Level): readonly WrittenChild[] {
    if (list.type !== 'array') {
      wrongType(this.#report, list, kind === 'pages' ? 'a list of pages and groups' : 'a list')
      return []
    }
    const children: WrittenChild[] = []
    for (const item of list.items) {
      const child =
        kind === 'pages' ? this.#readPage(item, level) : this.#readEntry(item, kind, level)
      if (child !== undefined) children.push(child)
    }
    checkSiblings(children, this.#report)
    return children
  }

  /** Reads an entry of `pages`: a path, an operation, or a nested group. */
  #readPage(item: JsonNode, level: Level): WrittenChild | undefined {
    if (item.type === 'object') return this.#readElement(item, 'group', level)
    if (item.type !== 'string') {
      return wrongType(this.#report, item, 'the path of a page, or a group')
    }
    const target = parsePageTarget(item, this.#report)
    return target === undefined ? undefined : { type: 'page', target, node: item }
  }

  #readEntry(item: JsonNode, list: Exclude<ChildKind, 'pages'>, level: Level) {
    const kind = KIND_OF_LIST[list]
    if (item.type === 'object') return this.#readElement(item, kind, level)
    return wrongType(this.#report, item, `an object with \`${kind}\``)
  }

  #readElement(node: JsonObject, kind: ElementKind, level: Level): WrittenElement | undefined {
    if (level.depth >= LIMITS.navigationDepthMax) {
      this.#complain('nav/too-deep', node, {
        message: `The navigation is nested more than ${LIMITS.navigationDepthMax} levels deep here; this ${kind} is ignored.`,
        hint: 'Flatten the groups.',
      })
      return undefined
    }
    const { name, language, label, namedBy } = readElementName(node, kind, this.#report)
    const known =
      namedBy === kind ? ELEMENT_KEYS[kind] : ELEMENT_KEYS[kind].union(new Set([namedBy]))
    reportUnknownKeys({
      node,
      known,
      legacy: LEGACY_ELEMENT_KEYS,
      report: this.#report,
      hintFor: (key) =>
        key in KIND_LABELS ? `This is ${withArticle(kind)}: remove \`${key}\`.` : undefined,
    })
    const read: Record<string, unknown> = readFields(node, ELEMENT_FIELDS[kind], this.#report)
    const kinds = childKinds(node, label, this.#report)
    const root = this.#readRoot(node)
    this.#checkChildren({ node, kind, kinds, label, level, root })
    const global = node.members.get('global')?.value
    return {
      type: 'element',
      kind,
      name: typeof read.name === 'string' ? read.name : name,
      language,
      // The table contains exactly the fields of this type, except those that are read separately.
      fields: read as WrittenFields,
      specifications: specificationsOf(read.openapi),
      root,
      children: this.readChildren(node, kinds, { depth: level.depth + 1, parent: kind }),
      global: global && readGlobal(global, this.#report),
      node,
    }
  }

  #readRoot(node: JsonObject): WrittenPage | undefined {
    const root = node.members.get('root')?.value
    if (root?.type !== 'string' || root.value.trim() === '') return undefined
    const target = parsePageTarget(root, this.#report)
    return target && { type: 'page', target, node: root }
  }

  #checkChildren(element: {
    readonly node: JsonObject
    readonly kind: ElementKind
    readonly kinds: readonly ChildKind[]
    readonly label: string
    readonly level: Level
    readonly root: WrittenPage | undefined
  }): void {
    const { node, kind, kinds, label, level, root } = element
    if (kind === 'group') this.#checkGroup(node, kinds, label, level)
    if (kind === 'item') this.#checkMenuItem(node, kinds, label)
    for (const list of kinds) {
      if (list === 'pages' || kind === 'group' || kind === 'item') continue
      if (list === 'menu' && kind !== 'tab' && kind !== 'product') this.rejectMenu(node, label)
      if (KIND_OF_LIST[list] === kind) this.#refuseSelf(node, list, label)
    }
    const [first] = kinds
    if (kind !== 'group' && node.members.has('href') && first !== undefined) {
      this.#complainAt('nav/link-with-children', node, 'href', {
        message: `${label} has both \`href\` and \`${first}\`. An element can have either a link or children.`,
        hint: `Remove \`href\`, or move \`${first}\` to a separate element.`,
        related: [{ message: `\`${first}\` is here.`, place: placeOfMember(node, first) }],
      })
    }
    // An invalid root has already been reported and should be fixed first.
    const isRootWrong =
      node.members.has('root') && (root === undefined || root.target.kind === 'link')
    if (!isRootWrong) this.#checkEmpty(node, kinds, label, kind)
  }

  #checkGroup(node: JsonObject, kinds: readonly ChildKind[], label: string, level: Level): void {
    for (const list of kinds) {
      if (list === 'pages') continue
      this.#complainAt('nav/group-children', node, list, {
        message: `${label} has \`${list}\`. A group can only have \`pages\`.`,
        hint:
          list === 'groups'
            ? 'Put nested groups in `pages`, as objects next to the page paths.'
            : `Move \`${list}\` to an element above the group.`,
      })
    }
    if (node.members.has('href')) {
      this.#complainAt('nav/group-children', node, 'href', {
        message: `${label} has \`href\`. A group has \`pages\` and cannot be a link.`,
        hint: 'Use an anchor or a tab with `href`, or a page with `url` in its frontmatter.',
      })
    }
    const expanded = node.members.get('expanded')?.value
    if (expanded?.type === 'boolean' && !expanded.value && level.parent !== 'group') {
      this.#complainAt('nav/expanded-top-level', node, 'expanded', {
        message: `${label} is a top-level group. Top-level groups are always expanded, so \`"expanded": false\` has no effect.`,
        hint: 'Remove `expanded`.',
      })
    }
  }

  #checkMenuItem(node: JsonObject, kinds: readonly ChildKind[], label: string): void {
    for (const list of kinds) {
      if (list === 'groups' || list === 'pages') continue
      this.#complainAt('nav/menu-item-children', node, list, {
        message: `${label} has \`${list}\`. A menu item can only have groups, pages or a link.`,
        hint: `Move \`${list}\` to the tab, or use \`groups\` here.`,
      })
    }
  }

  /**
   * Reports a menu outside of a tab, which navigation rule 3 does not allow. The caller also
   * accepts menus in products, since migrated sites have them.
   */
  rejectMenu(node: JsonObject, label: string): void {
    this.#complainAt('nav/menu-outside-tab', node, 'menu', {
      message: `${label} has a \`menu\`. Only tabs can have a menu.`,
      hint: 'Wrap the menu in a tab, or use `dropdowns`.',
    })
  }

  #refuseSelf(node: JsonObject, list: ChildKind, label: string): void {
    this.#complainAt('nav/nested-in-itself', node, list, {
      message: `${label} contains \`${list}\`. An element cannot directly contain its own kind.`,
      hint: `Move these \`${list}\` one level up, or put another kind of element in between.`,
    })
  }

  #checkEmpty(
    node: JsonObject,
    kinds: readonly ChildKind[],
    label: string,
    kind: ElementKind,
  ): void {
    const keys = ['openapi', 'includeTags', ...UNSUPPORTED_FIELDS]
    const generates = keys.some((key) => node.members.has(key))
    if (node.members.has('href') || generates) return
    const lists = kinds.map((list) => node.members.get(list)?.value)
    if (kinds.length === 0 && kind === 'group') {
      this.#complain('nav/missing-children', node, {
        message: `${label} has no \`pages\`.`,
        hint: 'Add `pages`, or `openapi` to list all operations of a specification.',
      })
      return
    }
    if (lists.some((list) => list === undefined || list.type !== 'array' || list.items.length > 0))
      return
    if (node.members.has('root')) return
    this.#complain('nav/empty', node, {
      message: `${label} is empty.`,
      hint: hintForEmpty(node, kind),
    })
  }

  #complain(code: DiagnosticCode, node: JsonNode, text: DiagnosticText): void {
    this.#report(diagnose(code, placeOf(node), text))
  }

  #complainAt(code: DiagnosticCode, node: JsonObject, key: string, text: DiagnosticText): void {
    this.#report(diagnose(code, placeOfMember(node, key), text))
  }
}

function withArticle(word: string): string {
  return /^[aeiou]/.test(word) ? `an ${word}` : `a ${word}`
}

function hintForEmpty(node: JsonObject, kind: ElementKind): string {
  if (kind === 'group') return 'List pages in it, or remove it.'
  // In mint.json, a version is only a name that groups refer to.
  const name = kind === 'version' ? node.members.get(kind)?.value : undefined
  if (name?.type === 'string' && name.start === node.start)
    return `Put \`"version": ${JSON.stringify(name.value)}\` on the groups that belong to it, or remove it.`
  return 'Give it children or `href`, or remove it.'
}

type WrittenSource =
  | string
  | { readonly source: string; readonly directory?: string; readonly hidden?: boolean }

/** Returns the value of `openapi` as a list. It can be a source, an object, or a list of either. */
export function specificationsOf(openapi: unknown): readonly SpecificationUse[] | undefined {
  if (openapi === undefined) return undefined
  const entries = (Array.isArray(openapi) ? openapi : [openapi]) as readonly WrittenSource[]
  return entries
    .map((entry) => (typeof entry === 'string' ? { source: entry } : entry))
    .filter(({ source }) => source !== '')
}
