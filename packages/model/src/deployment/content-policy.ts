/**
 * With more origins than this, all hosts are allowed: a longer list protects little, and some hosts
 * truncate long headers.
 */
const ORIGINS_MAX = 24

/** The maximum number of script origins. Any further origins are blocked. */
export const SCRIPT_ORIGINS_MAX = 40

export type PolicyInput = {
  /** Other hosts that pages load from, by resource type. */
  readonly origins: Readonly<Record<string, readonly string[]>> | undefined
  /** Hashes of inline scripts, as `sha256-…`. */
  readonly scriptHashes: readonly string[]
}

/**
 * Returns the policy for what a page may load and run: files of its own site, and what its author
 * added. Directives that equal `default-src` are omitted to keep pages small.
 */
export function contentPolicy({ origins, scriptHashes }: PolicyInput): string {
  const hashes = scriptHashes.map((hash) => `'${hash}'`)
  const { images = [], media = [], frames = [], fonts = [], connections = [] } = origins ?? {}
  const { scripts = [], styles = [], workers = [] } = origins ?? {}
  return [
    "default-src 'self'",
    // Scripts from all hosts are never allowed; a list that is too long is reported to the author
    // instead.
    ["script-src 'self'", ...hashes, ...scripts.slice(0, SCRIPT_ORIGINS_MAX)].join(' '),
    `style-src 'self' 'unsafe-inline'${sources(styles)}`,
    `img-src 'self' data:${sources(images)}`,
    `font-src 'self' data:${sources(fonts)}`,
    ...(media.length === 0 ? [] : [`media-src 'self'${sources(media)}`]),
    ...(frames.length === 0 ? [] : [`frame-src 'self'${sources(frames)}`]),
    ...(workers.length === 0 ? [] : [`worker-src 'self'${sources(workers)}`]),
    ...(connections.length === 0 ? [] : [`connect-src 'self'${sources(connections)}`]),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')
}

function sources(origins: readonly string[]): string {
  if (origins.length <= ORIGINS_MAX) return origins.map((origin) => ` ${origin}`).join('')
  // `https:` does not include web sockets, or blobs that a script created.
  const others = ['wss:', 'blob:'].filter((scheme) =>
    origins.some((origin) => origin.startsWith(scheme)),
  )
  return ['', 'https:', ...others].join(' ')
}

/** Paths that contain the hash of their content, as patterns with one `*`. */
export const HASHED_PATHS = [
  '/_octavo/styles/*',
  '/_octavo/og/*',
  '/_octavo/scripts/*',
  '/_octavo/icons-*',
  '/_octavo/api/*',
  '/_octavo/search-data/*',
  '/_octavo/nav/*',
]

/**
 * The policy for a file that a reader opens directly: it may show an image or text, but not run
 * code.
 */
export const INERT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
