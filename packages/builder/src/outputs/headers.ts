/**
 * The headers of a site, written once as data: `_headers` is for hosts that read it, and
 * `_octavo/headers.json` for whatever else serves the files. No path is matched by two rules that set
 * the same header to values that contradict each other: hosts join them.
 */
import { contentPolicy, type PolicyInput } from './content-policy.ts'

export type HeaderRule = {
  /** A path in which one `*` stands for anything. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** Names that hold the hash of their content. */
const IMMUTABLE_PATHS = [
  ...[
    '/_octavo/theme-*',
    '/_octavo/og/*',
    '/_octavo/scripts/*',
    '/_octavo/icons-*',
    '/_octavo/api/*',
  ],
]

/** A document that is opened on its own is a picture or a text and nothing else. */
const INERT = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"

export function siteHeaders(policy: PolicyInput): readonly HeaderRule[] {
  return [
    {
      path: '/*',
      headers: {
        // Who may frame the site can only be said here: in a page it is not heard.
        'Content-Security-Policy': `${contentPolicy(policy)}; frame-ancestors 'self'`,
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'strict-origin-when-cross-origin',
      },
    },
    ...['/*.svg', '/*.xml'].map((path) => ({
      path,
      headers: { 'Content-Security-Policy': INERT },
    })),
    ...IMMUTABLE_PATHS.map((path) => ({
      path,
      headers: { 'Cache-Control': 'public, max-age=31536000, immutable' },
    })),
  ]
}

/** The form that Netlify, Cloudflare Pages and others read. */
export function printHeadersFile(rules: readonly HeaderRule[]): string {
  const lines = rules.flatMap(({ path, headers }) => [
    path,
    ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`),
  ])
  return `${lines.join('\n')}\n`
}
