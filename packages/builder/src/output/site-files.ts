/** Outputs that are made from many pages, or from no page. */
import {
  ASSISTANT_FILE_PATH,
  DOCS_SETTINGS_PATH,
  HOST_SCRIPT_PATH,
  type ManifestFacts,
  PLAIN_HOST_SCRIPT,
  RedirectTable,
  type SiteBrand,
} from '@octavo/model'
import {
  countMarkdownFiles,
  joinMarkdownFiles,
  markdownPartPath,
  SearchScopes,
} from '@octavo/search'
import { type BasePath, type Frame, notFoundPage, renderRedirect } from '@octavo/theme'
import type { Origins } from '../compile/origins.ts'
import type { LoadedSite } from '../load/load-site.ts'
import { isIndexed } from '../plan/is-indexed.ts'
import type { OutputPaths } from '../plan/output-paths.ts'
import { OWN_FOLDER } from '../plan/own-folder.ts'
import { languageStarts, siteLanguages, siteVersions } from '../plan/page-languages.ts'
import type { PlannedPage } from '../plan/plan-pages.ts'
import {
  allRedirects,
  labelledRedirects,
  plainRedirects,
  redirectsFile,
} from '../plan/redirects.ts'
import type { SiteAccess } from '../plan/site-access.ts'
import { FULL_TEXT, htmlPath, MARKDOWN_ARCHIVE, markdownPath } from '../plan/site-paths.ts'
import { specificationAccess } from '../plan/specification-access.ts'
import { ZipArchive } from '../plan/zip-files.ts'
import { hashBytes } from '../source/hash-bytes.ts'
import { docsSettings } from './docs-settings.ts'
import { type HeaderRule, printHeadersFile } from './headers.ts'
import { llmsFiles } from './llms-files.ts'
import { writeManifest } from './manifest-files.ts'
import type { PageOutputs } from './page-outputs.ts'
import { SECTIONS_FOLDER } from './search/data-files.ts'
import type { SearchRoots } from './search/search-indexes.ts'
import type { OutputFacts, SiteOutput } from './site-output.ts'
import { robotsTxt, sitemapXml } from './sitemap.ts'
import { wellKnownNames, writeWellKnown } from './well-known.ts'

export type SiteFilesInput = {
  readonly pages: readonly PlannedPage[]
  readonly site: LoadedSite
  readonly output: SiteOutput
  readonly paths: OutputPaths
  readonly outputs: PageOutputs
  readonly frame: Frame
  readonly frameKey: string
  /** The site's URL, if known. */
  readonly base: string | undefined
  /** The base path of its addresses. */
  readonly basePath: BasePath
  readonly headers: readonly HeaderRule[]
  /** Changes whenever the same input could produce different bytes. */
  readonly version: string
  /** The commit of the source, if known. */
  readonly commit: string | undefined
  /** Other hosts that pages load from. */
  readonly origins: Origins | undefined
  readonly access: SiteAccess
  readonly searchRoots: SearchRoots['of']
}

/** The limit of the ZIP format. */
const ZIP_ENTRIES_MAX = 65_535

export function writeSiteFiles(input: SiteFilesInput): void {
  const { site, output, base, headers, access } = input
  const open = input.pages.filter((page) => isIndexed(page, site.config.seo?.indexing))
  writeLists(input, open)
  writeWellKnown({ ...input, ...agentFacts(input) })
  writeFullText(input, open)
  const trailingSlash = site.config.seo?.trailingSlash === true
  if (base !== undefined) {
    const { items, access: readers } = access.forAll(open)
    const text = sitemapXml(items, base, { trailingSlash })
    output.write('sitemap.xml', text, { access: readers })
  }
  output.write('robots.txt', robotsTxt(base, site.config.seo?.contentSignals), { access: 'public' })
  writeNotFound(input)
  writeRedirects(input)
  if (site.specifications.size > 0) {
    output.write(`${OWN_FOLDER}/oauth.html`, OAUTH_PAGE, { access: 'public' })
  }
  output.write('_headers', printHeadersFile(headers), PLAIN_HOST_FACTS)
  const rules = `${JSON.stringify(headers, null, 1)}\n`
  output.write(`${OWN_FOLDER}/headers.json`, rules, PLAIN_HOST_FACTS)
  const assistant = { name: site.config.name, ...site.config.assistant }
  output.write(ASSISTANT_FILE_PATH, `${JSON.stringify(assistant)}\n`, PLAIN_HOST_FACTS)
  const settings = `${JSON.stringify(docsSettings(input))}\n`
  output.write(DOCS_SETTINGS_PATH, settings, PLAIN_HOST_FACTS)
  writeManifest(output, manifestFacts(input))
  // Written after the manifest, which does not list it: hosts that read the manifest have their own
  // script.
  output.write(HOST_SCRIPT_PATH, PLAIN_HOST_SCRIPT, { access: 'public' })
}

/** Hosts that read the manifest do not need such files and must not serve them. */
const PLAIN_HOST_FACTS: OutputFacts = { access: [] }

function writeLists(
  { site, output, access, basePath }: SiteFilesInput,
  pages: readonly PlannedPage[],
): void {
  const { name, description } = site.config
  const { specifications } = agentFacts({ site, output })
  for (const file of llmsFiles({
    name,
    description,
    instructions: site.config.markdown?.instructions,
    specifications,
    pages,
    navigation: site.navigation,
    access: access.loosest,
    basePath,
  })) {
    const { path, text, ranges } = file
    const facts = { access: file.access }
    output.write(path, text, ranges.length === 0 ? facts : { ...facts, ranges })
  }
}

/** Returns the resources for agents besides pages. */
function agentFacts({ site, output }: Pick<SiteFilesInput, 'site' | 'output'>) {
  const accessOf = specificationAccess(site)
  const specifications = [...site.specifications.keys()]
    .filter((source) => output.has(source))
    .map((path) => ({ path, access: accessOf(path) }))
  return { specifications, skills: site.skills }
}

function writeNotFound({ output, frame, frameKey, access }: SiteFilesInput): void {
  const key = hashBytes(frameKey, frame.renderMainParts())
  const facts = { key, access: access.loosest }
  if (output.keep('404.html', facts)) return
  const { html, ranges } = frame.renderLabeled({ ...notFoundPage(frame), access: access.loosest })
  output.write('404.html', html, ranges.length === 0 ? facts : { ...facts, ranges })
}

function manifestFacts(input: SiteFilesInput): ManifestFacts {
  const { pages, site, output, basePath, version, commit, origins, searchRoots } = input
  const { all } = new SearchScopes(site.navigation)
  const starts = languageStarts(site.navigation)
  const wellKnown = wellKnownNames({ ...input, ...agentFacts(input) })
  return {
    builder: version,
    ...(commit === undefined ? {} : { commit }),
    basePath: basePath.path || '/',
    redirects: labelledRedirects(site, pages),
    origins: origins ?? {},
    languages: siteLanguages(site.navigation),
    ...(starts.length > 1 && { languageStarts: starts }),
    versions: siteVersions(site.navigation),
    ...(wellKnown.length > 0 && { wellKnown }),
    ...((site.config.auth ?? site.config.userAuth) !== undefined && { asksForSignIn: true }),
    brand: siteBrand(site, output),
    ...(site.config.integrations?.telemetry?.enabled === false && { telemetry: false }),
    search: all.flatMap((scope) =>
      searchRoots(scope).map(({ url, access }) => {
        return { scope: scope.name, path: url.slice(1), access }
      }),
    ),
    sections: `${SECTIONS_FOLDER}/`,
  }
}

/** Returns the name, and the logo if it is a file of the site: a host does not load it from elsewhere. */
function siteBrand({ config }: LoadedSite, output: SiteOutput): SiteBrand {
  const { name, logo } = config
  if (logo === undefined) return { name }
  const { light, dark } = typeof logo === 'string' ? { light: logo, dark: logo } : logo
  const paths = { light: light.replace(/^\.?\//, ''), dark: dark.replace(/^\.?\//, '') }
  return output.has(paths.light) && output.has(paths.dark) ? { name, logo: paths } : { name }
}

/** The redirect target of a playground's sign-in. The window that opened it reads the rest. */
const OAUTH_PAGE =
  '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="robots" content="noindex"><title>Signed in</title><p>You can close this window.</p></html>\n'

/** Writes the Markdown of all pages, as one text and as an archive. */
function writeFullText(
  { output, outputs, access: labels, basePath }: SiteFilesInput,
  open: readonly PlannedPage[],
): void {
  const { items: pages, access } = labels.forAll(open)
  const key = hashBytes(...pages.map((page) => outputs.keys.get(page.path) ?? ''))
  const facts = { key, access }
  const pageExists = [FULL_TEXT, MARKDOWN_ARCHIVE].map((path) => output.keep(path, facts))
  if (pageExists.every(Boolean)) return
  const text = output.openParts(FULL_TEXT, facts)
  const files = output.openParts(MARKDOWN_ARCHIVE, facts)
  const archive = new ZipArchive()
  for (const [index, page] of pages.entries()) {
    const markdown = readWhole(output, page)
    if (index > 0) text.add('\n---\n\n')
    text.add(markdown.trimEnd())
    text.add(`\n\nSource: ${basePath.whole(page.url)}\n`)
    if (index >= ZIP_ENTRIES_MAX) continue
    for (const part of archive.add(markdownPath(page.path), Buffer.from(markdown))) files.add(part)
  }
  files.add(archive.finish())
  text.close()
  files.close()
}

/** Returns the Markdown of a page without the additions of its separate files. */
function readWhole(output: SiteOutput, { path }: PlannedPage): string {
  const read = (file: string) => Buffer.from(output.readBytes(file)).toString('utf8')
  const first = read(markdownPath(path))
  const rest = Array.from({ length: countMarkdownFiles(first) - 1 }, (_, index) =>
    read(markdownPartPath(path, index + 2)),
  )
  return joinMarkdownFiles([first, ...rest])
}

/** Writes redirects for hosts that read `_redirects`, and small pages for all others. */
function writeRedirects({ site, pages, paths, output, basePath }: SiteFilesInput): void {
  const urls = new Set(pages.map(({ url }) => url))
  const redirects = allRedirects(site, pages)
  if (redirects.length === 0) return
  const table = new RedirectTable(redirects, (url) => urls.has(url))
  const asked = redirects.map((redirect) => ({
    ...redirect,
    source: basePath.below(redirect.source),
    destination: basePath.address(redirect.destination),
  }))
  output.write('_redirects', redirectsFile(asked), PLAIN_HOST_FACTS)
  for (const { source } of plainRedirects(redirects)) {
    const match = table.match(source)
    const path = decodeURIComponentSafely(source).replace(/^\/+|\/+$/g, '') || 'index'
    const file = htmlPath(path)
    if (match === undefined || !isSafePath(path) || !paths.claim(file)) continue
    output.write(file, renderRedirect(basePath.address(match.destination)), PLAIN_HOST_FACTS)
  }
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * True if the path stays in the output folder and has no characters that are special in file
 * systems.
 */
function isSafePath(path: string): boolean {
  return path
    .split('/')
    .every((part) => part !== '..' && part !== '.' && part !== '' && !/[\0\\:*?"<>|]/.test(part))
}
