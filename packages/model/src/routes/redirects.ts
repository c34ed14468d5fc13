/**
 * Redirects: old path → new place. A source is a path, or a pattern with wildcards: `:name` stands
 * for one segment, `:name?` at the end for one or none, `:name*` and `*` for everything from there on.
 * What a wildcard matched is put in where the destination has the same one.
 *
 * Order: a page that exists wins over any redirect (one that gave way to a redirect is none: see
 * `retired-pages.ts`); an exact source wins over patterns; patterns
 * are tried in the order written. Below `/_octavo/` there are no redirects.
 *
 * The written destination decides whether a redirect leaves the site. What a wildcard matched comes
 * from the reader's address, so it is only ever a part of a path.
 */
import { LIMITS } from '../diagnostics/limits.ts'

export type Redirect = {
  readonly source: string
  readonly destination: string
  readonly permanent: boolean
}

/** `destination` is filled in: a URL, or a path that begins with exactly one slash. */
export type RedirectMatch = { readonly redirect: Redirect; readonly destination: string }

export type Pattern = {
  readonly matches: RegExp
  /** The wildcards in order, without `:`, `?` and `*`; a bare `*` has the name `*`. */
  readonly names: readonly string[]
  /** The text before the first wildcard. */
  readonly prefix: string
  /** Does it end with a wildcard that stands for everything below the prefix? */
  readonly isOpen: boolean
  readonly starCount: number
}

const WILDCARD = /:\w+(?:\*|\?(?=\/*$))?|\*/g
/** The query and the fragment of a path; the `?` of a wildcard begins no query. */
const TAIL = /(?:#|(?<!:\w+)\?|\?(?!\/*$)).*$/s

/** The pattern of a source, or nothing for a plain path. */
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
  // `/old/:slug*` and `/old/:slug?` also stand for `/old` itself; `/old/*` does not.
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

/** `:slug*`, `:slug?` and `:slug` are one name; another host writes `:splat` for what `*` matched. */
function wildcardName(wildcard: string): string {
  const name = wildcard.replaceAll(/[:*?]/g, '')
  return name === '' || name === 'splat' ? '*' : name
}

/** The names of the wildcards in a destination. */
export function wildcardNames(destination: string): readonly string[] {
  return [...destination.matchAll(WILDCARD)].map(([wildcard]) => wildcardName(wildcard))
}

/** Paths are compared with a leading and without a trailing slash, and without `#…` and `?…`. */
export function normalizeRedirectPath(path: string): string {
  const bare = path.replace(TAIL, '')
  const slashed = bare.startsWith('/') ? bare : `/${bare}`
  return slashed.length > 1 ? slashed.replace(/\/+$/, '') || '/' : slashed
}

/**
 * `#` or `?`, where a source has one: what follows is never compared. Browsers do not send what
 * follows `#`, and redirects look at the path alone.
 */
export function unreachablePart(source: string): string | undefined {
  return TAIL.exec(source)?.[0].charAt(0)
}

/**
 * Whether only paths below `/_octavo/` match a source. These are files of this program: a policy that
 * allows scripts by their path would allow what they are redirected to.
 */
export function isReservedSource(source: string): boolean {
  return RESERVED.test(normalizeRedirectPath(source))
}

const RESERVED = /^\/+_octavo(?:\/|$)/

/** Answers where a path leads. Made once per site. */
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

  /** The redirect that answers a path; none where a page is, and none below `/_octavo/`. */
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

  /** Every step from a path to where it ends; `endless` when it never does. */
  follow(path: string): { readonly steps: readonly RedirectMatch[]; readonly endless: boolean } {
    const steps: RedirectMatch[] = []
    const seen = new Set([normalizeRedirectPath(path)])
    let at = path
    for (let hop = 0; hop < LIMITS.redirectHopsMax; hop += 1) {
      const step = isElsewhere(at) ? undefined : this.match(at)
      if (step === undefined) return { steps, endless: false }
      steps.push(step)
      at = step.destination
      const next = normalizeRedirectPath(at)
      if (!isElsewhere(at) && !this.#isPage(next) && seen.has(next)) return { steps, endless: true }
      seen.add(next)
    }
    return { steps, endless: true }
  }
}

/** One plain path below those that a destination with wildcards may lead to. */
export function exampleOf(destination: string): string {
  return normalizeRedirectPath(destination.replaceAll(WILDCARD, 'x'))
}

/** Does the destination leave the site? */
export function isElsewhere(destination: string): boolean {
  return destination.startsWith('//') || /^[a-z][a-z\d+.-]*:/i.test(destination)
}

/** What each wildcard stands for in the path, or nothing if the path does not match. */
export function matchPattern(
  pattern: Pattern,
  path: string,
): ReadonlyMap<string, string> | undefined {
  const match = pattern.matches.exec(path)
  if (match === null) return undefined
  return new Map(pattern.names.map((name, index) => [name, match[index + 1] ?? '']))
}

/** The scheme and the host of a URL, with its port. */
const HOST = /^(?:[a-z][a-z\d+.-]*:)?\/\/[^/?#\\]+/i

/** The first wildcard of a URL that is never filled in, because it is not in the path after a host. */
export function wildcardBeforePath(destination: string): string | undefined {
  if (!isElsewhere(destination)) return undefined
  const [host = destination] = HOST.exec(destination) ?? []
  const name = host.replace(/^[a-z][a-z\d+.-]*:/i, '').replace(/^.*(?:@|\/\/)/s, '')
  // A port is no wildcard.
  return name.replace(/:\d+$/, '').match(WILDCARD)?.[0]
}

function fillIn(destination: string, values: ReadonlyMap<string, string>): string {
  if (!isElsewhere(destination)) return asPath(replaceWildcards(destination, values))
  const [host] = HOST.exec(destination) ?? []
  if (host === undefined) return destination
  const path = destination.slice(host.length)
  return path === '' ? host : host + replaceWildcards(path.replace(/^\\/, '/'), values)
}

/** A browser reads two slashes as the start of a host, and so it does with what it takes for a slash. */
export function asPath(text: string): string {
  return `/${text.replace(/^[/\\\t\r\n]+/, '')}`
}

function replaceWildcards(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(WILDCARD, (wildcard) => values.get(wildcardName(wildcard)) ?? wildcard)
}
