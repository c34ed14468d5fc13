/** Plans the pages of a site and the paths of its other files. */
import { type Diagnostic, diagnose } from '@octavo/model'
import type { LoadedSite } from '../load/load-site.ts'
import type { SourceTree } from '../source/source-tree.ts'
import { OutputPaths } from './output-paths.ts'
import { pageLanguages } from './page-languages.ts'
import { type PlannedPage, planPages } from './plan-pages.ts'
import { htmlPath, markdownPath, SITE_FILES, STATIC_FILE } from './site-paths.ts'
import { specificationPaths } from './specification-files.ts'

export type SitePlan = {
  readonly pages: readonly PlannedPage[]
  /** Paths that are already used. */
  readonly paths: OutputPaths
  /** The language of each file, except those in English. */
  readonly languages: Readonly<Record<string, string>>
  readonly diagnostics: readonly Diagnostic[]
}

export function planSite(site: LoadedSite, tree: SourceTree): SitePlan {
  const paths = new OutputPaths()
  for (const path of SITE_FILES) paths.claim(path)
  for (const path of specificationPaths(site)) paths.claim(path)
  for (const file of tree.files) if (STATIC_FILE.test(file)) paths.claim(file)
  const diagnostics: Diagnostic[] = []
  const pages = planPages(site).filter((page) => {
    const { path, alias, file = site.configFile } = page
    const outputs = [htmlPath(path), markdownPath(path)]
    if (alias !== undefined) outputs.push(htmlPath(alias))
    const taken = outputs.find((output) => !paths.claim(output))
    if (taken === undefined) return true
    const place = { file, line: 1, column: 1 }
    const message = `The page ${page.url} cannot be written: another file already has the path ${taken}.`
    diagnostics.push(diagnose('route/collision', place, { message, hint: 'Rename the page.' }))
    return false
  })
  return { pages, paths, languages: pageLanguages(pages), diagnostics }
}
