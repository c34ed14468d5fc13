import { isHosted } from '@octavo/model'
import type { LoadedSite } from '../load/load-site.ts'
import type { SourceTree } from '../source/source-tree.ts'
import { zipFiles } from './zip-files.ts'

export type SpecificationFile = { readonly path: string; readonly bytes: Uint8Array }

/** The archive with all specifications of a site that has several (playground rule 4). */
export const SPECIFICATIONS_ARCHIVE = 'api-specs.zip'

/** Where readers download what the pages describe; nothing for a site without specifications. */
export function specificationUrl({ specifications }: LoadedSite): string | undefined {
  const [first, ...others] = [...specifications.keys()]
  if (first === undefined) return undefined
  const own = [first, ...others].filter((source) => !isHosted(source))
  if (own.length > 1) return `/${SPECIFICATIONS_ARCHIVE}`
  return own[0] === undefined ? first : encodeURI(`/${own[0].replace(/^\/+/, '')}`)
}

/** Paths of what `specificationFiles` gives. */
export function specificationPaths({ specifications }: LoadedSite): readonly string[] {
  const own = [...specifications.keys()].filter((source) => !isHosted(source)).toSorted()
  return own.length < 2 ? own : [...own, SPECIFICATIONS_ARCHIVE]
}

/**
 * The specifications as readers download them: each at its path in the repository (generation
 * rule 2), and all in one archive when there are several.
 */
export function specificationFiles(
  site: LoadedSite,
  tree: SourceTree,
): readonly SpecificationFile[] {
  const entries = [...site.specifications.keys()]
    .filter((source) => !isHosted(source))
    .toSorted()
    .flatMap((path) => {
      const text = tree.read(path)
      return text === undefined ? [] : [{ path, text }]
    })
  const files = entries.map(({ path, text }) => ({ path, bytes: Buffer.from(text) }))
  if (entries.length < 2) return files
  return [...files, { path: SPECIFICATIONS_ARCHIVE, bytes: zipFiles(entries) }]
}
