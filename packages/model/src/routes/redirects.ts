/**
 * Redirects: old path → new place. A source is a path, or a pattern with wildcards: `:name` stands
 * for one segment, `:name?` at the end for one or none, `:name*` and `*` for everything from there on.
 * What a wildcard matched is put in where the destination has the same one.
 *
 * Order: a page that exists wins over any redirect (one that gave way to a redirect is none: see
 * `retired-pages.ts`); an exact source wins over patterns; patterns
 * are tried in the order written.
 */
import { LIMITS } from '../limits.ts'

export type Redirect = {
  readonly source: string
  readonly destination: string
  readonly permanent: boolean
}

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

  /** The redirect that answers a path; none where a page is. */
  match(path: string): RedirectMatch | undefined {
    const wanted = normalizeRedirectPath(path)
    if (wanted.length > LIMITS.redirectPathLengthMax || this.#isPage(wanted)) return undefined
    const exact = this.#exact.get(wanted)
    if (exact !== undefined) return { redirect: exact, destination: exact.destination }
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

function fillIn(destination: string, values: ReadonlyMap<string, string>): string {
  if (isElsewhere(destination)) {
    // The port of `https://host:8080` is not a wildcard: only the path is filled in.
    const [host = '', ...path] = destination.split(/(?<=^[a-z]+:\/\/[^/]*)\//i)
    return [host, ...path.map((part) => replaceWildcards(part, values))].join('/')
  }
  return replaceWildcards(destination, values)
}

function replaceWildcards(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(WILDCARD, (wildcard) => values.get(wildcardName(wildcard)) ?? wildcard)
}
