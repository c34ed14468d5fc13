/**
 * The headers of a site as data: `_headers` is for hosts that read it, and `_octavo/headers.json`
 * for all other servers. No two rules that match a path set the same header to conflicting values,
 * since hosts combine them.
 */
import {
  agentLinks,
  contentPolicy,
  HASHED_PATHS,
  INERT_POLICY,
  mediaType,
  type PolicyInput,
} from '@octavo/model'
import { ROOT_PATH } from '@octavo/theme'

export type HeaderRule = {
  /** A path that may contain one `*` as wildcard. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Only for requests that accept one of these types; `file` is then sent instead. */
  readonly when?: { readonly accept: readonly string[]; readonly file: string }
}

/**
 * Markdown of a page is available by extension and by content negotiation. Search engines should
 * find only the page itself, so its Markdown is `noindex`.
 */
const MARKDOWN_RULES: readonly HeaderRule[] = [
  {
    path: '/*.md',
    headers: { 'Content-Type': 'text/markdown; charset=utf-8', 'X-Robots-Tag': 'noindex' },
  },
  ...[
    { path: '/', file: '/index.md' },
    { path: '/*', file: '/*.md' },
  ].map(({ path, file }) => ({
    path,
    when: { accept: ['text/markdown', 'text/plain'], file },
    headers: { 'Content-Type': 'text/markdown; charset=utf-8', Vary: 'Accept' },
  })),
]

/** The file has no extension, so its type must be set. */
const CATALOG_RULE: HeaderRule = {
  path: '/.well-known/api-catalog',
  headers: { 'Content-Type': mediaType('.well-known/api-catalog') },
}

export function siteHeaders(
  policy: PolicyInput,
  basePath = ROOT_PATH,
  wellKnown: readonly string[] = [],
): readonly HeaderRule[] {
  const at = (path: string) => basePath.address(path)
  const rules: readonly HeaderRule[] = [
    {
      path: '/*',
      headers: {
        // `frame-ancestors` works only in a header, not in a `<meta>` tag.
        'Content-Security-Policy': `${contentPolicy(policy)}; frame-ancestors 'self'`,
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'strict-origin-when-cross-origin',
        // Lets programs find the list of all pages from any page.
        Link: agentLinks(wellKnown, at),
        'X-Llms-Txt': at('/llms.txt'),
      },
    },
    ...MARKDOWN_RULES,
    ...(wellKnown.includes('api-catalog') ? [CATALOG_RULE] : []),
    ...['/*.svg', '/*.xml'].map((path) => ({
      path,
      headers: { 'Content-Security-Policy': INERT_POLICY },
    })),
    ...HASHED_PATHS.map((path) => ({
      path,
      headers: { 'Cache-Control': 'public, max-age=31536000, immutable' },
    })),
  ]
  return rules.map((rule) => ({
    ...rule,
    path: at(rule.path),
    ...(rule.when && { when: { ...rule.when, file: at(rule.when.file) } }),
  }))
}

/** Prints the format of Netlify, Cloudflare Pages and others. */
export function printHeadersFile(rules: readonly HeaderRule[]): string {
  // The format does not support rules that depend on the request.
  const always = rules.filter(({ when }) => when === undefined)
  const lines = always.flatMap(({ path, headers }) => [
    path,
    ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`),
  ])
  return `${lines.join('\n')}\n`
}
