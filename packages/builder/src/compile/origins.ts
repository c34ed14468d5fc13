/**
 * Collects the other hosts from which a page loads something. The policy of the page allows only
 * what the author embeds (attack kind 29).
 */
import type { PageLoad } from '@octavo/theme'

export type Origins = {
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
  readonly images: readonly string[]
  readonly media: readonly string[]
  readonly frames: readonly string[]
  readonly fonts: readonly string[]
  readonly workers: readonly string[]
  /** Origins to which the author's code may connect in the browser. */
  readonly connections: readonly string[]
  /** API servers to which a host may forward playground requests. */
  readonly servers: readonly string[]
}

export type OriginKind = keyof Origins

export const NO_ORIGINS: Origins = {
  scripts: [],
  styles: [],
  images: [],
  media: [],
  frames: [],
  fonts: [],
  workers: [],
  connections: [],
  servers: [],
}

const KINDS = Object.keys(NO_ORIGINS) as readonly OriginKind[]

/**
 * Matches a plain origin. It excludes characters such as `;` that could end a policy directive or
 * start another one.
 */
const PLAIN_ORIGIN = /^(?:https?|wss?):\/\/[a-z\d](?:[a-z\d.-]{0,251}[a-z\d])?(?::\d{1,5})?$/
const ADDRESSES_MAX = 10_000

/** Hosts that redirect to other hosts, which the policy must also allow. */
const REDIRECTS: Readonly<Record<string, readonly string[]>> = {
  'https://github.com': [
    'https://*.githubusercontent.com',
    'https://github-production-user-asset-6210df.s3.amazonaws.com',
  ],
  'https://picsum.photos': ['https://fastly.picsum.photos'],
  'https://drive.google.com': ['https://*.googleusercontent.com'],
}

export class OriginSet {
  readonly #found = new Map(KINDS.map((kind) => [kind, new Set<string>()]))

  /** Adds the origin of an address if it is on another host. */
  add(kind: OriginKind, address: string): void {
    const origin = originOf(address)
    if (origin === undefined) return
    this.#put(kind, origin)
    const bare = origin.replace('://www.', '://')
    for (const further of REDIRECTS[bare] ?? []) this.#put(kind, further)
    // Video players often redirect between the host with and without `www`.
    if (kind === 'frames') this.#put(kind, withOrWithoutWww(origin))
  }

  addAll(origins: Partial<Origins> | undefined): void {
    for (const kind of KINDS) for (const origin of origins?.[kind] ?? []) this.#put(kind, origin)
  }

  /** Returns the origins in sorted order, or undefined for an empty set. */
  result(): Origins | undefined {
    if (KINDS.every((kind) => this.#found.get(kind)?.size === 0)) return undefined
    const sorted = [...this.#found].map(([kind, found]) => [kind, [...found].toSorted()])
    return { ...NO_ORIGINS, ...Object.fromEntries(sorted) }
  }

  #put(kind: OriginKind, origin: string): void {
    this.#found.get(kind)?.add(origin)
  }
}

function originOf(address: string): string | undefined {
  if (!/^(?:(?:https?|wss?):)?\/\//i.test(address)) return undefined
  try {
    const { origin } = new URL(address, 'https://site.invalid')
    return PLAIN_ORIGIN.test(origin) ? origin : undefined
  } catch {
    return undefined
  }
}

function withOrWithoutWww(origin: string): string {
  return origin.includes('://www.')
    ? origin.replace('://www.', '://')
    : origin.replace('://', '://www.')
}

/**
 * Returns the other hosts from which a page loads something, including those that the code of its
 * islands names.
 */
export function originsOf(
  loads: readonly PageLoad[],
  islandCode: readonly (string | undefined)[] = [],
): Origins | undefined {
  const set = new OriginSet()
  for (const { kind, url } of loads) set.add(kind, url)
  for (const code of islandCode) addOriginsOfCode(set, code ?? '')
  return set.result()
}

/**
 * Matches code that creates a script element or imports a module. The hosts that such code names
 * are allowed to serve scripts.
 */
const LOADS_SCRIPTS =
  /createElement\(\s*["'`]script["'`]|\bimport\s*\(|\bfrom\s*["']https:|\.getScript\(/

/**
 * Adds every host that an author's code names, because how the code uses a host is unknown before
 * it runs. Such code may already do everything that the site may do, so scripts that it loads are
 * trusted equally.
 */
export function addOriginsOfCode(set: OriginSet, code: string): void {
  const loads = LOADS_SCRIPTS.test(code) ? (['scripts', 'styles', 'fonts'] as const) : []
  const kinds = ['images', 'media', 'frames', 'connections', ...loads] as const
  let count = 0
  for (const [, address = ''] of code.matchAll(ADDRESS)) {
    count += 1
    if (count > ADDRESSES_MAX) return
    // SVG and XHTML namespaces look like URLs but are never loaded.
    if (address.endsWith('//www.w3.org')) continue
    for (const kind of kinds) set.add(kind, address)
  }
}

/** Matches addresses in code, including `//cdn.example.com` in quotes, which embed snippets use. */
const ADDRESS =
  /((?:https?|wss?):\/\/[a-z\d.-]+(?::\d+)?|(?<=["'`])\/\/[a-z\d-]+(?:\.[a-z\d-]+)+)/gi

/** Adds the hosts of images and fonts in an author's stylesheet. */
export function addOriginsOfStyles(set: OriginSet, styles: string): void {
  let count = 0
  for (const [, address = ''] of styles.matchAll(/url\(\s*["']?((?:https?:)?\/\/[^"')\s]+)/gi)) {
    count += 1
    if (count > ADDRESSES_MAX) return
    set.add('images', address)
    set.add('fonts', address)
  }
}

export function joinOrigins(...several: readonly (Origins | undefined)[]): Origins | undefined {
  const set = new OriginSet()
  for (const origins of several) set.addAll(origins)
  return set.result()
}
