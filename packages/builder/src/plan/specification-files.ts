import { type Access, type AccessLabel, accessOfAll, isHosted, labelsOf } from '@octavo/model'
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

/**
 * The file name of the archive with all specifications, for a site with several of them (playground
 * rule 4).
 */
export const SPECIFICATIONS_ARCHIVE = 'api-specs.zip'

/**
 * Returns the URL at which readers download the specifications, or undefined for a site without
 * specifications.
 */
export function specificationUrl(site: LoadedSite, labels: SiteAccess): LabeledUrl | undefined {
  const [first] = [...site.specifications.keys()]
  if (first === undefined) return undefined
  const own = ownSpecifications(site)
  const accessOf = specificationAccess(site)
  const forAll = own.filter((source) => labels.isForAll(accessOf(source)))
  if (filesOf(forAll, site).length > 1)
    return { url: `/${SPECIFICATIONS_ARCHIVE}`, access: 'default' }
  const single = forAll[0] ?? own[0]
  if (single === undefined) return { url: first, access: accessOf(first) }
  return { url: encodeURI(`/${single.replace(/^\/+/, '')}`), access: accessOf(single) }
}

/** Returns the paths of the files that `specificationFiles` returns. */
export function specificationPaths(site: LoadedSite): readonly string[] {
  const used = filesOf(ownSpecifications(site), site)
  const paths = [...new Set([...used, ...site.unusedSpecifications])].toSorted()
  const bundled = filesOf(bundledSpecifications(site), site)
  return bundled.length < 2 ? paths : [...paths, SPECIFICATIONS_ARCHIVE]
}

/**
 * Returns the specifications for download: each at its path in the repository (generation rule 2)
 * and, if there are several files, all used ones in an archive.
 */
export function specificationFiles(
  site: LoadedSite,
  tree: SourceTree,
): readonly SpecificationFile[] {
  const read = (paths: readonly string[]) =>
    paths.flatMap((path) => {
      const text = tree.read(path)
      return text === undefined ? [] : [{ path, text }]
    })
  const labels = labelsOfFiles(site)
  const used = read([...labels.keys()].toSorted()).map((file) => ({
    ...file,
    access: accessOfAll(labels.get(file.path) ?? []),
  }))
  const unused = read(site.unusedSpecifications.filter((path) => !labels.has(path))).map((file) => {
    return { ...file, access: accessOfUnused(file, site) }
  })
  const files = [...used, ...unused].map(({ path, text, access }) => {
    return { path, bytes: Buffer.from(text), access }
  })
  const bundled = new Set(filesOf(bundledSpecifications(site), site))
  const entries = used.filter(({ path }) => bundled.has(path))
  if (entries.length < 2) return files
  const access = accessOfAll(entries.flatMap((entry) => labelsOf(entry.access)))
  return [...files, { path: SPECIFICATIONS_ARCHIVE, bytes: zipFiles(entries), access }]
}

/** Returns who may read each file. One that several specifications share needs all their labels. */
function labelsOfFiles(site: LoadedSite): ReadonlyMap<string, readonly AccessLabel[]> {
  const accessOf = specificationAccess(site)
  const labels = new Map<string, AccessLabel[]>()
  for (const source of ownSpecifications(site)) {
    const own = labelsOf(accessOf(source))
    for (const file of filesOf([source], site)) {
      labels.set(file, [...(labels.get(file) ?? []), ...own])
    }
  }
  return labels
}

function ownSpecifications({ specifications }: LoadedSite): readonly string[] {
  return [...specifications.keys()].filter((source) => !isHosted(source)).toSorted()
}

/** Returns the files of specifications, each of which may be divided over several. */
function filesOf(sources: readonly string[], { specifications }: LoadedSite): readonly string[] {
  return [...new Set(sources.flatMap((source) => specifications.get(source)?.files ?? []))]
}

/**
 * Returns the specifications in the archive. The list is empty if readers must sign in, because
 * then no page offers the archive.
 */
function bundledSpecifications(site: LoadedSite): readonly string[] {
  const { auth, userAuth } = site.config
  if (auth !== undefined || userAuth !== undefined) return []
  const accessOf = specificationAccess(site)
  const labels = new SiteAccess([], site.config)
  return ownSpecifications(site).filter((source) => labels.isForAll(accessOf(source)))
}
