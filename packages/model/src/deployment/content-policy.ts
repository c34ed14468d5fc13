/** A list that is longer says nothing any more, and hosts cut long headers off. */
const ORIGINS_MAX = 24

/** Of scripts; more than these are blocked. */
export const SCRIPT_ORIGINS_MAX = 40

export type PolicyInput = {
  /** Other hosts that pages load from, by what they load. */
  readonly origins: Readonly<Record<string, readonly string[]>> | undefined
  /** Of scripts that stand in the page itself, as `sha256-…`. */
  readonly scriptHashes: readonly string[]
}

/**
 * What a page may load and run: files of its own site, and what its author wrote into it. A directive
 * that says no more than `default-src` is left out, since each page carries the policy.
 */
export function contentPolicy({ origins, scriptHashes }: PolicyInput): string {
  const hashes = scriptHashes.map((hash) => `'${hash}'`)
  const { images = [], media = [], frames = [], fonts = [], connections = [] } = origins ?? {}
  const { scripts = [], styles = [], workers = [] } = origins ?? {}
  return [
    "default-src 'self'",
    // Never all of them: a list that is too long is told to the author instead.
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
  // `https:` covers neither sockets nor what a script made itself.
  const others = ['wss:', 'blob:'].filter((scheme) =>
    origins.some((origin) => origin.startsWith(scheme)),
  )
  return ['', 'https:', ...others].join(' ')
}

/** Names that contain the hash of their content, as patterns with one `*`. */
export const HASHED_PATHS = [
  '/_octavo/styles/*',
  '/_octavo/og/*',
  '/_octavo/scripts/*',
  '/_octavo/icons-*',
  '/_octavo/api/*',
  '/_octavo/search-data/*',
]

/** A document that is opened on its own is a picture or a text and nothing else. */
export const INERT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
