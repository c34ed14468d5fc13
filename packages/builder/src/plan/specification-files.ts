import { type Access, type AccessLabel, accessOfAll, isHosted, labelsOf } from '@octavo/model'
import { printDocument } from '@octavo/openapi'
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
  const path = changedPath(single, site) ?? single
  return { url: encodeURI(`/${path.replace(/^\/+/, '')}`), access: accessOf(single) }
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
  const changed = changedTexts(site)
  const used = [
    ...read([...labels.keys()].filter((path) => !changed.has(path))),
    ...changed.values(),
  ]
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .map((file) => ({ ...file, access: accessOfAll(labels.get(file.path) ?? []) }))
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

/** Returns the specifications that this site serves: all but hosted ones without overlays. */
function ownSpecifications(site: LoadedSite): readonly string[] {
  return [...site.specifications.keys()]
    .filter((source) => !isHosted(source) || site.overlaid.has(source))
    .toSorted()
}

/** Returns the files of specifications, each of which may be divided over several. */
function filesOf(sources: readonly string[], site: LoadedSite): readonly string[] {
  const files = sources.flatMap((source) => {
    return changedPath(source, site) ?? site.specifications.get(source)?.files ?? []
  })
  return [...new Set(files)]
}

/**
 * Returns the path of a specification that overlays change, which is served as one file. A hosted
 * one is named after its URL.
 */
function changedPath(source: string, { overlaid, specifications }: LoadedSite): string | undefined {
  if (!overlaid.has(source)) return undefined
  if (!isHosted(source)) return source
  const { hostname = '', pathname = '' } = URL.parse(source) ?? {}
  const name = `${hostname}${pathname}`.replaceAll(/[^\w.]+/g, '-').replaceAll(/^[-.]+|[-.]+$/g, '')
  const ending = /\.(?:json|ya?ml)$/i.test(name) ? '' : '.json'
  const path = `${name}${ending}`
  return specifications.has(path) ? `changed-${path}` : path
}

/** Returns the specifications that overlays change, as the pages show them, by path. */
function changedTexts(site: LoadedSite): ReadonlyMap<string, { path: string; text: string }> {
  return new Map(
    ownSpecifications(site).flatMap((source) => {
      const path = changedPath(source, site)
      const specification = site.specifications.get(source)
      if (path === undefined || specification === undefined) return []
      const format = /\.json$/i.test(path) ? 'json' : 'yaml'
      return [[path, { path, text: printDocument(specification.document, format) }] as const]
    }),
  )
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
