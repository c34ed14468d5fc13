/** Outputs that are made of many pages, or of none. */
import { RedirectTable } from '@octavo/model'
import { type Frame, renderNotFound, renderRedirect } from '@octavo/theme'
import type { Origins } from '../compile/origins.ts'
import type { LoadedSite } from '../load/load-site.ts'
import { isOpen } from '../plan/is-indexed.ts'
import type { OutputPaths } from '../plan/output-paths.ts'
import { OWN_FOLDER } from '../plan/own-folder.ts'
import { siteLanguages, siteVersions } from '../plan/page-languages.ts'
import type { PlannedPage } from '../plan/plan-pages.ts'
import { allRedirects, plainRedirects, redirectsFile } from '../plan/redirects.ts'
import { FULL_TEXT, htmlPath, MARKDOWN_ARCHIVE, markdownPath } from '../plan/site-paths.ts'
import { ZipArchive } from '../plan/zip-files.ts'
import { hashBytes } from '../source/hash-bytes.ts'
import { type HeaderRule, printHeadersFile } from './headers.ts'
import { llmsFiles } from './llms-files.ts'
import { writeManifest } from './manifest-files.ts'
import type { PageOutputs } from './page-outputs.ts'
import type { SiteOutput } from './site-output.ts'
import { robotsTxt, sitemapXml } from './sitemap.ts'

export type SiteFilesInput = {
  readonly pages: readonly PlannedPage[]
  readonly site: LoadedSite
  readonly output: SiteOutput
  readonly paths: OutputPaths
  readonly outputs: PageOutputs
  readonly frame: Frame
  readonly frameKey: string
  /** Where the site will be, if that is known. */
  readonly base: string | undefined
  readonly headers: readonly HeaderRule[]
  /** Changes whenever the same input would give other bytes. */
  readonly version: string
  /** The commit of the source, if that is known. */
  readonly commit: string | undefined
  /** Other hosts that pages load from. */
  readonly origins: Origins | undefined
}

/** The format counts no further. */
const ZIP_ENTRIES_MAX = 65_535

export function writeSiteFiles(input: SiteFilesInput): void {
  const { pages, site, output, frame, frameKey, base, headers } = input
  const { seo } = site.config
  const open = pages.filter((page) => isOpen(page, seo?.indexing))
  const put = (path: string, text: string) => output.write(path, text, { access: 'default' })
  const { name, description } = site.config
  const specifications = [...site.specifications.keys()].filter((source) => output.has(source))
  for (const { path, text } of llmsFiles({
    name,
    description,
    specifications,
    pages: open,
    navigation: site.navigation,
  }))
    put(path, text)
  writeFullText(input, open)
  const trailingSlash = seo?.trailingSlash === true
  if (base !== undefined) put('sitemap.xml', sitemapXml(open, base, { trailingSlash }))
  put('robots.txt', robotsTxt(base))
  const notFoundKey = hashBytes(frameKey, frame.renderMainParts())
  const notFound = { key: notFoundKey, access: 'default' } as const
  if (!output.keep('404.html', notFound)) output.write('404.html', renderNotFound(frame), notFound)
  writeRedirects(input, put)
  if (site.specifications.size > 0) put(`${OWN_FOLDER}/oauth.html`, OAUTH_PAGE)
  put('_headers', printHeadersFile(headers))
  put(`${OWN_FOLDER}/headers.json`, `${JSON.stringify(headers, null, 1)}\n`)
  writeManifest(output, manifestFacts(input))
}

function manifestFacts({ pages, site, base, version, commit, origins }: SiteFilesInput) {
  return {
    builder: version,
    ...(commit === undefined ? {} : { commit }),
    basePath: base === undefined ? '/' : new URL(base).pathname,
    redirects: allRedirects(site, pages).map(({ source, destination, permanent }) => ({
      source,
      destination,
      permanent,
      access: 'default' as const,
    })),
    origins: origins ?? {},
    languages: siteLanguages(site.navigation),
    versions: siteVersions(site.navigation),
    search: [],
    sections: `${OWN_FOLDER}/sections/`,
  }
}

/** Where a playground is sent back to after signing in. The window that opened it reads the rest. */
const OAUTH_PAGE =
  '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="robots" content="noindex"><title>Signed in</title><p>You can close this window.</p></html>\n'

/** The Markdown of all pages: behind each other in one text, and as files in an archive. */
function writeFullText({ output, outputs }: SiteFilesInput, pages: readonly PlannedPage[]): void {
  const key = hashBytes(...pages.map((page) => outputs.keys.get(page.path) ?? ''))
  const facts = { key, access: 'default' } as const
  const isThere = [FULL_TEXT, MARKDOWN_ARCHIVE].map((path) => output.keep(path, facts))
  if (isThere.every(Boolean)) return
  const text = output.openParts(FULL_TEXT, facts)
  const files = output.openParts(MARKDOWN_ARCHIVE, facts)
  const archive = new ZipArchive()
  for (const [index, page] of pages.entries()) {
    const path = markdownPath(page.path)
    const markdown = output.readBytes(path)
    if (index > 0) text.add('\n---\n\n')
    text.add(trimEnd(markdown))
    text.add(`\n\nSource: ${page.url}\n`)
    if (index >= ZIP_ENTRIES_MAX) continue
    for (const part of archive.add(path, markdown)) files.add(part)
  }
  files.add(archive.finish())
  text.close()
  files.close()
}

function trimEnd(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  while (end > 0 && (bytes[end - 1] ?? 0) <= SPACE) end -= 1
  return bytes.subarray(0, end)
}

const SPACE = 32

/** For hosts that read `_redirects`, and as small pages for those that do not. */
function writeRedirects(
  { site, pages, paths }: SiteFilesInput,
  put: (path: string, text: string) => void,
): void {
  const urls = new Set(pages.map(({ url }) => url))
  const redirects = allRedirects(site, pages)
  if (redirects.length === 0) return
  const table = new RedirectTable(redirects, (url) => urls.has(url))
  put('_redirects', redirectsFile(redirects))
  for (const { source } of plainRedirects(redirects)) {
    const match = table.match(source)
    const path = decodeURIComponentSafely(source).replace(/^\/+|\/+$/g, '') || 'index'
    const file = htmlPath(path)
    if (match === undefined || !isSafePath(path) || !paths.claim(file)) continue
    put(file, renderRedirect(match.destination))
  }
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** No way out of the output folder, and nothing that a file system takes for something else. */
function isSafePath(path: string): boolean {
  return path
    .split('/')
    .every((part) => part !== '..' && part !== '.' && part !== '' && !/[\0\\:*?"<>|]/.test(part))
}
