/** Writes the outputs that depend on many pages or on none. */
import {
  type Access,
  ASSISTANT_FILE_PATH,
  DOCS_SETTINGS_PATH,
  HOST_SCRIPT_PATH,
  type ManifestFacts,
  PLAIN_HOST_SCRIPT,
  QUESTIONS_PATH,
  RedirectTable,
  type SiteBrand,
} from '@octavo/model'
import { printQuestions, SearchScopes } from '@octavo/search'
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
import { htmlPath } from '../plan/site-paths.ts'
import { specificationAccess } from '../plan/specification-access.ts'
import { hashBytes } from '../source/hash-bytes.ts'
import { docsSettings } from './docs-settings.ts'
import { FINDINGS_FILE } from './findings-file.ts'
import { writeFullText } from './full-text.ts'
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
  /** The base path of all URLs of the site. */
  readonly basePath: BasePath
  readonly headers: readonly HeaderRule[]
  /** Must change whenever the same input could compile to different bytes. */
  readonly version: string
  /** The commit from which the site is built, if known. */
  readonly commit: string | undefined
  /** Other hosts from which pages load something. */
  readonly origins: Origins | undefined
  readonly access: SiteAccess
  readonly searchRoots: SearchRoots['of']
}

/** What an edit of a page needs to write the files that contain data of all pages. */
export type WrittenSite = {
  readonly manifest: ManifestFacts
  readonly fullText: { readonly access: Access; readonly pages: readonly PlannedPage[] }
}

export function writeSiteFiles(input: SiteFilesInput): WrittenSite {
  const { site, output, base, headers, access } = input
  const open = input.pages.filter((page) => isIndexed(page, site.config.seo?.indexing))
  writeLists(input, open)
  writeWellKnown({ ...input, ...agentFacts(input) })
  const { items: pages, access: fullAccess } = access.forAll(open)
  const keyed = pages.map(({ path, url }) => {
    return { path, url, key: input.outputs.keys.get(path) ?? '' }
  })
  writeFullText({ ...input, access: fullAccess }, keyed)
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
  if (site.questions.length > 0)
    output.write(QUESTIONS_PATH, printQuestions(site.questions), PLAIN_HOST_FACTS)
  const manifest = manifestFacts(input)
  writeManifest(output, manifest)
  // The manifest does not list these two files, because hosts that read the manifest have their own
  // versions. A plain host has no proxy for the playground.
  output.write(HOST_SCRIPT_PATH, PLAIN_HOST_SCRIPT, { access: 'public' })
  output.write(VERSION_FILE, '{"proxy":false}\n', { access: 'public' })
  return { manifest, fullText: { access: fullAccess, pages } }
}

const VERSION_FILE = `${OWN_FOLDER}/version.json`

/** Files that are written after the manifest, which does not list them. */
export const NOT_IN_MANIFEST: readonly string[] = [HOST_SCRIPT_PATH, VERSION_FILE, FINDINGS_FILE]

/** Marks files that a host with manifest support does not need and must not serve. */
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

/** Returns all resources for agents except the pages. */
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

/**
 * Returns the site's name, and its logo if that is a file of the site. Hosts do not load logos from
 * other sites.
 */
function siteBrand({ config }: LoadedSite, output: SiteOutput): SiteBrand {
  const { name, logo } = config
  if (logo === undefined) return { name }
  const { light, dark } = typeof logo === 'string' ? { light: logo, dark: logo } : logo
  const paths = { light: light.replace(/^\.?\//, ''), dark: dark.replace(/^\.?\//, '') }
  return output.has(paths.light) && output.has(paths.dark) ? { name, logo: paths } : { name }
}

/**
 * The page to which a playground's sign-in redirects. The window that opened this page reads the
 * result.
 */
const OAUTH_PAGE =
  '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="robots" content="noindex"><title>Signed in</title><p>You can close this window.</p></html>\n'

/**
 * Writes the redirects to a file for hosts that read `_redirects`, and as small pages for all other
 * hosts.
 */
function writeRedirects({ site, pages, paths, output, basePath }: SiteFilesInput): void {
  const urls = new Set(pages.map(({ url }) => url))
  const redirects = allRedirects(site, pages)
  if (redirects.length === 0) return
  const table = new RedirectTable(redirects, (url) => urls.has(url))
  const rules = redirects.map((redirect) => ({
    ...redirect,
    source: basePath.below(redirect.source),
    destination: basePath.address(redirect.destination),
  }))
  output.write('_redirects', redirectsFile(rules), PLAIN_HOST_FACTS)
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
 * Checks that a path stays inside the output folder and has no characters that are special in file
 * systems.
 */
function isSafePath(path: string): boolean {
  return path
    .split('/')
    .every((part) => part !== '..' && part !== '.' && part !== '' && !/[\0\\:*?"<>|]/.test(part))
}
