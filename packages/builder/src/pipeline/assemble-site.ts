/**
 * Prepares everything that the pages of a site share: the frame around each page, the files that
 * every page loads, and the writer of page outputs. A build and the development server both use it,
 * so they cannot produce different pages.
 */
import { contentPolicy, navigationJson } from '@octavo/model'
import { SearchScopes } from '@octavo/search'
import {
  BasePath,
  canonicalBase,
  createFrame,
  type Frame,
  type InterfaceTexts,
  publicBase,
  scriptHashes,
} from '@octavo/theme'
import { joinOrigins, type Origins } from '../compile/origins.ts'
import type { LoadedSite } from '../load/load-site.ts'
import { writeAssets } from '../output/assets.ts'
import { type HeaderRule, siteHeaders } from '../output/headers.ts'
import { writeIconSprite } from '../output/icon-sprite-file.ts'
import { writeIntegrations } from '../output/integrations/integration-file.ts'
import { PageCards } from '../output/page-cards.ts'
import { PageOutputs } from '../output/page-outputs.ts'
import { writeScripts } from '../output/script-files.ts'
import { SearchRoots } from '../output/search/search-indexes.ts'
import { writeSidebarTree } from '../output/sidebar-tree-file.ts'
import { siteOrigins } from '../output/site-origins.ts'
import type { SiteOutput } from '../output/site-output.ts'
import { wellKnownNames } from '../output/well-known.ts'
import { describePages } from '../plan/describe-pages.ts'
import { feedbackLinks, feedbackRepository } from '../plan/feedback-links.ts'
import { isSearchable } from '../plan/is-searchable.ts'
import { lastModified } from '../plan/last-modified.ts'
import type { PlannedPage } from '../plan/plan-pages.ts'
import { SiteAccess } from '../plan/site-access.ts'
import { specificationAccess } from '../plan/specification-access.ts'
import { specificationUrl } from '../plan/specification-files.ts'
import type { CompiledScripts } from '../scripts/compile-scripts.ts'
import { hashBytes } from '../source/hash-bytes.ts'
import type { SourceTree } from '../source/source-tree.ts'

export type AssemblyInput = {
  readonly tree: SourceTree
  readonly site: LoadedSite
  readonly pages: readonly PlannedPage[]
  readonly output: SiteOutput
  /** Must change whenever the same input could compile to different bytes. */
  readonly version: string
  readonly scripts: CompiledScripts
  readonly siteUrl?: string
  /** Interface texts in all languages of the site. */
  readonly texts: InterfaceTexts
  /** True for a server that renders pages on request and serves the site at the root of a host. */
  readonly withoutHtml?: boolean
}

export type AssembledSite = {
  readonly frame: Frame
  /**
   * Returns a key that changes with everything that is on all pages: configuration, navigation and
   * theme.
   */
  readonly frameKey: () => string
  readonly outputs: PageOutputs
  /** The site's canonical URL, if known. */
  readonly base: string | undefined
  /** The URL at which the files of this build are served, if known. */
  readonly publicUrl: string | undefined
  /** The base path of all URLs of the site. */
  readonly basePath: BasePath
  readonly access: SiteAccess
  /** True if nothing but a page's own HTML decides how its text is written. */
  readonly isPlain: boolean
  readonly searchRoots: SearchRoots['of']
  /** Returns the headers for pages that load from the given origins. */
  readonly headersFor: (origins: Origins | undefined) => readonly HeaderRule[]
  /** Adds the origins of the whole site to the given origins. */
  readonly originsWith: (origins: Origins | undefined) => Origins | undefined
}

export function assembleSite(input: AssemblyInput): AssembledSite {
  const { tree, site, pages, output, version, siteUrl } = input
  const { config, navigation } = site
  const address = siteUrl === undefined ? {} : { siteUrl }
  const publicUrl = publicBase({ config, ...address })
  const base = canonicalBase({ config, ...address })
  const basePath = basePathOf(input, { publicUrl, base })
  const access = new SiteAccess(pages, config)
  const { assets, icons } = writeSharedFiles(input, { access, basePath })
  const ofSite = siteOrigins(site, tree)
  const hashes = scriptHashes(navigation)
  const policyInput = (origins: Origins | undefined) => ({
    origins: joinOrigins(ofSite, origins),
    scriptHashes: hashes,
  })
  const policy = contentPolicy(policyInput(undefined))
  const found = pages.filter((page) => isSearchable(page, config))
  const searchRoots = new SearchRoots({ navigation, access, pages: found }).of
  const download = specificationUrl(site, access)
  const frame = createFrame({
    config,
    navigation,
    assets,
    icons,
    policy,
    describe: describePages(pages),
    modes: pageModes(pages),
    saveTree: (text, readers) => writeSidebarTree(output, text, readers),
    texts: input.texts,
    searchRoots,
    hasLabels: access.hasLabels,
    ...(download === undefined ? {} : { specification: download }),
    ...address,
    basePath,
    ...(assets.favicon === undefined ? {} : { favicon: assets.favicon }),
  })
  const parts = { assets, icons, policy, download, basePath, access, searchRoots }
  const frameKey = frameKeyOf(input, parts)
  const repository = feedbackRepository(config, tree)
  const wellKnown = wellKnownOf(input, access)
  const outputs = new PageOutputs({
    output,
    frame,
    frameKey,
    base,
    basePath,
    withoutHtml: input.withoutHtml === true,
    cards: new PageCards({ config, output, version, siteUrl, tree, pageCount: pages.length }),
    modifiedOf: (page) => lastModified(page, config, tree),
    feedbackOf: (page) => feedbackLinks(page, config, repository),
    policyFor: (origins) => contentPolicy(policyInput(origins)),
  })
  return {
    frame,
    frameKey,
    outputs,
    base,
    publicUrl,
    basePath,
    access,
    isPlain: !access.hasLabels && !basePath.isNeeded && (assets.hooks ?? []).length === 0,
    searchRoots,
    headersFor: (origins) => siteHeaders(policyInput(origins), basePath, wellKnown),
    originsWith: (origins) => joinOrigins(ofSite, origins),
  }
}

type SharedFiles = ReturnType<typeof writeSharedFiles>

/** Writes the files that every page loads: styles, scripts, icons and the author's files. */
function writeSharedFiles(
  { tree, site, output, scripts }: AssemblyInput,
  { access, basePath }: { readonly access: SiteAccess; readonly basePath: BasePath },
) {
  const { config, navigation } = site
  const noAssets = { styles: [], parts: {}, authorStyles: [], scripts: [] }
  const copied = writeAssets({
    tree,
    site,
    output,
    siteStyles: createFrame({ config, navigation, assets: noAssets, basePath }).siteStyles(),
    styles: scripts.styles,
    basePath,
    accessOfAll: access.loosest,
  })
  const icons = writeIconSprite(site.iconSprite, output)
  const own = writeScripts(output, scripts)
  const tools = writeIntegrations(output, config, scripts)
  // Our scripts come before the author's scripts, which may use them.
  const all = [own, ...(tools === undefined ? [] : [tools]), ...copied.scripts]
  return { assets: { ...copied, scripts: all }, icons }
}

type FrameParts = SharedFiles &
  Pick<AssembledSite, 'basePath' | 'access' | 'searchRoots'> & {
    readonly policy: string
    readonly download: ReturnType<typeof specificationUrl>
  }

/**
 * Returns a function that computes the key on demand, because this hashes the whole navigation and
 * a server that keeps no files does not need the key.
 */
function frameKeyOf(
  { site, pages, version, siteUrl }: AssemblyInput,
  { assets, icons, policy, download, basePath, access, searchRoots }: FrameParts,
): () => string {
  const { navigation: _, ...rest } = site.config
  let key: string | undefined
  return () => {
    key ??= hashBytes(
      version,
      siteUrl ?? '',
      basePath.path,
      JSON.stringify(assets),
      icons.url,
      policy,
      JSON.stringify(download ?? ''),
      access.hasLabels
        ? JSON.stringify(new SearchScopes(site.navigation).all.map(searchRoots))
        : '',
      // Parsed values are hashed, because parts of docs.json and the navigation may be in other
      // files.
      JSON.stringify(rest),
      JSON.stringify(navigationJson(site.navigation)),
      // A large sidebar links to pages that have a sidebar.
      JSON.stringify([...pageModes(pages)]),
    )
    return key
  }
}

/** Returns the modes that pages set. */
function pageModes(pages: readonly PlannedPage[]) {
  return new Map(
    pages.flatMap(({ path, frontmatter: { fields } }) =>
      fields.mode === undefined ? [] : [[path, fields.mode] as const],
    ),
  )
}

function wellKnownOf({ tree, site }: AssemblyInput, access: SiteAccess) {
  const accessOf = specificationAccess(site)
  const specifications = tree.files
    .filter((file) => site.specifications.has(file))
    .map((path) => ({ path, access: accessOf(path) }))
  return wellKnownNames({ access, specifications, skills: site.skills })
}

/** Returns the base path, which comes from the URL for which the site is built. */
function basePathOf(
  { tree, pages, withoutHtml }: AssemblyInput,
  { publicUrl, base }: { publicUrl: string | undefined; base: string | undefined },
): BasePath {
  const path = withoutHtml === true ? '' : pathOf(publicUrl)
  const writtenPath = pathOf(base)
  const origin = publicUrl === undefined ? undefined : new URL(publicUrl).origin
  if (path + writtenPath === '') return new BasePath({ path, origin })
  const own = new Set(tree.files.map((file) => encodeURI(`/${file}`)))
  for (const { url } of pages) {
    // Folders are included too, because they redirect to their first page.
    for (let at = url; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) own.add(at)
  }
  const isOwn = (address: string) => own.has(address.replace(/(?<=.)\/$|\.md$/, ''))
  return new BasePath({ path, writtenPath, isOwn, origin })
}

/**
 * Returns the path of a URL, such as `/docs` for https://example.com/docs. It is empty for the root
 * of a host.
 */
function pathOf(url: string | undefined): string {
  return url === undefined ? '' : new URL(url).pathname.replace(/\/+$/, '')
}
