/** The fields of each navigation element except its children, for the parser and for editors. */
import { asyncapi, openapi } from '../config/api.ts'
import { banner, footer, navbar } from '../config/chrome.ts'
import { icon, link, someColors } from '../config/values.ts'
import {
  amount,
  anything,
  flag,
  listOf,
  oneOf,
  text,
  unsupported,
  withoutEffect,
} from '../schema/schema.ts'
import { type Fields, optional } from '../schema/shape.ts'
import { CHILD_KINDS, type ChildKind } from './child-kind.ts'
import { DIRECTORIES, type ElementKind } from './written.ts'

/** Fields that every kind of element has. */
const COMMON = {
  hidden: optional(flag, 'Not shown in the navigation; its pages are still served.'),
  directory: optional(oneOf(DIRECTORIES), 'Listing on group root pages; inherited.'),
  openapi: optional(openapi, 'Specification for the operations below; inherited.'),
  includeTags: optional(listOf(text()), 'List only the operations with one of these tags.'),
  asyncapi: optional(unsupported(asyncapi), 'AsyncAPI document.'),
  searchable: optional(flag, 'With `hidden`: keep the pages in search.'),
  boost: optional(amount, 'Weight of the pages in search.'),
  public: optional(flag, 'The pages can be read without signing in; inherited.'),
} satisfies Fields

const ICON = { icon: optional(icon, 'Icon before the name.') } satisfies Fields
const HREF = { href: optional(link, 'URL or page path, instead of children.') } satisfies Fields
const ABOUT = { description: optional(text(), 'Description below the name.') } satisfies Fields
const COLOR = {
  color: optional(withoutEffect(someColors, 'the icon uses the text color'), 'Color of the icon.'),
} satisfies Fields
const GLOBAL = {
  global: optional(anything, 'Links on all pages of this section.'),
} satisfies Fields
const VERSION = {
  version: optional(text(), 'API version, shown on the API pages generated below.'),
} satisfies Fields
const DEFAULT = {
  default: optional(flag, 'Mark as the default; otherwise the first entry is the default.'),
} satisfies Fields

export const ELEMENT_FIELDS = {
  language: { ...COMMON, ...ICON, ...HREF, ...GLOBAL, ...DEFAULT, ...chrome() },
  version: {
    ...COMMON,
    ...ICON,
    ...ABOUT,
    ...HREF,
    ...GLOBAL,
    ...DEFAULT,
    tag: optional(text(), 'Badge, such as `Latest`.'),
  },
  product: {
    ...COMMON,
    ...ICON,
    ...HREF,
    ...ABOUT,
    ...COLOR,
    ...GLOBAL,
    name: optional(text(), 'Name shown instead of `product`.'),
  },
  tab: {
    ...COMMON,
    ...ICON,
    ...HREF,
    ...GLOBAL,
    ...VERSION,
    align: optional(oneOf(['start', 'end']), 'Alignment in the tab bar.'),
    graphql: optional(unsupported(anything), 'GraphQL schema.'),
    sdk: optional(unsupported(anything), 'SDK reference.'),
  },
  dropdown: { ...COMMON, ...ICON, ...HREF, ...ABOUT, ...COLOR, ...GLOBAL },
  anchor: { ...COMMON, ...ICON, ...HREF, ...COLOR, ...GLOBAL, ...VERSION },
  item: { ...COMMON, ...ICON, ...HREF, ...ABOUT },
  group: {
    ...COMMON,
    ...ICON,
    tag: optional(text(), 'Label next to the name.'),
    root: optional(text({ expected: 'the path of a page' }), 'Main page of the group.'),
    expanded: optional(flag, 'Expanded by default; nested groups only.'),
    sdk: optional(unsupported(anything), 'SDK reference.'),
  },
} satisfies Record<ElementKind, Fields>

/** The keys that each kind of element may have. Its lists of children are checked separately. */
export const ELEMENT_KEYS: Readonly<Record<ElementKind, ReadonlySet<string>>> = {
  language: keysOf('language'),
  version: keysOf('version'),
  product: keysOf('product'),
  tab: keysOf('tab'),
  dropdown: keysOf('dropdown'),
  anchor: keysOf('anchor'),
  item: keysOf('item'),
  // A group cannot be a link, but `href` is accepted here because it has a message of its own.
  group: keysOf('group').union(new Set(['href'])),
}

function keysOf(kind: ElementKind): ReadonlySet<string> {
  return new Set([kind, ...Object.keys(ELEMENT_FIELDS[kind]), ...CHILD_KINDS])
}

export const ROOT_FIELDS = {
  directory: COMMON.directory,
  openapi: COMMON.openapi,
  global: optional(anything, 'Links on every page.'),
} satisfies Fields

function chrome() {
  return {
    banner: optional(banner, 'Banner of this language.'),
    footer: optional(footer, 'Footer of this language.'),
    navbar: optional(navbar, 'Navbar of this language.'),
  } satisfies Fields
}

/** Fields of the format for which Octavo does not generate pages yet. */
export const UNSUPPORTED_FIELDS = ['asyncapi', 'graphql', 'sdk'] as const

/** The kind of elements in each list of children. */
export const KIND_OF_LIST: Readonly<Record<Exclude<ChildKind, 'pages'>, ElementKind>> = {
  languages: 'language',
  versions: 'version',
  products: 'product',
  tabs: 'tab',
  dropdowns: 'dropdown',
  anchors: 'anchor',
  menu: 'item',
  groups: 'group',
}

/** Returns the list that an entry belongs to, according to the key that contains its name. */
export function listOfEntry(has: (key: string) => boolean): ChildKind {
  const lists = Object.entries(KIND_OF_LIST) as [ChildKind, ElementKind][]
  return lists.find(([, kind]) => has(kind))?.[0] ?? 'groups'
}

/** The names of the element kinds, as used in messages. */
export const KIND_LABELS: Readonly<Record<ElementKind, string>> = {
  language: 'Language',
  version: 'Version',
  product: 'Product',
  tab: 'Tab',
  dropdown: 'Dropdown',
  anchor: 'Anchor',
  item: 'Menu item',
  group: 'Group',
}

/** Keys from other products and common mistakes, each with a hint for the author. */
export const LEGACY_ELEMENT_KEYS: Readonly<Record<string, string>> = {
  url: 'Use `href`.',
  collapsed: 'Remove it: nested groups are collapsed unless `expanded` is `true`.',
  iconType: 'Use an object: `"icon": {"name": "…", "style": "…"}`.',
  isDefaultHidden: 'Use `hidden`.',
}
