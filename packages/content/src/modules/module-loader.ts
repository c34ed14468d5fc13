/**
 * Loads imported Markdown files and modules of the site. The caller provides the function that
 * reads them, and each file is parsed once for all pages. Imported code is parsed, never run.
 */
import { joinPath, SourceText } from '@octavo/model'
import type { Program } from 'estree-jsx'
import { type ParsedCode, parseModule } from '../interpreter/parse-code.ts'
import type { SourceProblem } from '../markdown/check-nesting.ts'
import { checkSource } from '../markdown/check-source.ts'
import { type MarkdownFile, parseMarkdownFile } from './markdown-file.ts'

/** Reads a file of the site by its path from the root; undefined if it does not exist. */
export type ReadText = (path: string) => string | undefined

/**
 * A TypeScript module without its types. The caller strips them, since this requires a compiler,
 * which this package does not include.
 */
export type StrippedModule =
  | {
      readonly kind: 'stripped'
      readonly code: string
      /** Maps an offset in the stripped code to the file. */
      readonly toOffset: (offset: number) => number
    }
  | { readonly kind: 'malformed'; readonly message: string; readonly offset: number }

/** Returns a stripped TypeScript module, or undefined if it is not stripped yet. */
export type ReadStripped = (path: string) => StrippedModule | undefined

export type LoadedFile =
  | { readonly kind: 'markdown'; readonly file: MarkdownFile }
  | {
      readonly kind: 'module'
      readonly source: SourceText
      /** The parsed code; `typed` for TypeScript whose types are not stripped yet. */
      readonly parsed: ParsedCode<Program> | { readonly kind: 'typed' }
      /** Maps an offset in the parsed text to the source. */
      readonly toOffset: (offset: number) => number
      /** The limit that the file exceeds, which is why it was not parsed; otherwise undefined. */
      readonly refused: SourceProblem | undefined
    }

export type Loaded = (
  | { readonly kind: 'loaded'; readonly path: string; readonly file: LoadedFile }
  | { readonly kind: 'refused'; readonly reason: string }
) & {
  /**
   * All paths that were checked, even if they do not exist: creating such a file changes the page.
   */
  readonly tried: readonly string[]
}

/** Caches the parsed files of one site. */
export class ModuleLoader {
  readonly #read: ReadText
  readonly #readStripped: ReadStripped
  readonly #files = new Map<string, LoadedFile | undefined>()

  constructor(read: ReadText, readStripped: ReadStripped = () => undefined) {
    this.#read = read
    this.#readStripped = readStripped
  }

  /** Loads the file that an import in another file names. */
  load(from: string, written: string): Loaded {
    if (!/^[./]/.test(written) && !/\.(?:mdx?|jsx?|tsx?)$/.test(written)) {
      return { kind: 'refused', reason: isPackage(written), tried: [] }
    }
    const folder = from.includes('/') ? from.slice(0, from.lastIndexOf('/')) : ''
    const clean = written.replace(/[?#].*$/, '')
    const inside = joinPath(folder, clean)
    // Too many `../` lead to the root, as in a URL.
    const path = inside ?? joinPath('', clean.replace(/^(?:\.\.?\/)+/, ''))
    if (path === undefined) return { kind: 'refused', reason: leaves(written), tried: [] }
    const tried: string[] = []
    for (const candidate of candidates(path)) {
      tried.push(candidate)
      const file = this.loadPath(candidate)
      if (file !== undefined) return { kind: 'loaded', path: candidate, file, tried }
    }
    if (inside === undefined) return { kind: 'refused', reason: leaves(written), tried }
    if (written.startsWith('@')) return { kind: 'refused', reason: isPackage(written), tried }
    if (!/\.(?:mdx?|jsx?|tsx?)$/.test(path) && /\.\w+$/.test(path)) {
      return { kind: 'refused', reason: `\`${written}\` is not a Markdown or JSX file`, tried }
    }
    return { kind: 'refused', reason: `the file \`${path}\` does not exist`, tried }
  }

  /** Loads a file by its path from the root. */
  loadPath(path: string): LoadedFile | undefined {
    const known = this.#files.get(path)
    if (known !== undefined && !isTyped(known)) return known
    if (known === undefined && this.#files.has(path)) return undefined
    const file = this.#parse(path)
    this.#files.set(path, file)
    return file
  }

  #parse(path: string): LoadedFile | undefined {
    if (!/\.(?:mdx?|jsx?|tsx?)$/.test(path)) return undefined
    const text = this.#read(path)
    if (text === undefined) return undefined
    if (/\.mdx?$/.test(path)) return { kind: 'markdown', file: parseMarkdownFile(path, text) }
    const source = new SourceText(path, text)
    const refused = checkSource(text, 'jsx')
    if (refused !== undefined) {
      const parsed = { kind: 'malformed', ...refused } as const
      return { kind: 'module', source, parsed, toOffset: same, refused }
    }
    if (!/\.tsx?$/.test(path))
      return { kind: 'module', source, parsed: parseModule(text), toOffset: same, refused }
    return { kind: 'module', source, ...parseStripped(this.#readStripped(path)), refused }
  }
}

function isTyped(file: LoadedFile): boolean {
  return file.kind === 'module' && file.parsed.kind === 'typed'
}

function parseStripped(
  module: StrippedModule | undefined,
): Pick<Extract<LoadedFile, { kind: 'module' }>, 'parsed' | 'toOffset'> {
  if (module === undefined) return { parsed: { kind: 'typed' }, toOffset: same }
  if (module.kind === 'malformed') return { parsed: module, toOffset: same }
  return { parsed: parseModule(module.code), toOffset: module.toOffset }
}

function same(offset: number): number {
  return offset
}

function isPackage(written: string): string {
  return `\`${written}\` is a package, and pages can import only files of the site`
}

function leaves(written: string): string {
  return `\`${written}\` points outside the documentation folder`
}

/** Returns the paths that `./card` can mean: `./card.mdx`, `./card.jsx` and so on. */
function candidates(path: string): readonly string[] {
  return /\.\w+$/.test(path)
    ? [path]
    : ['', '.mdx', '.md', '.jsx', '.js', '.tsx', '.ts'].map((ending) => `${path}${ending}`)
}
