import { type Access, accessOfAll, isHosted, labelsOf } from '@octavo/model'
import type { LabelledUrl } from '@octavo/theme'
import type { LoadedSite } from '../load/load-site.ts'
import type { SourceTree } from '../source/source-tree.ts'
import { SiteAccess } from './site-access.ts'
import { specificationAccess } from './specification-access.ts'
import { zipFiles } from './zip-files.ts'

export type SpecificationFile = {
  readonly path: string
  readonly bytes: Uint8Array
  readonly access: Access
}

/** The archive with all specifications of a site that has several (playground rule 4). */
export const SPECIFICATIONS_ARCHIVE = 'api-specs.zip'

/** Where readers download what the pages describe; nothing for a site without specifications. */
export function specificationUrl(site: LoadedSite, labels: SiteAccess): LabelledUrl | undefined {
  const [first, ...others] = [...site.specifications.keys()]
  if (first === undefined) return undefined
  const own = [first, ...others].filter((source) => !isHosted(source))
  const accessOf = specificationAccess(site)
  const forAll = own.filter((source) => labels.isForAll(accessOf(source)))
  if (forAll.length > 1) return { url: `/${SPECIFICATIONS_ARCHIVE}`, access: 'default' }
  const single = forAll[0] ?? own[0]
  if (single === undefined) return { url: first, access: accessOf(first) }
  return { url: encodeURI(`/${single.replace(/^\/+/, '')}`), access: accessOf(single) }
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
  const accessOf = specificationAccess(site)
  const labels = new SiteAccess([], site.config)
  const entries = [...site.specifications.keys()]
    .filter((source) => !isHosted(source))
    .toSorted()
    .flatMap((path) => {
      const text = tree.read(path)
      return text === undefined ? [] : [{ path, text, access: accessOf(path) }]
    })
  const files = entries.map(({ path, text, access }) => {
    return { path, bytes: Buffer.from(text), access }
  })
  const forAll = entries.filter(({ access }) => labels.isForAll(access))
  if (forAll.length < 2) return files
  const access = accessOfAll(forAll.flatMap((entry) => labelsOf(entry.access)))
  return [...files, { path: SPECIFICATIONS_ARCHIVE, bytes: zipFiles(forAll), access }]
}
