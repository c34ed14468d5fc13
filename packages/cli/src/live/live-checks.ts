/**
 * Checks the guarantees of a site on an Octavo service, through any proxy or CDN in front of it.
 * Each check reports the fault in the response and the setting that causes it.
 */
import type { AskSite, SiteResponse } from './ask-site.ts'

export type LiveCheck = {
  readonly name: string
  readonly url: string
  /** The fault; undefined if the check passed. */
  readonly problem: string | undefined
  readonly hint: string | undefined
}

type Problem = { readonly problem: string; readonly hint: string }
type Outcome = { readonly reply: SiteResponse } & Partial<Problem>

/** The start page and the URLs that it refers to. */
type StartPage = {
  readonly reply: SiteResponse
  readonly asset: string | undefined
  readonly searchIndex: string | undefined
  readonly link: string | undefined
}

const REDIRECTS_MAX = 5
const AS_BROWSER = { accept: 'text/html', 'accept-encoding': 'gzip, br' }
/** The minimum size of a page that must be compressed. */
const COMPRESS_BYTES_MIN = 1_024

/**
 * Runs all checks. `base` ends with a slash. If the check of the start page fails, the others are
 * skipped, because they need the page.
 */
export async function checkLiveSite(base: URL, ask: AskSite): Promise<readonly LiveCheck[]> {
  const checks: LiveCheck[] = []
  const note = (name: string, { reply, problem, hint }: Outcome) =>
    checks.push({ name, url: reply.url.href, problem, hint })
  const reply = await follow(base, ask)
  note('page', { reply, ...pageProblem(reply, base) })
  if (checks[0]?.problem !== undefined) return checks
  const page = readPage(reply, base)
  note('paths', await checkPaths(base, page, ask))
  note('version', await checkVersion(base, ask))
  note('not found', await checkNotFound(base, ask))
  note('hashed file', await checkAsset(page, ask))
  note('search', await checkSearch(page, ask))
  note('markdown', await checkMarkdown(page, ask))
  note('compression', await checkCompression(page, ask))
  note('etag', await checkEtag(page, ask))
  note('security', { reply, ...securityProblem(reply) })
  return checks
}

async function follow(base: URL, ask: AskSite): Promise<SiteResponse> {
  let reply = await ask(base, { accept: 'text/html' })
  for (let count = 0; count < REDIRECTS_MAX; count += 1) {
    const next = redirectOf(reply)
    if (next === undefined || !isBelow(next, base)) return reply
    reply = await ask(next, { accept: 'text/html' })
  }
  return reply
}

function pageProblem(reply: SiteResponse, base: URL): Problem | undefined {
  const { status, headers } = reply
  const next = redirectOf(reply)
  if (next !== undefined && isBelow(next, base))
    return {
      problem: `There are more than ${REDIRECTS_MAX} redirects, the last one to ${next.href}.`,
      hint: 'The proxy must forward the path unchanged, including the base path of the site.',
    }
  if (next !== undefined)
    return {
      problem: `${reply.url.href} redirects to ${next.href}, which is not below the URL that was given.`,
      hint: 'The proxy must forward the path and the `Host` for which the site was built: see `--url` of `octavo build`, and the base path of the site.',
    }
  if (status === 421)
    return {
      problem: 'The service responds with status 421: it does not serve this host.',
      hint: 'The proxy must send the host of the site, `<slug>.<OCTAVO_SITES_DOMAIN>`, as `Host`.',
    }
  if (status !== 200)
    return {
      problem: `The status is ${status}, not 200.`,
      hint: 'Check that the proxy forwards this path to the service, and that the project has a live deployment.',
    }
  const type = headers['content-type'] ?? ''
  if (!type.startsWith('text/html'))
    return {
      problem: `Content-Type is "${type}", not text/html.`,
      hint: 'The proxy must not change Content-Type.',
    }
  if (!reply.bytes.includes('_octavo/scripts/'))
    return {
      problem: 'This page does not belong to an Octavo site.',
      hint: 'Check where the proxy forwards this path, and that it does not change the page. It must not compress the page unless the request accepts compression.',
    }
  return undefined
}

function readPage(reply: SiteResponse, base: URL): StartPage {
  const html = reply.bytes.toString('utf8')
  const match = (pattern: RegExp) => pattern.exec(html)?.[1]
  const links = [...html.matchAll(/<a[^>]* href="(\/[^"#?/][^"#?]*)"/g)].flatMap(([, href]) => {
    const url = URL.parse(href ?? '', base.href)
    const isPage = url !== null && isBelow(url, base) && !/\.\w+$/.test(url.pathname)
    return isPage && trimSlash(url.pathname) !== trimSlash(reply.url.pathname) ? [url.pathname] : []
  })
  return {
    reply,
    asset: match(/ src="([^"]*\/_octavo\/scripts\/[^"]+)"/),
    searchIndex: match(/ data-index="([^" ]+)/),
    link: links[0],
  }
}

/**
 * Checks that the page's URLs and redirects keep the base path, and that a trailing slash works.
 */
async function checkPaths(base: URL, page: StartPage, ask: AskSite): Promise<Outcome> {
  const { reply, asset = '', link } = page
  if (!isBelow(new URL(asset, base), base))
    return {
      reply,
      problem: `The page loads ${asset}, which is not below ${base.pathname}.`,
      hint: `Build the site for this path with \`--url ${base.href}\` or \`seo.metatags.canonical\`, and configure the proxy to forward the path unchanged.`,
    }
  const bare = trimSlash(link ?? base.pathname)
  for (const path of bare === '' ? ['/'] : [bare, `${bare}/`]) {
    const response = await ask(new URL(path, base), { accept: 'text/html' })
    const next = redirectOf(response)
    if (next !== undefined && isBelow(next, base)) continue
    if (next !== undefined)
      return {
        reply: response,
        problem: `${path} redirects to ${next.href}, which is not below ${base.href}.`,
        hint: 'The proxy must forward `Host` and the path unchanged, and must not rewrite `Location`.',
      }
    if (response.status !== 200)
      return {
        reply: response,
        problem: `${path} has status ${response.status}, not 200.`,
        hint: 'The proxy must forward every path below the site, with and without a trailing slash.',
      }
  }
  return { reply }
}

async function checkVersion(base: URL, ask: AskSite): Promise<Outcome> {
  const reply = await ask(new URL('_octavo/version.json', base))
  const hint =
    'The proxy must forward paths below `_octavo` to the service. A static build has no deployment: this command is for sites on octavo-service.'
  if (reply.status !== 200) return { reply, problem: `The status is ${reply.status}.`, hint }
  if (!/"deployment":"\w+"/.test(reply.bytes.toString('utf8')))
    return { reply, problem: 'The page does not name a deployment.', hint }
  return { reply, ...expectHeader(reply, 'cache-control', 'no-store', CACHE_CONTROL_HINT) }
}

const CACHE_CONTROL_HINT = 'The proxy or CDN must keep the `Cache-Control` header of the service.'

async function checkNotFound(base: URL, ask: AskSite): Promise<Outcome> {
  const reply = await ask(new URL('octavo-check/no-such-page', base), { accept: 'text/html' })
  if (reply.status !== 404)
    return {
      reply,
      problem: `A page that does not exist has status ${reply.status}, not 404.`,
      hint: 'Turn off fallbacks to another page, such as `try_files … /index.html` or error pages with status 200.',
    }
  return { reply, ...expectHeader(reply, 'cache-control', 'no-store', CACHE_CONTROL_HINT) }
}

async function checkAsset({ reply: page, asset = '' }: StartPage, ask: AskSite): Promise<Outcome> {
  const reply = await ask(new URL(asset, page.url))
  if (reply.status !== 200)
    return {
      reply,
      problem: `A script of the page has status ${reply.status}, not 200.`,
      hint: 'The proxy must forward paths below `_octavo` to the service.',
    }
  return { reply, ...expectHeader(reply, 'cache-control', 'immutable', CACHE_CONTROL_HINT) }
}

async function checkSearch({ reply: page, searchIndex }: StartPage, ask: AskSite) {
  if (searchIndex === undefined) return { reply: page }
  const reply = await ask(new URL(searchIndex, page.url))
  const isPage = reply.headers['content-type']?.startsWith('text/html') === true
  if (reply.status === 200 && !isPage) return { reply }
  return {
    reply,
    problem: `The search index has status ${reply.status} (${reply.headers['content-type']}).`,
    hint: 'The proxy must forward paths below `_octavo` to the service, including binary files.',
  }
}

async function checkMarkdown({ reply: page }: StartPage, ask: AskSite): Promise<Outcome> {
  const reply = await ask(page.url, { accept: 'text/markdown' })
  const type = reply.headers['content-type'] ?? ''
  if (reply.status !== 200 || !type.startsWith('text/markdown'))
    return {
      reply,
      problem: `A request with \`Accept: text/markdown\` returns status ${reply.status}, ${type}.`,
      hint: 'The proxy must forward `Accept`, and a CDN that caches pages must include it in its cache key.',
    }
  const hint =
    'The proxy must keep `Vary`. A cache that ignores it would serve HTML to programs, or Markdown to readers.'
  return { reply, ...(expectHeader(reply, 'vary', 'accept', hint) ?? expectVary(page, hint)) }
}

const expectVary = (page: SiteResponse, hint: string) => expectHeader(page, 'vary', 'accept', hint)

async function checkCompression({ reply: page }: StartPage, ask: AskSite): Promise<Outcome> {
  const reply = await ask(page.url, AS_BROWSER)
  const encoding = reply.headers['content-encoding']
  if (page.bytes.length < COMPRESS_BYTES_MIN) return { reply }
  if (encoding === undefined || encoding === 'identity')
    return {
      reply,
      problem: 'The page is not compressed.',
      hint: 'The proxy must forward `Accept-Encoding` and must not decompress responses.',
    }
  const hint =
    'The proxy must keep `Vary`. Otherwise a cache serves compressed pages to clients that do not support them.'
  return { reply, ...expectHeader(reply, 'vary', 'accept-encoding', hint) }
}

async function checkEtag({ reply: page }: StartPage, ask: AskSite): Promise<Outcome> {
  const first = await ask(page.url, AS_BROWSER)
  const { etag } = first.headers
  if (etag === undefined)
    return {
      reply: first,
      problem: 'The page has no ETag.',
      hint: 'The proxy must keep `ETag`. Some proxies remove it when they compress responses: let the service compress them instead.',
    }
  const reply = await ask(page.url, { ...AS_BROWSER, 'if-none-match': etag })
  if (reply.status === 304) return { reply }
  return {
    reply,
    problem: `A request with the ETag of the page returns status ${reply.status}, not 304.`,
    hint: 'The proxy must forward `If-None-Match`.',
  }
}

function securityProblem(reply: SiteResponse): Problem | undefined {
  const hint = 'The proxy must not remove or replace security headers of the service.'
  return (
    expectHeader(reply, 'x-content-type-options', 'nosniff', hint) ??
    expectHeader(reply, 'content-security-policy', "frame-ancestors 'self'", hint)
  )
}

/** Checks that a header contains `wanted`, one item of its value. */
function expectHeader(
  { headers }: SiteResponse,
  name: string,
  wanted: string,
  hint: string,
): Problem | undefined {
  const value = headers[name]
  const parts = String(value ?? '')
    .split(/[,;]/)
    .map((part) => part.trim().toLowerCase())
  if (parts.includes(wanted)) return undefined
  const found = value === undefined ? 'is missing' : `is "${value}"`
  return { problem: `The header ${name} ${found}: expected "${wanted}".`, hint }
}

function redirectOf({ status, headers, url }: SiteResponse): URL | undefined {
  const isRedirect = status >= 300 && status < 400 && status !== 304
  return (isRedirect && URL.parse(headers.location ?? '', url.href)) || undefined
}

function isBelow(url: URL, base: URL): boolean {
  return url.origin === base.origin && `${trimSlash(url.pathname)}/`.startsWith(base.pathname)
}

const trimSlash = (path: string) => path.replace(/\/+$/, '')
