/**
 * Everything that the pages of a site share: the frame around them, the files that every page
 * loads, and the outputs of each page. Both a build and the development server use it, so that they
 * cannot produce different pages.
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
  /** Changes whenever the same input could produce different bytes. */
  readonly version: string
  readonly scripts: CompiledScripts
  readonly siteUrl?: string
  /** Interface texts in the languages of the site. */
  readonly texts: InterfaceTexts
  /** True for a server that renders pages on request, at the root of its host. */
  readonly withoutHtml?: boolean
}

export type AssembledSite = {
  readonly frame: Frame
  /** Changes with everything that all pages show: configuration, navigation, theme. */
  readonly frameKey: () => string
  readonly outputs: PageOutputs
  /** The site's canonical URL, if known. */
  readonly base: string | undefined
  /** The URL of the files of this build, if known. */
  readonly publicUrl: string | undefined
  /** The base path of its addresses. */
  readonly basePath: BasePath
  readonly access: SiteAccess
  readonly searchRoots: SearchRoots['of']
  /** Returns the headers of a site whose pages load from these other hosts. */
  readonly headersFor: (origins: Origins | undefined) => readonly HeaderRule[]
  /** Returns these hosts with those of the whole site. */
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
    texts: input.texts,
    searchRoots,
    hasLabels: access.hasLabels,
    ...(download === undefined ? {} : { specification: download }),
    ...address,
    basePath,
    ...(assets.favicon === undefined ? {} : { favicon: assets.favicon }),
  })
  const frameKey = frameKeyOf(input, {
    assets,
    icons,
    policy,
    download,
    basePath,
    access,
    searchRoots,
  })
  const repository = feedbackRepository(config, tree)
  const wellKnown = wellKnownOf(input, access)
  const outputs = new PageOutputs({
    output,
    frame,
    frameKey,
    base,
    basePath,
    withoutHtml: input.withoutHtml === true,
    cards: new PageCards({ config, output, version, siteUrl }),
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
    searchRoots,
    headersFor: (origins) => siteHeaders(policyInput(origins), basePath, wellKnown),
    originsWith: (origins) => joinOrigins(ofSite, origins),
  }
}

type SharedFiles = ReturnType<typeof writeSharedFiles>

/** Writes the files that every page loads: styles, scripts, icons and the author's own. */
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
  // Before the author's scripts, which may use them.
  const all = [own, ...(tools === undefined ? [] : [tools]), ...copied.scripts]
  return { assets: { ...copied, scripts: all }, icons }
}

type FrameParts = SharedFiles &
  Pick<AssembledSite, 'basePath' | 'access' | 'searchRoots'> & {
    readonly policy: string
    readonly download: ReturnType<typeof specificationUrl>
  }

/**
 * Computed on demand: it hashes the whole navigation, and a server that keeps no files never needs
 * it.
 */
function frameKeyOf(
  { site, version, siteUrl }: AssemblyInput,
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
      // Parsed values, since parts of both may be in other files.
      JSON.stringify(rest),
      JSON.stringify(navigationJson(site.navigation)),
    )
    return key
  }
}

function wellKnownOf({ tree, site }: AssemblyInput, access: SiteAccess) {
  const accessOf = specificationAccess(site)
  const specifications = tree.files
    .filter((file) => site.specifications.has(file))
    .map((path) => ({ path, access: accessOf(path) }))
  return wellKnownNames({ access, specifications, skills: site.skills })
}

/** Returns the base path from the URL that the site is built for. */
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
    // Includes folders, since they redirect to their first page.
    for (let at = url; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) own.add(at)
  }
  const isOwn = (address: string) => own.has(address.replace(/(?<=.)\/$|\.md$/, ''))
  return new BasePath({ path, writtenPath, isOwn, origin })
}

/** Returns for example `/docs` for https://example.com/docs; empty for the root of a host. */
function pathOf(url: string | undefined): string {
  return url === undefined ? '' : new URL(url).pathname.replace(/\/+$/, '')
}
