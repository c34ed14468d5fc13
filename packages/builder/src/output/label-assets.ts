/**
 * Sets the access labels of static files and of component code. Readers of any page that uses a
 * file may read the file. If docs.json or an author's stylesheet or script names a file, all pages
 * are assumed to use it. An unused file has the default label.
 */
import { basename } from 'node:path'
import { type AccessLabel, accessOfAny } from '@octavo/model'
import { islandModuleUrl } from '../compile/island-address.ts'
import type { PageFacts } from '../compile/page-facts.ts'
import type { LoadedSite } from '../load/load-site.ts'
import type { SiteAccess } from '../plan/site-access.ts'
import { STATIC_FILE } from '../plan/site-paths.ts'
import type { SourceTree } from '../source/source-tree.ts'
import { filesUsedBy } from './page-uses.ts'
import type { SiteOutput } from './site-output.ts'

export type AssetLabelsInput = {
  readonly site: LoadedSite
  readonly tree: SourceTree
  readonly output: SiteOutput
  readonly pages: readonly LabelledPage[]
  readonly access: SiteAccess
}

/** A page with the facts of its parts. */
type LabelledPage = {
  readonly page: { readonly access: AccessLabel }
  readonly parts: readonly PageFacts[]
}

export function labelAssets(input: AssetLabelsInput): void {
  const { site, tree, output, access } = input
  // On a site without labels, all files already have the default label.
  if (!access.hasLabels) return
  const labels = labelsOfUses(input.pages)
  const siteTexts = namedByAll(site, tree)
  for (const file of tree.files) {
    const used = labels.get(file) ?? []
    const path = STATIC_FILE.test(file) ? file : islandModuleUrl(file).slice(1)
    if (!output.has(path) || site.specifications.has(file)) continue
    const isForAll = /\.(?:css|js)$/.test(path) && path === file
    const isNamed = siteTexts.some((text) => text.includes(basename(file)))
    output.label(path, accessOfAny(isForAll || isNamed ? [access.loosest, ...used] : used))
  }
}

/** Returns the labels of the pages that use each file. */
function labelsOfUses(pages: readonly LabelledPage[]): Map<string, readonly AccessLabel[]> {
  const labels = new Map<string, AccessLabel[]>()
  for (const { page, parts } of pages) {
    for (const file of parts.flatMap(filesUsedBy)) {
      const known = labels.get(file)
      if (known === undefined) labels.set(file, [page.access])
      else known.push(page.access)
    }
  }
  return labels
}

/** Returns the strings that concern every page and may name files. */
function namedByAll({ config }: LoadedSite, tree: SourceTree): readonly string[] {
  const { navigation: _, ...rest } = config
  const files = tree.files.filter((file) => /\.(?:css|js)$/.test(file))
  return [JSON.stringify(rest), ...files.map((file) => tree.read(file) ?? '')]
}
