/**
 * Which other hosts a page loads something from. Images and frames of other hosts are part of what an
 * author wrote, so they are allowed, and nothing beyond them is (attack kind 29).
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
  /** What an author's own code in the browser may talk to. */
  readonly connections: readonly string[]
  /** Servers of APIs, which a host may send requests of playgrounds to. */
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

/** Nothing that could end a directive or begin another one: a host may hold a `;`. */
const PLAIN_ORIGIN = /^(?:https?|wss?):\/\/[a-z\d](?:[a-z\d.-]{0,251}[a-z\d])?(?::\d{1,5})?$/
const ADDRESSES_MAX = 10_000

/** Hosts that answer with a redirect: a browser asks for permission at the end of the way too. */
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

  /** Adds the origin of an address, if it leads to another host. */
  add(kind: OriginKind, address: string): void {
    const origin = originOf(address)
    if (origin === undefined) return
    this.#put(kind, origin)
    const bare = origin.replace('://www.', '://')
    for (const further of REDIRECTS[bare] ?? []) this.#put(kind, further)
    // Players of films answer at one of the two and send readers to the other.
    if (kind === 'frames') this.#put(kind, withOrWithoutWww(origin))
  }

  addAll(origins: Partial<Origins> | undefined): void {
    for (const kind of KINDS) for (const origin of origins?.[kind] ?? []) this.#put(kind, origin)
  }

  /** Sorted; nothing when there are none. */
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

/** Other hosts that a page loads from, also by the code of its islands. */
export function originsOf(
  loads: readonly PageLoad[],
  islandCode: readonly (string | undefined)[] = [],
): Origins | undefined {
  const set = new OriginSet()
  for (const { kind, url } of loads) set.add(kind, url)
  for (const code of islandCode) addOriginsOfCode(set, code ?? '')
  return set.result()
}

/** Code that makes a script element or imports a module: the hosts that it names may be those of scripts. */
const LOADS_SCRIPTS =
  /createElement\(\s*["'`]script["'`]|\bimport\s*\(|\bfrom\s*["']https:|\.getScript\(/

/**
 * Adds every host that an author's code names: what it does with them is not known before it runs.
 * Such code may do all that the site may, so a script that it loads is as good as itself.
 */
export function addOriginsOfCode(set: OriginSet, code: string): void {
  const loads = LOADS_SCRIPTS.test(code) ? (['scripts', 'styles', 'fonts'] as const) : []
  const kinds = ['images', 'media', 'frames', 'connections', ...loads] as const
  let count = 0
  for (const [, address = ''] of code.matchAll(ADDRESS)) {
    count += 1
    if (count > ADDRESSES_MAX) return
    // The names of SVG and XHTML look like addresses and are none.
    if (address.endsWith('//www.w3.org')) continue
    for (const kind of kinds) set.add(kind, address)
  }
}

/** Also `//cdn.example.com` in quotes, as snippets of tools have it. */
const ADDRESS =
  /((?:https?|wss?):\/\/[a-z\d.-]+(?::\d+)?|(?<=["'`])\/\/[a-z\d-]+(?:\.[a-z\d-]+)+)/gi

/** Adds pictures and fonts of an author's stylesheet. */
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
