/** Creates navigation entries for a page file, an operation, or a link among the pages. */

import { pageUrl, titleFromPath } from '../routes/page-path.ts'
import { stripCodeMarks } from '../text/inline-code.ts'
import type { NavDivision, NavGroup, NavPage } from './navigation.ts'
import type { PageBacking } from './page-backing.ts'
import { pageLabel } from './page-label.ts'
import { parseOperationText } from './parse-operation-text.ts'
import type { KnownPage, OperationListing } from './site-facts.ts'

/** A page whose position in the reading order is not known yet. */
export type UnplacedPage = Omit<NavPage, 'position' | 'access' | 'url'> & {
  url: string
  position: number
  access: NavPage['access']
}

/** The values that an entry inherits from the elements around it. */
export type EntryContext = {
  readonly hidden: boolean
  /** The value of `public` of the nearest element that sets it. */
  readonly public: boolean | undefined
  readonly parent: NavDivision | NavGroup
  readonly section: NavDivision
}

/** Creates the entry for a page file, or for a file that does not exist. */
export function filePage(
  listed: string,
  known: KnownPage | undefined,
  around: EntryContext,
  backing?: PageBacking,
): UnplacedPage {
  const shown = backing?.kind === 'operation' ? backing.listing : undefined
  const path = known?.path ?? listed
  const front = known?.frontmatter.fields ?? NO_FIELDS
  return {
    type: 'page',
    path,
    url: pageUrl(path),
    label: stripCodeMarks(
      front.sidebarTitle ?? front.title ?? titleOf(backing) ?? titleFromPath(path),
    ),
    icon: iconOf(front),
    tag: front.tag,
    hidden: front.hidden ?? around.hidden,
    deprecated: front.deprecated ?? shown?.deprecated ?? false,
    missing: known === undefined,
    link: front.url,
    operation: undefined,
    marker: markerOf(front, shown?.method),
    access: pageLabel([front, shown?.frontmatter?.fields], around.public),
    parent: around.parent,
    section: around.section,
    position: 0,
  }
}

/** The form `METHOD path-or-URL`, as in the `api` field of a handwritten page. */
const API = /^\s*(get|put|post|delete|options|head|patch|trace|webhook)\s+\S+\s*$/i

/**
 * Returns the HTTP method to show next to the page's name. If the specification was not read, the
 * method comes from the page's frontmatter.
 */
function markerOf(
  { api, openapi, hideApiMarker }: KnownPage['frontmatter']['fields'],
  method: string | undefined,
): string | undefined {
  if (hideApiMarker === true) return undefined
  if (method !== undefined) return method
  if (api !== undefined) return API.exec(api)?.[1]?.toUpperCase()
  return typeof openapi === 'string' ? parseOperationText(openapi)?.method : undefined
}

/**
 * Returns the title of the operation or schema that a page shows, which is used if the page has no
 * title.
 */
function titleOf(backing: PageBacking | undefined): string | undefined {
  return backing?.kind === 'schema' ? backing.name : backing?.listing.title
}

/** Returns the icon of a page. `iconType` is the old field for its style. */
function iconOf({ icon, iconType }: KnownPage['frontmatter']['fields']): NavPage['icon'] {
  if (icon === undefined || iconType === undefined) return icon
  return typeof icon === 'string' ? { name: icon, style: iconType } : { style: iconType, ...icon }
}

const NO_FIELDS: KnownPage['frontmatter']['fields'] = {}

/** Creates the entry for a link in a list of pages. */
export function linkPage(href: string, around: EntryContext): UnplacedPage {
  return {
    ...filePage(href, undefined, around),
    url: href,
    label: href,
    link: href,
    missing: false,
  }
}

/** Creates the entry for an operation that is listed or generated. */
export function operationPage(input: {
  readonly path: string
  readonly operation: OperationListing
  readonly specification: string | undefined
  readonly missing: boolean
  readonly around: EntryContext
}): UnplacedPage {
  const { path, operation, specification, missing, around } = input
  const { parent, section } = around
  const front = operation.frontmatter?.fields ?? NO_FIELDS
  const label = stripCodeMarks(front.sidebarTitle ?? operation.title)
  const hidden = front.hidden ?? around.hidden
  return {
    type: 'page',
    path,
    url: pageUrl(path),
    label,
    icon: iconOf(front),
    tag: front.tag,
    link: front.url,
    hidden,
    deprecated: operation.deprecated ?? false,
    missing,
    operation: { method: operation.method, path: operation.path, specification },
    marker: front.hideApiMarker === true ? undefined : operation.method,
    access: pageLabel([front], around.public),
    parent,
    section,
    position: 0,
  }
}
