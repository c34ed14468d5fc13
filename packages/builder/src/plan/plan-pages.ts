/**
 * Plans the pages of a site, with all data that is known before they are compiled. Has no side
 * effects.
 */
import {
  type AccessLabel,
  EMPTY_FRONTMATTER,
  type Frontmatter,
  folderOfIndex,
  type KnownPage,
  type NavPage,
  normalizeRedirectPath,
  type PageBacking,
  pageUrl,
  titleFromPath,
  versionOf,
} from '@octavo/model'
import type { LoadedSite } from '../load/load-site.ts'

export type PlannedPage = {
  readonly path: string
  readonly url: string
  readonly title: string
  readonly description: string | undefined
  readonly frontmatter: Frontmatter
  /** True if the version of the page comes from the tab or anchor that contains the page. */
  readonly inheritsVersion?: boolean
  readonly entry: NavPage | undefined
  /** Who may read the page and everything that is generated from it. */
  readonly access: AccessLabel
  /**
   * The alias of an index page: `guides` for `guides/index`, if `/guides` is free and becomes the
   * page's URL.
   */
  readonly alias?: string
  /** The source file; undefined for a page that is completely generated from an operation. */
  readonly file: string | undefined
  readonly backing: PageBacking | undefined
}

/** Returns the pages in the order of the navigation, followed by the pages that are not listed. */
export function planPages(site: LoadedSite): readonly PlannedPage[] {
  const known = new Map<string, KnownPage>()
  for (const page of site.pages) if (!known.has(page.path)) known.set(page.path, page)
  const planned = new Map<string, PlannedPage>()
  for (const entry of site.navigation.byPath.values()) {
    const page = planListed(site, entry, known.get(entry.path))
    if (page !== undefined) planned.set(page.path, page)
  }
  for (const page of known.values()) {
    if (page.isPageOnlyWhenListed || planned.has(page.path)) continue
    planned.set(page.path, planFile(site, page, undefined))
  }
  const sources = new Set(site.redirects.map(({ source }) => normalizeRedirectPath(source)))
  return [...planned.values()].map((page) => {
    const alias = folderOfIndex(page.path)
    if (alias === undefined || planned.has(alias)) return page
    const url = pageUrl(alias)
    return sources.has(url) ? page : { ...page, alias, url }
  })
}

function planListed(
  site: LoadedSite,
  entry: NavPage,
  known: KnownPage | undefined,
): PlannedPage | undefined {
  if (entry.missing || entry.link === entry.path) return undefined
  if (known !== undefined) return planFile(site, known, entry)
  return entry.operation === undefined ? undefined : planOperation(site, entry)
}

function planFile(site: LoadedSite, page: KnownPage, entry: NavPage | undefined): PlannedPage {
  const { fields } = page.frontmatter
  const backing = site.backings.get(page.path)
  const shown = backing?.kind === 'operation' ? backing.listing.title : backing?.name
  return {
    path: page.path,
    url: pageUrl(page.path),
    title: fields.title ?? shown ?? titleFromPath(page.path),
    ...withVersion(withDescription(page.frontmatter, backing), backing, undefined),
    entry,
    access: site.labels.get(page.path) ?? 'default',
    file: page.file,
    backing,
  }
}

/** Plans a page that is completely generated from the specification. */
function planOperation(site: LoadedSite, entry: NavPage): PlannedPage | undefined {
  const { operation } = entry
  const source = operation?.specification
  if (operation === undefined || source === undefined) return undefined
  const backing = operationBacking(site, source, operation)
  if (backing === undefined) return undefined
  return {
    path: entry.path,
    url: entry.url,
    title: backing.listing.title,
    ...withVersion(
      withDescription(backing.listing.frontmatter ?? EMPTY_FRONTMATTER, backing),
      backing,
      versionOf(entry),
    ),
    inheritsVersion: backing.listing.frontmatter?.fields.version === undefined,
    entry,
    access: site.labels.get(entry.path) ?? 'default',
    file: undefined,
    backing,
  }
}

type Described = Pick<PlannedPage, 'description' | 'frontmatter'>

/**
 * The page's own version takes precedence, then that of its operation, then that of the tab or
 * anchor.
 */
function withVersion(
  described: Described,
  backing: PageBacking | undefined,
  inherited: string | undefined,
): Described {
  const { fields } = described.frontmatter
  const shown = backing?.kind === 'operation' ? backing.listing.frontmatter?.fields : undefined
  const version = fields.version ?? shown?.version ?? inherited
  if (version === undefined || version === fields.version) return described
  return {
    ...described,
    frontmatter: { ...described.frontmatter, fields: { ...fields, version } },
  }
}

/**
 * Hides an operation's description above the content, because the content already shows the full
 * description. Lists and the HTML head still use it.
 */
function withDescription(frontmatter: Frontmatter, backing: PageBacking | undefined): Described {
  const { description } = frontmatter.fields
  const shown = backing?.kind === 'operation' ? backing.listing : undefined
  if (shown?.description === undefined) return { description, frontmatter }
  if (description !== undefined && shown.frontmatter !== frontmatter) {
    return { description, frontmatter }
  }
  const metadata = { ...frontmatter.metadata, hideDescription: true }
  return { description: shown.description, frontmatter: { ...frontmatter, metadata } }
}

function operationBacking(
  site: LoadedSite,
  source: string,
  { method, path }: { readonly method: string; readonly path: string },
): Extract<PageBacking, { kind: 'operation' }> | undefined {
  const listing = site.listings(source)?.find((one) => one.method === method && one.path === path)
  return listing && { kind: 'operation', source, listing }
}
