/** Resolves the paths of images and other files on a page, and returns facts about these files. */
import { posix } from 'node:path'
import type { AssetFacts } from '../source/images/asset-facts.ts'
import type { ImageSize } from '../source/images/image-size.ts'

export type PageAssets = {
  readonly resolveAsset: (url: string) => string
  /** Returns the size of the image at an address that `resolveAsset` returned. */
  readonly imageSize: (address: string) => ImageSize | undefined
  /**
   * Every path that was looked up. The page must be recompiled if a file appears or disappears at
   * one of these paths.
   */
  readonly looked: ReadonlySet<string>
}

/**
 * Matches URLs with a scheme or another host, URLs that start with a fragment or query, and empty
 * URLs.
 */
const EXTERNAL = /^(?:[a-z][a-z\d+.-]*:|\/\/|#|\?|$)/i

export function createPageAssets(file: string, factsOf: (path: string) => AssetFacts): PageAssets {
  const looked = new Set<string>()
  const sizes = new Map<string, ImageSize>()
  const look = (path: string): AssetFacts => {
    looked.add(path)
    return factsOf(path)
  }
  const resolveAsset = (url: string): string => {
    if (EXTERNAL.test(url)) return url
    const { path, rest } = splitAddress(url)
    const candidates = candidatesFor(path, file)
    for (const candidate of candidates) {
      const { exists, size } = look(candidate)
      if (!exists) continue
      const address = `/${encodePath(candidate)}${rest}`
      if (size !== undefined) sizes.set(address, size)
      return address
    }
    // If the repository has no such file, the URL is only resolved relative to the page.
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
 * Returns the paths to look up: relative to the page first, then from the root, since many authors
 * omit the slash. A path such as `/docs/images/a.png` may start with the site's base path or with
 * the docs folder of the repository.
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

/** Encodes a path. `encodeURI` does not encode `?` and `#`, which would end the path. */
function encodePath(path: string): string {
  return encodeURI(path.toWellFormed()).replaceAll('?', '%3F').replaceAll('#', '%23')
}
