/** Plans the pages of a site, with all data known before they are compiled. Pure. */
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
  /** True if its version comes from the tab or anchor around it. */
  readonly inheritsVersion?: boolean
  readonly entry: NavPage | undefined
  /** The access to the page and to everything made from it. */
  readonly access: AccessLabel
  /** `guides` for the page `guides/index`, if `/guides` is free and becomes its address. */
  readonly alias?: string
  /** The source file; undefined for a page that is generated from an operation only. */
  readonly file: string | undefined
  readonly backing: PageBacking | undefined
}

/** Returns pages in navigation order, then those that are not listed. */
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

/** Plans a page that is generated from the specification only. */
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
 * The page's own version takes precedence, then its operation's, then that of the tab or anchor.
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
 * An operation's description is used for lists and the head, but hidden above the content, which
 * shows all of it.
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
