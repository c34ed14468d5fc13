/** Compiles every page as a build does, with the same cache, and writes no output. */
import type { Report } from '@octavo/model'
import { OperationCompiler, shownOf } from '../compile-operations.ts'
import { type CompiledPage, createPageCompiler } from '../compile-page.ts'
import type { HashedTree } from '../hashed-tree.ts'
import { takeCode } from '../known-code.ts'
import type { LoadedSite } from '../load-site.ts'
import { cacheSettings, PageCache } from '../page-cache.ts'
import { hashWithLanguage, pageLanguages } from '../page-languages.ts'
import { compilePages } from '../page-pool.ts'
import { type PlannedPage, planPages } from '../plan-pages.ts'
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

/** As few pages as this are compiled here: starting a worker would take longer. */
const IN_PROCESS_MAX = 4

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
  await compileFiles(
    [...changed.keys()],
    { ...input, languages },
    {
      codeOf: (file) => {
        const before = cache.loadBefore(file)
        return before === undefined ? [] : takeCode(before)
      },
      onPage(file, compiled) {
        const page = changed.get(file)
        if (page === undefined) return
        const isSure = [file, ...compiled.files].every((path) => tree.isUnchanged(path))
        if (isSure && compiled.failed !== true) cache.store(file, pageHash(file), compiled, hashOf)
        finish(page, compiled)
      },
    },
  )
  cache.finish()
  // In the order of the plan: whichever worker was first.
  return pages.flatMap((page) => checked.get(page) ?? [])
}

type Languages = { readonly languages: ReturnType<typeof pageLanguages> }
type Handlers = Pick<Parameters<typeof compilePages>[1], 'codeOf' | 'onPage'>

async function compileFiles(
  files: readonly string[],
  { folder: root, tree, site, workersMax, languages }: CompileInput & Languages,
  handlers: Handlers,
): Promise<void> {
  const variables = site.config.variables ?? {}
  const iconLibrary = site.config.icons?.library
  if (files.length <= IN_PROCESS_MAX) {
    const { read, factsOf } = tree
    const languageOf = (path: string) => languages[path]
    const compile = createPageCompiler({ read, factsOf, variables, iconLibrary, languageOf })
    for (const file of files) handlers.onPage(file, await compile(file, handlers.codeOf(file)))
    return
  }
  await compilePages(files, {
    ...{ root, files: tree.files, variables, iconLibrary, languages, ...handlers },
    ...(workersMax === undefined ? {} : { workersMax }),
  })
}
