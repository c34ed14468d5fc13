/**
 * What all pages of a site share, made once: the frame around them, the files that every page loads,
 * which pages there are and what becomes of each. A build and the server for authors both start from
 * it, so that they cannot give different pages.
 */
import { navigationJson } from '@octavo/model'
import { SearchScopes } from '@octavo/search'
import {
  canonicalBase,
  createFrame,
  type Frame,
  HEAD_SCRIPT_HASH,
  type InterfaceTexts,
  PAUSE_SCRIPT_HASH,
} from '@octavo/theme'
import { joinOrigins, type Origins } from '../compile/origins.ts'
import type { LoadedSite } from '../load/load-site.ts'
import { writeAssets } from '../output/assets.ts'
import { contentPolicy } from '../output/content-policy.ts'
import { type HeaderRule, siteHeaders } from '../output/headers.ts'
import { writeIconSprite } from '../output/icon-sprite-file.ts'
import { PageCards } from '../output/page-cards.ts'
import { PageOutputs } from '../output/page-outputs.ts'
import { writeScripts } from '../output/script-files.ts'
import { SearchRoots } from '../output/search/search-indexes.ts'
import { siteOrigins } from '../output/site-origins.ts'
import type { SiteOutput } from '../output/site-output.ts'
import { describePages } from '../plan/describe-pages.ts'
import { isSearchable } from '../plan/is-searchable.ts'
import type { PlannedPage } from '../plan/plan-pages.ts'
import { SiteAccess } from '../plan/site-access.ts'
import { specificationUrl } from '../plan/specification-files.ts'
import type { CompiledScripts } from '../scripts/compile-scripts.ts'
import { hashBytes } from '../source/hash-bytes.ts'
import type { SourceTree } from '../source/source-tree.ts'

export type AssemblyInput = {
  readonly tree: SourceTree
  readonly site: LoadedSite
  readonly pages: readonly PlannedPage[]
  readonly output: SiteOutput
  /** Changes whenever the same input would give other bytes. */
  readonly version: string
  readonly scripts: CompiledScripts
  readonly siteUrl?: string
  /** Words of the languages that the site is written in. */
  readonly texts: InterfaceTexts
  /** Pages are asked for one by one, and not written. */
  readonly withoutHtml?: boolean
}

export type AssembledSite = {
  readonly frame: Frame
  /** Changes when anything does that all pages show: configuration, navigation, theme. */
  readonly frameKey: () => string
  readonly outputs: PageOutputs
  /** Where the site will be, if that is known. */
  readonly base: string | undefined
  readonly access: SiteAccess
  readonly searchRoots: SearchRoots['of']
  /** Headers for a site whose pages load from these other hosts. */
  readonly headersFor: (origins: Origins | undefined) => readonly HeaderRule[]
  /** The same hosts, with those of the whole site. */
  readonly originsWith: (origins: Origins | undefined) => Origins | undefined
}

/** Of scripts that stand in pages. */
const SCRIPT_HASHES: readonly string[] = [HEAD_SCRIPT_HASH, PAUSE_SCRIPT_HASH]

export function assembleSite(input: AssemblyInput): AssembledSite {
  const { tree, site, output, version, siteUrl } = input
  const { config, navigation } = site
  const { navigation: _, ...rest } = config
  const noAssets = { styles: [], parts: {}, authorStyles: [], scripts: [] }
  const siteStyles = createFrame({ config, navigation, assets: noAssets }).siteStyles()
  const { styles } = input.scripts
  const copied = writeAssets({ tree, site, output, siteStyles, styles })
  const icons = writeIconSprite(site.iconSprite, output)
  const own = writeScripts(output, input.scripts)
  const assets = { ...copied, scripts: [own, ...copied.scripts] }
  const ofSite = siteOrigins(site, tree)
  const policyInput = (origins: Origins | undefined) => ({
    origins: joinOrigins(ofSite, origins),
    scriptHashes: SCRIPT_HASHES,
  })
  const policy = contentPolicy(policyInput(undefined))
  const { pages } = input
  const access = new SiteAccess(pages, config)
  const found = pages.filter((page) => isSearchable(page, config))
  const searchRoots = new SearchRoots({ navigation, access, pages: found }).of
  const download = specificationUrl(site, access)
  const frame = createFrame({
    config,
    navigation,
    assets,
    icons,
    policy,
    describe: describePages(site),
    texts: input.texts,
    searchRoots,
    hasLabels: access.hasLabels,
    ...(download === undefined ? {} : { specification: download }),
    ...(siteUrl === undefined ? {} : { siteUrl }),
    ...(assets.favicon === undefined ? {} : { favicon: assets.favicon }),
  })
  let key: string | undefined
  // All of the navigation goes into it, and a server that keeps no files never asks.
  const frameKey = () => {
    key ??= hashBytes(
      version,
      siteUrl ?? '',
      JSON.stringify(assets),
      icons.url,
      policy,
      JSON.stringify(download ?? ''),
      access.hasLabels ? JSON.stringify(new SearchScopes(navigation).all.map(searchRoots)) : '',
      // As read: parts of both may stand in other files.
      JSON.stringify(rest),
      JSON.stringify(navigationJson(navigation)),
    )
    return key
  }
  const base = canonicalBase({ config, ...(siteUrl === undefined ? {} : { siteUrl }) })
  const outputs = new PageOutputs({
    output,
    frame,
    frameKey,
    base,
    withoutHtml: input.withoutHtml === true,
    cards: new PageCards({ config, output, version, siteUrl }),
    policyFor: (origins) => contentPolicy(policyInput(origins)),
  })
  return {
    frame,
    frameKey,
    outputs,
    base,
    access,
    searchRoots,
    headersFor: (origins) => siteHeaders(policyInput(origins)),
    originsWith: (origins) => joinOrigins(ofSite, origins),
  }
}
