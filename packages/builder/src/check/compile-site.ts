/** Compiles every page as a build does, with the same cache, and writes no output. */
import type { Report } from '@octavo/model'
import { cacheSettings, PageCache } from '../cache/page-cache.ts'
import { compileFiles } from '../compile/compile-files.ts'
import { OperationCompiler, shownOf } from '../compile/compile-operations.ts'
import type { CompiledPage } from '../compile/compile-page.ts'
import type { LoadedSite } from '../load/load-site.ts'
import { hashWithLanguage, pageLanguages } from '../plan/page-languages.ts'
import { type PlannedPage, planPages } from '../plan/plan-pages.ts'
import type { HashedTree } from '../source/hashed-tree.ts'
import { type CheckedPage, checkedPage } from './checked-page.ts'

export type CompileInput = {
  readonly folder: string
  readonly cacheFolder: string
  readonly version: string
  readonly workersMax?: number | undefined
  readonly tree: HashedTree
  readonly site: LoadedSite
  readonly report: Report
}

export async function compileSite(input: CompileInput): Promise<readonly CheckedPage[]> {
  const { site, tree, version, report } = input
  const cache = new PageCache(input.cacheFolder, cacheSettings(version, site.config))
  const operations = new OperationCompiler({
    site,
    version,
    variables: site.config.variables ?? {},
  })
  const hashOf = (path: string): string => tree.hashOf(path)
  const checked = new Map<PlannedPage, CheckedPage>()
  const shown = new Map<PlannedPage, readonly CompiledPage[]>()
  const finish = (page: PlannedPage, own: CompiledPage | undefined): void => {
    own?.diagnostics.forEach(report)
    checked.set(page, checkedPage(page, [...(own ? [own] : []), ...(shown.get(page) ?? [])]))
    shown.delete(page)
  }
  const changed = new Map<string, PlannedPage>()
  const pages = planPages(site)
  const languages = pageLanguages(pages)
  const pageHash = (file: string) => hashWithLanguage(hashOf(file), languages[file])
  for (const page of pages) {
    const { file } = page
    const api = shownOf(page)
    if (api !== undefined) {
      const key = operations.keyOf(api)
      const known = cache.load(key)
      const compiled = known ?? (await operations.compile(api))
      if (known === undefined) cache.put(key, compiled)
      shown.set(page, [compiled])
    }
    const found = file && cache.find(file, pageHash(file), hashOf)
    const known = found ? cache.load(found.artifact) : undefined
    if (file === undefined || known !== undefined) finish(page, known)
    else changed.set(file, page)
  }
  await compileFiles([...changed.keys()], {
    ...input,
    languages,
    codeOf: (file) => cache.codeBefore(file),
    onPage(file, compiled) {
      const page = changed.get(file)
      if (page === undefined) return
      const isSure = [file, ...compiled.files].every((path) => tree.isUnchanged(path))
      if (isSure && compiled.failed !== true) cache.store(file, pageHash(file), compiled, hashOf)
      finish(page, compiled)
    },
  })
  cache.finish()
  // In the order of the plan: whichever worker was first.
  return pages.flatMap((page) => checked.get(page) ?? [])
}
