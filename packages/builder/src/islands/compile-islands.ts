/**
 * Compiles components that need a browser: one module per source file. An author's code is only
 * text here; it runs only in the reader's browser.
 */
import { basename } from 'node:path'
import { islandNames, ModuleLoader, moduleCode, type ReadText } from '@octavo/content'
import { type Diagnostic, DiagnosticList, formatCount, formatDiagnostic } from '@octavo/model'
import * as esbuild from 'esbuild'
import { ISLANDS_FOLDER, islandModuleName, islandModuleUrl } from '../compile/island-address.ts'
import { runEsbuild } from '../compile/run-esbuild.ts'
import { languageOf } from '../compile/strip-types.ts'
import { BROWSER_OUTPUT } from '../scripts/browser-output.ts'
import { GLOBAL_PREFIX, type GlobalModules, globalModules } from './global-modules.ts'
import type { IslandAssets } from './island-assets.ts'
import { moduleProblem, problemOf, reportMarkdownInIslands } from './island-diagnostics.ts'
import { ISLAND_LIMITS } from './island-limits.ts'
import { JSX_SOURCE, refusalOf, sitePlugin } from './site-plugin.ts'

type IslandModule = {
  readonly path: string
  readonly code: string
  readonly file: string
  /** The exported components. An island with another name keeps its static content. */
  readonly names: readonly string[]
}

export type CompiledIslands = {
  /** Sorted by file. */
  readonly modules: readonly IslandModule[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Compiles the files of a site that have islands. A file that fails is reported; the others still
 * compile.
 */
export async function compileIslands(input: {
  readonly read: ReadText
  readonly files: Iterable<string>
  /** The script that the modules import from. */
  readonly runtime: IslandAssets['runtime']
}): Promise<CompiledIslands> {
  const files = [...new Set(input.files)].toSorted()
  if (files.length === 0) return { modules: [], diagnostics: [] }
  const { runtime } = input
  const address = `.${runtime.path.slice(ISLANDS_FOLDER.length)}`
  const site: Site = {
    loader: new ModuleLoader(input.read),
    globals: globalModules(address, runtime.exports),
  }
  const modules: IslandModule[] = []
  // By text, so that a problem in a shared snippet is reported once.
  const problems = new Map<string, Diagnostic>()
  for (let start = 0; start < files.length; start += ISLAND_LIMITS.batchMax) {
    const batch = files.slice(start, start + ISLAND_LIMITS.batchMax)
    const compiled = await compileBatch(site, batch)
    modules.push(...compiled.modules)
    for (const problem of compiled.diagnostics) problems.set(formatDiagnostic(problem), problem)
  }
  const list = new DiagnosticList()
  for (const problem of problems.values()) list.report(problem)
  return { modules, diagnostics: list.sorted() }
}

type Site = { readonly loader: ModuleLoader; readonly globals: GlobalModules }

/** Compiles files together, since they share most of the work; one by one if there is an error. */
async function compileBatch(site: Site, files: readonly string[]): Promise<CompiledIslands> {
  const compiled = await compileFiles(site, files)
  if (files.length === 1 || compiled.modules.length === files.length) return compiled
  const modules: IslandModule[] = []
  const diagnostics: Diagnostic[] = []
  for (const file of files) {
    const one = await compileFiles(site, [file])
    modules.push(...one.modules)
    diagnostics.push(...one.diagnostics)
  }
  return { modules, diagnostics }
}

async function compileFiles(site: Site, files: readonly string[]): Promise<CompiledIslands> {
  const { loader, globals } = site
  const names = new Map<string, readonly string[]>()
  for (const file of files) names.set(file, await namesOf(loader, file))
  const ran = await runEsbuild(() =>
    esbuild.build({
      ...BROWSER_OUTPUT,
      // Nothing is written: the folder only determines the output names.
      outdir: ISLANDS_FOLDER,
      entryPoints: files.map((file) => ({ in: file, out: islandModuleName(file) })),
      inject: globals.injected.map((name) => `${GLOBAL_PREFIX}${name}`),
      jsx: 'automatic',
      jsxImportSource: JSX_SOURCE,
      plugins: [sitePlugin({ loader, names, globals })],
    }),
  )
  const place = { file: files[0] ?? '', line: 1, column: 1 }
  if (ran.kind === 'gave-up')
    return { modules: [], diagnostics: [moduleProblem(place, ran.reason)] }
  if (ran.kind === 'failed')
    return { modules: [], diagnostics: ran.errors.map((error) => problemOf(loader, error)) }
  const texts = new Map(ran.result.outputFiles.map(({ path, text }) => [basename(path), text]))
  const modules: IslandModule[] = []
  const diagnostics = [...reportMarkdownInIslands(loader, ran.result.metafile)]
  for (const file of files) {
    const code = texts.get(`${islandModuleName(file)}.js`) ?? ''
    if (code.length <= ISLAND_LIMITS.moduleSizeMax)
      modules.push({ path: islandModuleUrl(file), code, file, names: names.get(file) ?? [] })
    else diagnostics.push(moduleProblem({ ...place, file }, tooLarge(code)))
  }
  return { modules, diagnostics }
}

function tooLarge(code: string): string {
  const limit = formatCount(ISLAND_LIMITS.moduleSizeMax)
  return `it compiles to ${formatCount(code.length)} characters; the limit is ${limit}`
}

/** Returns the components of a file. If it has no components, the following build reports why. */
async function namesOf(loader: ModuleLoader, file: string): Promise<readonly string[]> {
  const loaded = loader.loadPath(file)
  if (loaded === undefined || refusalOf(loaded) !== undefined) return []
  const code = moduleCode(loaded)
  const language = languageOf(file)
  if (language === 'jsx') return islandNames(code) ?? []
  const ran = await runEsbuild(() => esbuild.transform(code, { loader: language, jsx: 'preserve' }))
  return ran.kind === 'done' ? (islandNames(ran.result.code) ?? []) : []
}
