import { type Access, accessOfAll, isHosted, labelsOf } from '@octavo/model'
import type { LabeledUrl } from '@octavo/theme'
import type { LoadedSite } from '../load/load-site.ts'
import type { SourceTree } from '../source/source-tree.ts'
import { SiteAccess } from './site-access.ts'
import { accessOfUnused, specificationAccess } from './specification-access.ts'
import { zipFiles } from './zip-files.ts'

export type SpecificationFile = {
  readonly path: string
  readonly bytes: Uint8Array
  readonly access: Access
}

/** The archive of all specifications, for a site with several (playground rule 4). */
export const SPECIFICATIONS_ARCHIVE = 'api-specs.zip'

/** Returns the download URL of specifications; undefined for a site without specifications. */
export function specificationUrl(site: LoadedSite, labels: SiteAccess): LabeledUrl | undefined {
  const [first] = [...site.specifications.keys()]
  if (first === undefined) return undefined
  const own = ownSpecifications(site)
  const accessOf = specificationAccess(site)
  const forAll = own.filter((source) => labels.isForAll(accessOf(source)))
  if (forAll.length > 1) return { url: `/${SPECIFICATIONS_ARCHIVE}`, access: 'default' }
  const single = forAll[0] ?? own[0]
  if (single === undefined) return { url: first, access: accessOf(first) }
  return { url: encodeURI(`/${single.replace(/^\/+/, '')}`), access: accessOf(single) }
}

/** Returns the paths of `specificationFiles`. */
export function specificationPaths(site: LoadedSite): readonly string[] {
  const paths = [...ownSpecifications(site), ...site.unusedSpecifications].toSorted()
  return bundledSpecifications(site).length < 2 ? paths : [...paths, SPECIFICATIONS_ARCHIVE]
}

/**
 * Returns the specifications for download: each at its path in the repository (generation rule 2),
 * and if there are several, all used ones in one archive.
 */
export function specificationFiles(
  site: LoadedSite,
  tree: SourceTree,
): readonly SpecificationFile[] {
  const accessOf = specificationAccess(site)
  const read = (paths: readonly string[]) =>
    paths.flatMap((path) => {
      const text = tree.read(path)
      return text === undefined ? [] : [{ path, text }]
    })
  const used = read(ownSpecifications(site)).map((file) => ({
    ...file,
    access: accessOf(file.path),
  }))
  const unused = read(site.unusedSpecifications).map((file) => {
    return { ...file, access: accessOfUnused(file, site) }
  })
  const files = [...used, ...unused].map(({ path, text, access }) => {
    return { path, bytes: Buffer.from(text), access }
  })
  const bundled = new Set(bundledSpecifications(site))
  const entries = used.filter(({ path }) => bundled.has(path))
  if (entries.length < 2) return files
  const access = accessOfAll(entries.flatMap((entry) => labelsOf(entry.access)))
  return [...files, { path: SPECIFICATIONS_ARCHIVE, bytes: zipFiles(entries), access }]
}

function ownSpecifications({ specifications }: LoadedSite): readonly string[] {
  return [...specifications.keys()].filter((source) => !isHosted(source)).toSorted()
}

/**
 * Returns the specifications in the archive; empty if readers must sign in, since no page offers
 * the archive then.
 */
function bundledSpecifications(site: LoadedSite): readonly string[] {
  const { auth, userAuth } = site.config
  if (auth !== undefined || userAuth !== undefined) return []
  const accessOf = specificationAccess(site)
  const labels = new SiteAccess([], site.config)
  return ownSpecifications(site).filter((source) => labels.isForAll(accessOf(source)))
}
