import {
  type AccessLabel,
  type Config,
  checkRedirects,
  checkRoutes,
  type Diagnostic,
  DiagnosticList,
  diagnose,
  type FindOperations,
  type JsonObject,
  type KnownPage,
  type Navigation,
  normalizeSource,
  type OverlayUse,
  type PageBacking,
  type ParsedConfig,
  pagePathOfUrl,
  parseConfig,
  type Report,
  type ResolvedNavigation,
  resolveNavigation,
  retiredPages,
  type WrittenRedirect,
} from '@octavo/model'
import type { Specification } from '@octavo/openapi'
import type { LabeledQuestion } from '@octavo/search'
import type { IconSprite } from '@octavo/theme'
import type { SourceTree } from '../source/source-tree.ts'
import { FONT_RECORD_FILE } from './fonts/font-record.ts'
import { HostedFonts } from './fonts/hosted-fonts.ts'
import { loadFonts } from './fonts/load-fonts.ts'
import type { FontFile } from './fonts/site-font.ts'
import { addReference, hostedDiagnostics } from './hosted-diagnostics.ts'
import { HostedSpecifications } from './hosted-specifications.ts'
import { cleanSvgFiles } from './images/load-drawings.ts'
import { loadIcons } from './load-icons.ts'
import { loadPages, type PageHead, tooLarge } from './load-pages.ts'
import { loadQuestions } from './load-questions.ts'
import { type AgentSkill, loadSkills } from './load-skills.ts'
import { SpecificationLibrary } from './specification-library.ts'

export type LoadedSite = {
  readonly configFile: string
  readonly config: Config
  /** The parsed docs.json, with the place of each value. */
  readonly configRoot: JsonObject | undefined
  readonly pages: readonly KnownPage[]
  readonly navigation: Navigation
  /** The specifications that the site uses, by path or URL. */
  readonly specifications: ReadonlyMap<string, Specification>
  /** Specification files in the repository that the site does not use. */
  readonly unusedSpecifications: readonly string[]
  /** The specifications that overlays change, with the overlays that docs.json names. */
  readonly overlaid: ReadonlyMap<string, readonly OverlayUse[]>
  /** Finds a specification by its name in docs.json or on a page. */
  readonly specification: (source: string) => Specification | undefined
  readonly listings: FindOperations
  readonly redirects: readonly WrittenRedirect[]
  /** Icons that appear outside the content of pages. */
  readonly iconSprite: IconSprite
  /** Cleaned SVG images by path. Only images that had active content are included. */
  readonly drawings: ReadonlyMap<string, string>
  /** Fonts in `fonts` of docs.json that come from packages or URLs. */
  readonly fonts: readonly FontFile[]
  /** Skills that agents can install to work with the product. */
  readonly skills: readonly AgentSkill[]
  /** Questions with the pages that answer them, to find answers that a change loses. */
  readonly questions: readonly LabeledQuestion[]
  /** The operation or schema that a page shows, by page path. */
  readonly backings: ReadonlyMap<string, PageBacking>
  /** Access labels by page path; pages with the default label are omitted. */
  readonly labels: ReadonlyMap<string, AccessLabel>
}

export type LoadResult = {
  /** Undefined if there is no usable configuration. The diagnostics explain why. */
  readonly site: LoadedSite | undefined
  readonly diagnostics: readonly Diagnostic[]
}

export type LoadOptions = {
  /**
   * The outcomes of hosted specifications. A specification that was not fetched yet is treated as
   * not read.
   */
  readonly hosted?: HostedSpecifications
  /** The outcomes of fetched fonts. */
  readonly fonts?: HostedFonts
  /** Returns the head of a page, which may be cached. */
  readonly headOf?: (file: string) => PageHead
}

/**
 * Loads the configuration, the pages and the resolved navigation from a source tree, and collects
 * all diagnostics.
 */
export function loadSite(tree: SourceTree, options: LoadOptions = {}): LoadResult {
  const list = new DiagnosticList()
  tree.diagnostics.forEach(list.report)
  const read = readConfig(tree, list.report)
  const site = read && loadConfigured({ ...read, ...options, tree, report: list.report })
  return { site, diagnostics: list.sorted() }
}

type ReadConfig = {
  readonly configFile: string
  readonly config: Config
  readonly parsed: ParsedConfig
}

function readConfig(tree: SourceTree, report: Report): ReadConfig | undefined {
  const configFile = findConfig(tree, report)
  if (configFile === undefined) return undefined
  const text = tree.read(configFile)
  if (text === undefined) {
    report(tooLarge(configFile))
    return undefined
  }
  const parsed = parseConfig({ file: configFile, text, readPart: tree.read })
  parsed.diagnostics.forEach(report)
  return parsed.config && { configFile, config: parsed.config, parsed }
}

type LoadInput = ReadConfig & LoadOptions & { readonly tree: SourceTree; readonly report: Report }

function loadConfigured(input: LoadInput): LoadedSite {
  const { tree, configFile, config, parsed, report } = input
  const { pages: found, diagnostics } = loadPages(tree, input.headOf)
  diagnostics.forEach(report)
  checkRoutes(found, report)
  const drawings = cleanSvgFiles(tree, report)
  const index = indexPages(found)
  const library = new SpecificationLibrary(
    tree,
    input.hosted ?? new HostedSpecifications(),
    parsed.overlays,
  )
  const { navigation, backings, labels } = resolvePages(input, { found, index, library })
  const retired = checkAddresses(input, { index, navigation })
  const { specifications } = library
  return {
    configFile,
    config,
    configRoot: parsed.root,
    pages: retired.size === 0 ? found : found.filter(({ path }) => !retired.has(path)),
    navigation,
    specifications,
    overlaid: library.overlaid,
    unusedSpecifications: library.specificationFiles().filter((file) => {
      return file !== configFile && !specifications.has(file) && !library.changedFiles.has(file)
    }),
    backings,
    labels,
    iconSprite: loadIcons({
      config,
      navigation,
      configFile,
      pages: index,
      read: tree.read,
      report,
    }),
    specification: (source) => specifications.get(normalizeSource(source)),
    listings: library.operations,
    redirects: parsed.redirects,
    drawings,
    fonts: loadFonts({
      config,
      root: parsed.root,
      configFile,
      folder: tree.folder,
      record: tree.read(FONT_RECORD_FILE),
      hosted: input.fonts ?? new HostedFonts(),
      report,
    }),
    skills: loadSkills(tree, report),
    questions: loadQuestions(tree, report),
  }
}

type PagesAndLibrary = {
  readonly found: readonly KnownPage[]
  readonly index: ReadonlyMap<string, KnownPage>
  readonly library: SpecificationLibrary
}

/** Resolves the navigation and reports problems of the specifications that it uses. */
function resolvePages(
  { tree, configFile, config, parsed, report }: LoadInput,
  { found, index, library }: PagesAndLibrary,
): ResolvedNavigation {
  const files = new Set(tree.files)
  // Specifications in docs.json are read even if no page shows them, so that their problems are
  // reported.
  for (const { source } of parsed.specifications?.uses ?? []) library.operations(source)
  const resolved = resolveNavigation({
    written: config.navigation,
    pages: index,
    operations: library.operations,
    schemas: library.schemas,
    specificationFiles: library.specificationFiles,
    hasFile: (path) => files.has(path),
    defaults: parsed.specifications,
    redirects: parsed.redirects,
  })
  resolved.diagnostics.forEach(report)
  for (const source of resolved.generated) library.checkTags(source)
  const hosted = {
    outcomes: library.hostedOutcomes,
    partOf: library.partOf,
    root: parsed.root,
    configFile,
    pages: found,
  }
  hostedDiagnostics(hosted).forEach(report)
  for (const diagnostic of library.diagnostics) report(addReference(diagnostic, hosted))
  return resolved
}

/** Checks redirects and returns the pages that are replaced by redirects. */
function checkAddresses(
  { parsed: { redirects }, report }: LoadInput,
  { index, navigation }: Pick<PagesAndLibrary, 'index'> & Pick<LoadedSite, 'navigation'>,
): ReadonlySet<string> {
  const isListed = (path: string) => navigation.byPath.has(path)
  const retired = retiredPages({ pages: index, isListed, redirects, report })
  checkRedirects({
    redirects,
    isPage: (url) => !retired.has(pagePathOfUrl(url) ?? '') && isPageAt(url, index, navigation),
    report,
  })
  return retired
}

function findConfig(tree: SourceTree, report: Report): string | undefined {
  const [first, second] = ['docs.json', 'mint.json'].filter((name) => tree.files.includes(name))
  if (first === undefined) {
    const elsewhere = tree.files.filter((file) => /\/(?:docs|mint)\.json$/.test(file)).slice(0, 3)
    report(
      diagnose(
        'config/not-found',
        { file: 'docs.json', line: 1, column: 1 },
        {
          message: 'docs.json was not found in this folder.',
          hint:
            elsewhere.length > 0
              ? `There is one in ${elsewhere.join(', ')}: pass that folder.`
              : 'Pass the folder of your documentation, or create a site with `octavo init`.',
        },
      ),
    )
  }
  if (first !== undefined && second !== undefined) {
    report(
      diagnose(
        'config/two-files',
        { file: second, line: 1, column: 1 },
        {
          message: `Both ${first} and ${second} exist; only ${first} is used.`,
          hint: `Remove ${second}.`,
        },
      ),
    )
  }
  return first
}

/**
 * Indexes pages by path. If both `start.mdx` and `start.md` exist, only the first one in the list
 * is used.
 */
function indexPages(pages: readonly KnownPage[]): ReadonlyMap<string, KnownPage> {
  const index = new Map<string, KnownPage>()
  for (const page of pages) if (!index.has(page.path)) index.set(page.path, page)
  return index
}

function isPageAt(
  url: string,
  index: ReadonlyMap<string, KnownPage>,
  navigation: Navigation,
): boolean {
  const path = pagePathOfUrl(url)
  if (path === undefined) return false
  return (
    index.get(path)?.isPageOnlyWhenListed === false ||
    navigation.byPath.get(path)?.missing === false
  )
}
