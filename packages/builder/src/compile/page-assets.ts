/** Images and other files as one page names them → their addresses, and what is known of them. */
import { posix } from 'node:path'
import type { AssetFacts } from '../source/images/asset-facts.ts'
import type { ImageSize } from '../source/images/image-size.ts'

export type PageAssets = {
  readonly resolveAsset: (url: string) => string
  /** Of a file of the site, by the address that `resolveAsset` gave. */
  readonly imageSize: (address: string) => ImageSize | undefined
  /** Every path that was looked for: whether it is there decides what the page becomes. */
  readonly looked: ReadonlySet<string>
}

/** A scheme, another host, a part of the page itself, or nothing. */
const ELSEWHERE = /^(?:[a-z][a-z\d+.-]*:|\/\/|#|\?|$)/i

export function createPageAssets(file: string, factsOf: (path: string) => AssetFacts): PageAssets {
  const looked = new Set<string>()
  const sizes = new Map<string, ImageSize>()
  const look = (path: string): AssetFacts => {
    looked.add(path)
    return factsOf(path)
  }
  const resolveAsset = (url: string): string => {
    if (ELSEWHERE.test(url)) return url
    const { path, rest } = splitAddress(url)
    const candidates = candidatesFor(path, file)
    for (const candidate of candidates) {
      const { isThere, size } = look(candidate)
      if (!isThere) continue
      const address = `/${encodePath(candidate)}${rest}`
      if (size !== undefined) sizes.set(address, size)
      return address
    }
    // Not a file of the repository: what the author wrote, from where it was written.
    const [first] = candidates
    return url.startsWith('/') || first === undefined ? url : `/${encodePath(first)}${rest}`
  }
  return { resolveAsset, imageSize: (address) => sizes.get(address), looked }
}

function splitAddress(url: string): { readonly path: string; readonly rest: string } {
  const end = url.search(/[?#]/)
  const written = end < 0 ? url : url.slice(0, end)
  return { path: decode(written), rest: end < 0 ? '' : url.slice(end) }
}

/**
 * Beside the page, as in any editor; then from the root, as many mean it who leave the slash out.
 * `/docs/images/a.png` may be written with the path that the site is served below, or with the folder
 * of the repository that it stands in.
 */
function candidatesFor(path: string, file: string): readonly string[] {
  const fromRoot = posix.normalize(path.replace(/^\/+/, '')).replace(/^(?:\.\.\/)+/, '')
  if (path.startsWith('/')) {
    const [, ...rest] = fromRoot.split('/')
    return [fromRoot, rest.join('/'), rest.slice(1).join('/')].filter((one) => one !== '')
  }
  const beside = posix.normalize(posix.join(posix.dirname(file), path))
  const inside = beside.startsWith('../') ? [] : [beside]
  return [...new Set([...inside, fromRoot])]
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** `encodeURI` leaves these two alone, and both would end the path. */
function encodePath(path: string): string {
  return encodeURI(path.toWellFormed()).replaceAll('?', '%3F').replaceAll('#', '%23')
}
