/** Creates readers of a private site, and fetches everything that they can get from it. */
import { randomBytes } from 'node:crypto'
import { brotliDecompressSync, gunzipSync, inflateRawSync } from 'node:zlib'
import { createToken } from '../src/platform/secrets/token.ts'
import { READER_COOKIE } from '../src/reading/access/find-reader.ts'
import { createReaderSessionStore } from '../src/reading/access/session-store.ts'
import { type SiteResponse, visit } from './test-deployment.ts'
import { PEPPER, type TestProject, type TestService } from './test-service.ts'

export type TestReader = {
  readonly get: (
    path: string,
    headers?: Record<string, string>,
    method?: string,
  ) => Promise<SiteResponse>
  readonly headers: Record<string, string>
  readonly token: string | undefined
}

/** Creates a reader of a host. The reader is anonymous, or signed in with the given groups. */
export async function createTestReader(
  service: TestService,
  host: string,
  session?: { readonly project: TestProject; readonly groups: readonly string[] },
): Promise<TestReader> {
  let token: string | undefined
  if (session !== undefined) {
    token = createToken('reader')
    const { project, groups } = session
    const store = createReaderSessionStore(service.service.database.forProject(project.tenant))
    const hash = PEPPER.hash('reader session', token)
    const pepperId = PEPPER.id
    await store.begin({
      hash,
      pepperId,
      way: 'password',
      host,
      groups,
      member: undefined,
      seconds: 600,
    })
  }
  const own: Record<string, string> =
    token === undefined ? {} : { cookie: `${READER_COOKIE}=${token}` }
  return {
    token,
    headers: own,
    get: (path, headers = {}, method = 'GET') =>
      visit(service.port, host, path, { method, headers: { ...own, ...headers } }),
  }
}

/** Headers of several kinds of requests for the same path. */
const FORMS: readonly Record<string, string>[] = [
  { accept: 'text/html' },
  { accept: 'text/markdown' },
  { accept: '*/*', 'accept-encoding': 'br' },
  { accept: 'text/html', 'accept-encoding': 'gzip' },
  { accept: '*/*', range: 'bytes=0-' },
  { accept: '*/*', 'if-none-match': '"x"' },
]

/** Returns everything that a reader receives for a path: the text of all headers and bodies. */
export async function fetchAllVariants(reader: TestReader, path: string): Promise<string> {
  // Scripts and stylesheets are the same for all readers, so one request is enough.
  const forms = /^\/_octavo\/(?:scripts|styles)\//.test(path) ? FORMS.slice(0, 1) : FORMS
  const replies = await Promise.all([
    ...forms.map((form) => reader.get(path, form)),
    ...['HEAD', 'POST'].map((method) => reader.get(path, {}, method)),
  ])
  return replies.map(textOf).join('\n')
}

function textOf({ headers, bytes }: SiteResponse): string {
  return `${JSON.stringify(headers)}\n${plain(headers, bytes).toString('latin1')}`
}

function plain(headers: SiteResponse['headers'], bytes: Buffer): Buffer {
  if (bytes.length === 0) return bytes
  if (headers['content-encoding'] === 'br') return brotliDecompressSync(bytes)
  if (headers['content-encoding'] === 'gzip') return gunzipSync(bytes)
  // Search indexes are compressed, but have no content-encoding header.
  if (!String(headers['content-type']).includes('octet-stream')) return bytes
  try {
    return inflateRawSync(bytes)
  } catch {
    return bytes
  }
}

/**
 * Returns paths that are not listed in a manifest: routes that the host handles itself, and other
 * spellings of listed paths.
 */
export function unlistedPaths(paths: readonly string[]): readonly string[] {
  const pages = paths.flatMap((path) =>
    path.endsWith('/index.html') ? [path.slice(0, -'/index.html'.length)] : [],
  )
  const forms = pages.flatMap((page) => [
    page,
    `${page}/`,
    `${page}?x=1`,
    page.toUpperCase(),
    `${page}.html`,
    `${page}%2findex.html`,
    `_octavo/live/${page}`,
    `${page}/rss.xml`,
    encodeURIComponent(page),
  ])
  const own = [
    '',
    'login',
    'logout',
    'login/callback',
    'login/jwt-callback',
    'mcp',
    'nothing/here',
    `nothing-${randomBytes(4).toString('hex')}`,
    '_octavo/version.json',
    '_octavo/host.js',
    '_octavo/changes.json',
    '_octavo/manifest.json',
    '_octavo/assistant/ticket',
    '_octavo/assistant/messages',
    '_octavo/proxy',
    '.well-known/llms.txt',
    '.well-known/oauth-protected-resource',
    '.well-known/oauth-protected-resource/mcp',
    'api-specs.zip',
    'old',
    'guides',
    'api-reference',
    '%',
    '%00',
  ]
  return [...forms, ...own]
}
