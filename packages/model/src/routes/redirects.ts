/**
 * Redirects from an old path to a new destination. A source is a path, or a pattern with wildcards:
 * `:name` matches one segment, `:name?` at the end an optional segment, `:name*` and `*` the rest
 * of the path. The matched text replaces the same wildcard in the destination.
 *
 * An existing page takes precedence over any redirect (except for retired pages: see
 * `retired-pages.ts`); an exact source takes precedence over patterns; patterns are tried in the
 * order in which they are written. Below `/_octavo/`, there are no redirects.
 *
 * The written destination decides whether a redirect leaves the site. The matched text comes from
 * the request, so it is only ever used as part of a path.
 */
import { LIMITS } from '../diagnostics/limits.ts'

export type Redirect = {
  readonly source: string
  readonly destination: string
  readonly permanent: boolean
}

/**
 * A redirect that matches a path. `destination`, in which the wildcards are replaced, is a URL or a
 * path that starts with exactly one slash.
 */
export type RedirectMatch = { readonly redirect: Redirect; readonly destination: string }

export type Pattern = {
  readonly matches: RegExp
  /**
   * The names of the wildcards in order, without `:`, `?` and `*`; the name of a bare `*` is `*`.
   */
  readonly names: readonly string[]
  /** The text before the first wildcard. */
  readonly prefix: string
  /** True if the pattern ends with a wildcard that matches everything below the prefix. */
  readonly isOpen: boolean
  readonly starCount: number
}

const WILDCARD = /:\w+(?:\*|\?(?=\/*$))?|\*/g
/** Matches the query and the fragment of a path. The `?` of a wildcard does not start a query. */
const TAIL = /(?:#|(?<!:\w+)\?|\?(?!\/*$)).*$/s

/** Returns the pattern of a source, or undefined if it is a plain path. */
export function parsePattern(path: string): Pattern | undefined {
  const wildcards = [...path.matchAll(WILDCARD)]
  const [first] = wildcards
  if (first === undefined) return undefined
  const literals = path
    .split(WILDCARD)
    .map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const stars = wildcards.map(([wildcard]) => wildcard.endsWith('*'))
  const body = literals
    .map((literal, index) => {
      if (index === wildcards.length) return literal
      return `${literal}${stars[index] ? '(.*)' : '([^/]+)'}`
    })
    .join('')
  // `/old/:slug*` and `/old/:slug?` also match `/old` itself; `/old/*` does not.
  const last = wildcards.at(-1)?.[0] ?? ''
  const mayBeNothing = /\w\*$|\?$/.test(last)
  const joined = mayBeNothing ? body.replace(/\/(\((?:\.\*|\[\^\/\]\+)\))$/, '(?:/$1)?') : body
  return {
    matches: new RegExp(`^${joined}$`, 's'),
    names: wildcards.map(([wildcard]) => wildcardName(wildcard)),
    prefix: path.slice(0, first.index),
    isOpen: wildcards.length === 1 && stars[0] === true && literals.at(-1) === '',
    starCount: stars.filter(Boolean).length,
  }
}

/**
 * Returns the name of a wildcard. `:slug*`, `:slug?` and `:slug` have the same name; other hosts
 * use `:splat` for the text that `*` matches.
 */
function wildcardName(wildcard: string): string {
  const name = wildcard.replaceAll(/[:*?]/g, '')
  return name === '' || name === 'splat' ? '*' : name
}

/** Returns the names of the wildcards in a destination. */
export function wildcardNames(destination: string): readonly string[] {
  return [...destination.matchAll(WILDCARD)].map(([wildcard]) => wildcardName(wildcard))
}

/**
 * Normalizes a path for comparison: with a leading slash, but without a trailing slash, `#…` and
 * `?…`.
 */
export function normalizeRedirectPath(path: string): string {
  const bare = path.replace(TAIL, '')
  const slashed = bare.startsWith('/') ? bare : `/${bare}`
  return slashed.length > 1 ? slashed.replace(/\/+$/, '') || '/' : slashed
}

/**
 * Returns the `#` or `?` in a source, if there is one. What follows it can never match: browsers do
 * not send fragments, and redirects only compare the path.
 */
export function unreachablePart(source: string): string | undefined {
  return TAIL.exec(source)?.[0].charAt(0)
}

/**
 * Checks whether a source only matches paths below `/_octavo/`, which are Octavo's own files. A CSP
 * that allows scripts by path would also allow the destination of such a redirect.
 */
export function isReservedSource(source: string): boolean {
  return RESERVED.test(normalizeRedirectPath(source))
}

const RESERVED = /^\/+_octavo(?:\/|$)/

/** Resolves redirects. One instance is created per site. */
export class RedirectTable {
  readonly #exact = new Map<string, Redirect>()
  readonly #patterns: { readonly pattern: Pattern; readonly redirect: Redirect }[] = []
  readonly #isPage: (url: string) => boolean

  constructor(redirects: readonly Redirect[], isPage: (url: string) => boolean) {
    this.#isPage = isPage
    for (const redirect of redirects) {
      if (unreachablePart(redirect.source) !== undefined) continue
      const source = normalizeRedirectPath(redirect.source)
      const pattern = parsePattern(source)
      if (pattern === undefined) {
        if (!this.#exact.has(source)) this.#exact.set(source, redirect)
      } else if (pattern.starCount <= 1) this.#patterns.push({ pattern, redirect })
    }
  }

  /**
   * Returns the redirect for a path; undefined if a page has this path, and for paths below
   * `/_octavo/`.
   */
  match(path: string): RedirectMatch | undefined {
    const wanted = normalizeRedirectPath(path)
    if (wanted.length > LIMITS.redirectPathLengthMax || RESERVED.test(wanted)) return undefined
    if (this.#isPage(wanted)) return undefined
    const exact = this.#exact.get(wanted)
    if (exact !== undefined)
      return { redirect: exact, destination: fillIn(exact.destination, new Map()) }
    for (const { pattern, redirect } of this.#patterns) {
      const values = wanted.startsWith(pattern.prefix.replace(/\/$/, ''))
        ? matchPattern(pattern, wanted)
        : undefined
      if (values !== undefined)
        return { redirect, destination: fillIn(redirect.destination, values) }
    }
    return undefined
  }

  /** Follows redirects from a path and returns every step. `endless` is true if they never end. */
  follow(path: string): { readonly steps: readonly RedirectMatch[]; readonly endless: boolean } {
    const steps: RedirectMatch[] = []
    const seen = new Set([normalizeRedirectPath(path)])
    let at = path
    for (let hop = 0; hop < LIMITS.redirectHopsMax; hop += 1) {
      const step = isExternalDestination(at) ? undefined : this.match(at)
      if (step === undefined) return { steps, endless: false }
      steps.push(step)
      at = step.destination
      const next = normalizeRedirectPath(at)
      if (!isExternalDestination(at) && !this.#isPage(next) && seen.has(next))
        return { steps, endless: true }
      seen.add(next)
    }
    return { steps, endless: true }
  }
}

/** Returns a plain path as an example of where a destination with wildcards may lead. */
export function exampleOf(destination: string): string {
  return normalizeRedirectPath(destination.replaceAll(WILDCARD, 'x'))
}

/** Checks whether a destination is outside the site. */
export function isExternalDestination(destination: string): boolean {
  return destination.startsWith('//') || /^[a-z][a-z\d+.-]*:/i.test(destination)
}

/** Returns the text that each wildcard matches, or undefined if the path does not match. */
export function matchPattern(
  pattern: Pattern,
  path: string,
): ReadonlyMap<string, string> | undefined {
  const match = pattern.matches.exec(path)
  if (match === null) return undefined
  return new Map(pattern.names.map((name, index) => [name, match[index + 1] ?? '']))
}

/** Matches the scheme and host of a URL, including the port. */
const HOST = /^(?:[a-z][a-z\d+.-]*:)?\/\/[^/?#\\]+/i

/** Returns the first wildcard before the path of a URL, where wildcards are never replaced. */
export function wildcardBeforePath(destination: string): string | undefined {
  if (!isExternalDestination(destination)) return undefined
  const [host = destination] = HOST.exec(destination) ?? []
  const name = host.replace(/^[a-z][a-z\d+.-]*:/i, '').replace(/^.*(?:@|\/\/)/s, '')
  // A port such as `:8080` is not a wildcard.
  return name.replace(/:\d+$/, '').match(WILDCARD)?.[0]
}

function fillIn(destination: string, values: ReadonlyMap<string, string>): string {
  if (!isExternalDestination(destination)) return asPath(replaceWildcards(destination, values))
  const [host] = HOST.exec(destination) ?? []
  if (host === undefined) return destination
  const path = destination.slice(host.length)
  return path === '' ? host : host + replaceWildcards(path.replace(/^\\/, '/'), values)
}

/**
 * Returns text as a path with exactly one leading slash. Browsers treat two leading slashes, or
 * characters that they convert to slashes, as the start of a host.
 */
export function asPath(text: string): string {
  return `/${text.replace(/^[/\\\t\r\n]+/, '')}`
}

function replaceWildcards(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(WILDCARD, (wildcard) => values.get(wildcardName(wildcard)) ?? wildcard)
}
