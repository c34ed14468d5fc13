/**
 * The headers of a site, written once as data: `_headers` is for hosts that read it, and
 * `_octavo/headers.json` for whatever else serves the files. No path is matched by two rules that set
 * the same header to values that contradict each other: hosts join them.
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
  /** A path in which one `*` stands for anything. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Only for requests that ask for one of these; `file` is then sent instead. */
  readonly when?: { readonly accept: readonly string[]; readonly file: string }
}

/**
 * The Markdown of a page is found by its ending, and by asking for it. Search engines shall find the
 * page itself, and one that keeps them out keeps them out of its Markdown too.
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

/** The file has no ending that says what it is. */
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
        // Who may frame the site can only be said here: in a page it is not heard.
        'Content-Security-Policy': `${contentPolicy(policy)}; frame-ancestors 'self'`,
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'strict-origin-when-cross-origin',
        // Programs learn from any page where the list of all of them is.
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

/** The form that Netlify, Cloudflare Pages and others read. */
export function printHeadersFile(rules: readonly HeaderRule[]): string {
  // The file has no word for what depends on the request.
  const always = rules.filter(({ when }) => when === undefined)
  const lines = always.flatMap(({ path, headers }) => [
    path,
    ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`),
  ])
  return `${lines.join('\n')}\n`
}
