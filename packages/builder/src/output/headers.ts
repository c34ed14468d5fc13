/**
 * Defines the headers of a site as data: `_headers` is for hosts that read it, and
 * `_octavo/headers.json` for all other servers. Hosts combine rules, so rules that match the same
 * path never set a header to different values.
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
  /** A path, which may contain one `*` as a wildcard. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Restricts the rule to requests that accept one of these types; `file` is then sent instead. */
  readonly when?: { readonly accept: readonly string[]; readonly file: string }
}

/**
 * A page's Markdown is available by extension and by content negotiation. It is `noindex`, because
 * search engines should find only the page itself.
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

/** The API catalog has no file extension, so its type must be set. */
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
        // `frame-ancestors` works only in a header and not in a `<meta>` tag.
        'Content-Security-Policy': `${contentPolicy(policy)}; frame-ancestors 'self'`,
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'strict-origin-when-cross-origin',
        // Programs can find the list of all pages from any page.
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

/** Prints the rules in the format that Netlify, Cloudflare Pages and other hosts read. */
export function printHeadersFile(rules: readonly HeaderRule[]): string {
  // The format does not support rules that depend on the request.
  const always = rules.filter(({ when }) => when === undefined)
  const lines = always.flatMap(({ path, headers }) => [
    path,
    ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`),
  ])
  return `${lines.join('\n')}\n`
}
