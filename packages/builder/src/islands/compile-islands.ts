/**
 * Compiles components that need a browser, with one module per source file. The compilation only
 * handles an author's code as text; the code runs only in the reader's browser.
 */
import { basename } from 'node:path'
import { islandNames, ModuleLoader, moduleCode, type ReadText } from '@octavo/content'
import { type Diagnostic, DiagnosticList, formatCount, formatDiagnostic } from '@octavo/model'
import * as esbuild from 'esbuild'
import type { IslandCode } from '../compile/find-islands.ts'
import { ISLANDS_FOLDER, islandModuleName, islandModuleUrl } from '../compile/island-address.ts'
import { runEsbuild } from '../compile/run-esbuild.ts'
import { languageOf } from '../compile/strip-types.ts'
import { BROWSER_OUTPUT } from '../scripts/browser-output.ts'
import { GLOBAL_PREFIX, globalModules } from './global-modules.ts'
import type { IslandAssets } from './island-assets.ts'
import { moduleProblem, problemOf, reportMarkdownInIslands } from './island-diagnostics.ts'
import { ISLAND_LIMITS } from './island-limits.ts'
import { JSX_SOURCE, refusalOf, type SiteModules, sitePlugin } from './site-plugin.ts'

type IslandModule = {
  readonly path: string
  readonly code: string
  readonly file: string
  /**
   * Names of the exported components. An island whose name is not in this list keeps its static
   * content.
   */
  readonly names: readonly string[]
}

export type CompiledIslands = {
  /** The modules, sorted by file. */
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
  readonly code?: readonly IslandCode[]
  /** The script from which the modules import. */
  readonly runtime: IslandAssets['runtime']
}): Promise<CompiledIslands> {
  const files = [...new Set(input.files)].toSorted()
  if (files.length === 0) return { modules: [], diagnostics: [] }
  const { runtime } = input
  const address = `.${runtime.path.slice(ISLANDS_FOLDER.length)}`
  const site: Site = {
    loader: new ModuleLoader(input.read),
    globals: globalModules(address, runtime.exports),
    codeOf: byFile(input.code ?? []),
  }
  const modules: IslandModule[] = []
  // Diagnostics by text, so that a problem in a shared snippet is reported only once.
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

type Site = Pick<SiteModules, 'loader' | 'globals' | 'codeOf'>

/** Groups code by file. Several pages may include the same snippet, so duplicates are removed. */
function byFile(code: readonly IslandCode[]): SiteModules['codeOf'] {
  const unique = new Map(code.map((one) => [`${one.file} ${one.name}`, one]))
  const sorted = [...unique.values()].toSorted((a, b) => a.line - b.line || a.column - b.column)
  return Map.groupBy(sorted, ({ file }) => file)
}

/**
 * Compiles files together, because they share most of the work. If there is an error, they are
 * compiled one by one.
 */
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
  const { loader } = site
  const names = new Map<string, readonly string[]>()
  for (const file of files) {
    const own = (site.codeOf.get(file) ?? []).map(({ name }) => name)
    names.set(file, [...(await namesOf(loader, file)), ...own])
  }
  const ran = await runEsbuild(() =>
    esbuild.build({
      ...BROWSER_OUTPUT,
      // esbuild does not write files here: the folder only determines the names of the output.
      outdir: ISLANDS_FOLDER,
      entryPoints: files.map((file) => ({ in: file, out: islandModuleName(file) })),
      inject: site.globals.injected.map((name) => `${GLOBAL_PREFIX}${name}`),
      jsx: 'automatic',
      jsxImportSource: JSX_SOURCE,
      plugins: [sitePlugin({ ...site, names })],
    }),
  )
  const place = { file: files[0] ?? '', line: 1, column: 1 }
  if (ran.kind === 'gave-up')
    return { modules: [], diagnostics: [moduleProblem(place, ran.reason)] }
  if (ran.kind === 'failed')
    return { modules: [], diagnostics: ran.errors.map((error) => problemOf(site, error)) }
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

/**
 * Returns the names of the components in a file. If it has none, the compilation that follows
 * reports why.
 */
async function namesOf(loader: ModuleLoader, file: string): Promise<readonly string[]> {
  const loaded = loader.loadPath(file)
  if (loaded === undefined || refusalOf(loaded) !== undefined) return []
  const code = moduleCode(loaded)
  const language = languageOf(file)
  if (language === 'jsx') return islandNames(code) ?? []
  const ran = await runEsbuild(() => esbuild.transform(code, { loader: language, jsx: 'preserve' }))
  return ran.kind === 'done' ? (islandNames(ran.result.code) ?? []) : []
}
