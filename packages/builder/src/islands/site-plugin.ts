/**
 * Provides esbuild with the files of one site only. Every import is resolved here, so files outside
 * the site, the network and packages are never accessed. The namespaces are:
 *
 * - `entry`: the module that a page imports, with the components of one file by name
 * - `site`: a file of the site, or the imports and exports of a page
 * - `markdown`: a Markdown file as a component
 * - `global`: names of the runtime, see global-modules.ts
 */
import { type LoadedFile, type ModuleLoader, moduleCode } from '@octavo/content'
import type { SourceText } from '@octavo/model'
import type { OnLoadResult, OnResolveArgs, OnResolveResult, PartialMessage, Plugin } from 'esbuild'
import type { IslandCode } from '../compile/find-islands.ts'
import { enumProblem, languageOf } from '../compile/strip-types.ts'
import {
  GLOBAL_PREFIX,
  type GlobalModules,
  REACT_MODULE,
  REACT_PACKAGES,
} from './global-modules.ts'
import { ISLAND_LIMITS } from './island-limits.ts'

/** The package from which esbuild imports the JSX runtime, as `<package>/jsx-runtime`. */
export const JSX_SOURCE = 'octavo-jsx'

const ENTRY_IMPORT = 'octavo-entry'
const MARKDOWN_IMPORT = 'octavo-markdown'

export type SiteModules = {
  readonly loader: ModuleLoader
  /** Names of the components in each entry file. */
  readonly names: ReadonlyMap<string, readonly string[]>
  readonly globals: GlobalModules
  /** Code in pages, by file. It is appended to the content of the file. */
  readonly codeOf: ReadonlyMap<string, readonly IslandCode[]>
}

/** Attached to an import error; `isStatement` is true if it concerns the whole statement. */
export type ImportDetail = { readonly isStatement: boolean }

export function sitePlugin(site: SiteModules): Plugin {
  let filesLeft: number = ISLAND_LIMITS.filesMax
  let sizeLeft: number = ISLAND_LIMITS.sourceSizeMax
  return {
    name: 'site',
    setup: (build) => {
      build.onResolve({ filter: /.*/ }, (request) => resolve(site, request))
      build.onLoad({ filter: /.*/, namespace: 'entry' }, ({ path }) => ({
        contents: entryCode(site.names.get(path) ?? []),
        loader: 'js',
      }))
      build.onLoad({ filter: /.*/, namespace: 'global' }, ({ path }) => ({
        contents: site.globals.code.get(path) ?? '',
        loader: 'js',
      }))
      // Markdown is rendered when the page is built, so it is not available in the browser.
      build.onLoad({ filter: /.*/, namespace: 'markdown' }, () => ({
        contents: 'export default function Markdown() { return null }',
        loader: 'js',
      }))
      build.onLoad({ filter: /.*/, namespace: 'site' }, ({ path }) => {
        filesLeft -= 1
        if (filesLeft < 0) return refuse(`it imports more than ${ISLAND_LIMITS.filesMax} files`)
        const loaded = loadSiteFile(site, path)
        sizeLeft -= loaded.contents?.length ?? 0
        return sizeLeft < 0 ? refuse(`its imports are larger than the limit`) : loaded
      })
    },
  }
}

function resolve({ loader }: SiteModules, request: OnResolveArgs): OnResolveResult {
  const { path, namespace, importer, kind } = request
  if (path.startsWith(GLOBAL_PREFIX) && namespace !== 'site')
    return { path: path.slice(GLOBAL_PREFIX.length), namespace: 'global', sideEffects: false }
  if (namespace === 'global') return { path, external: true, sideEffects: false }
  if (namespace === 'entry') return { path: importer, namespace: 'site' }
  // esbuild adds `./` if the working directory has a file with that name.
  if (kind === 'entry-point') return { path: path.replace(/^\.\//, ''), namespace: 'entry' }
  if (path === MARKDOWN_IMPORT) return { path: importer, namespace: 'markdown', sideEffects: false }
  if (path === JSX_SOURCE || path.startsWith(`${JSX_SOURCE}/`) || REACT_PACKAGES.has(path))
    return { path: REACT_MODULE, namespace: 'global', sideEffects: false }
  const loaded = loader.load(importer, path)
  if (loaded.kind === 'loaded') return { path: loaded.path, namespace: 'site' }
  const detail: ImportDetail = { isStatement: kind === 'import-statement' }
  return { errors: [{ text: loaded.reason, detail }] }
}

/**
 * Returns the code of an entry module. Islands have a prefix in their names, because the file may
 * export other things under the same name.
 */
function entryCode(names: readonly string[]): string {
  const exports = names.map((name) => (name === 'default' ? name : `"island:${name}" as ${name}`))
  return `export { ${exports.join(', ')} } from "${ENTRY_IMPORT}"`
}

function loadSiteFile({ loader, names, codeOf }: SiteModules, path: string): OnLoadResult {
  const loaded = loader.loadPath(path)
  if (loaded === undefined) return refuse('the file does not exist')
  const refusal = refusalOf(loaded)
  if (refusal !== undefined) return refuse(refusal)
  // Deeply nested code would crash the compiler, so the error of our own parser is reported
  // instead.
  if (loaded.kind === 'module' && loaded.parsed.kind === 'malformed' && languageOf(path) === 'jsx')
    return refuse(loaded.parsed.message, locationOf(loaded.source, loaded.parsed.offset))
  let contents = moduleCode(loaded)
  for (const code of codeOf.get(path) ?? []) contents += appendedCode(code)
  if (loaded.kind === 'markdown') contents += `\nexport { default } from "${MARKDOWN_IMPORT}"`
  const islands = (names.get(path) ?? []).filter((name) => name !== 'default')
  contents += `\nexport { ${islands.map((name) => `${name} as "island:${name}"`).join(', ')} }`
  return { contents, loader: languageOf(path) }
}

/** Returns the text to append for code in a page. It starts on a new line. */
export function appendedCode({ name, text }: IslandCode): string {
  return `\nconst ${name} = ${text}`
}

/** Returns why a file must not be compiled, or undefined if it may be compiled. */
export function refusalOf(loaded: LoadedFile): string | undefined {
  if (loaded.kind === 'markdown') return loaded.file.refused?.message
  if (loaded.refused !== undefined) return loaded.refused.message
  return enumProblem(loaded.source)?.message
}

function refuse(text: string, location?: PartialMessage['location']): OnLoadResult {
  return { errors: [{ text, location: location ?? null }] }
}

/**
 * Converts an offset to a location for the compiler, which counts lines from 1 and the bytes in a
 * line from 0.
 */
function locationOf(source: SourceText, offset: number): PartialMessage['location'] {
  const { line, column } = source.position(offset)
  const start = offset - column + 1
  const lineText = source.text.slice(start).split(/[\r\n]/, 1)[0] ?? ''
  const bytes = Buffer.byteLength(source.text.slice(start, offset))
  return { file: source.file, namespace: 'site', line, column: bytes, lineText }
}
