/**
 * Imports: Markdown files and modules of the site, read through a function of the caller, parsed
 * once for all pages. What is imported is read, never run.
 */
import { joinPath, SourceText } from '@octavo/model'
import type { Program } from 'estree-jsx'
import { type ParsedCode, parseModule } from '../interpreter/parse-code.ts'
import type { SourceProblem } from '../markdown/check-nesting.ts'
import { checkSource } from '../markdown/check-source.ts'
import { type MarkdownFile, parseMarkdownFile } from './markdown-file.ts'

/** Reads a text of the site by its path from the root; nothing if it is not there. */
export type ReadText = (path: string) => string | undefined

export type LoadedFile =
  | { readonly kind: 'markdown'; readonly file: MarkdownFile }
  | {
      readonly kind: 'module'
      readonly source: SourceText
      readonly parsed: ParsedCode<Program>
      /** Set when the file is over a limit and was not parsed. */
      readonly refused: SourceProblem | undefined
    }

export type Loaded = (
  | { readonly kind: 'loaded'; readonly path: string; readonly file: LoadedFile }
  | { readonly kind: 'refused'; readonly reason: string }
) & {
  /** Paths that were looked at, found or not: a file that appears there changes the page. */
  readonly tried: readonly string[]
}

/** Keeps the parsed files of one site. */
export class ModuleLoader {
  readonly #read: ReadText
  readonly #files = new Map<string, LoadedFile | undefined>()

  constructor(read: ReadText) {
    this.#read = read
  }

  /** The file that an import of another file names. */
  load(from: string, written: string): Loaded {
    if (!/^[./]/.test(written) && !/\.(?:mdx?|jsx?|tsx?)$/.test(written)) {
      return { kind: 'refused', reason: isPackage(written), tried: [] }
    }
    const folder = from.includes('/') ? from.slice(0, from.lastIndexOf('/')) : ''
    const clean = written.replace(/[?#].*$/, '')
    const inside = joinPath(folder, clean)
    // Too many `../` end at the root, as they do in an address.
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

  /** A file by its path from the root. */
  loadPath(path: string): LoadedFile | undefined {
    if (!this.#files.has(path)) this.#files.set(path, this.#parse(path))
    return this.#files.get(path)
  }

  #parse(path: string): LoadedFile | undefined {
    if (!/\.(?:mdx?|jsx?|tsx?)$/.test(path)) return undefined
    const text = this.#read(path)
    if (text === undefined) return undefined
    if (/\.mdx?$/.test(path)) return { kind: 'markdown', file: parseMarkdownFile(path, text) }
    const source = new SourceText(path, text)
    const refused = checkSource(text, 'jsx')
    const parsed: ParsedCode<Program> =
      refused === undefined
        ? parseModule(text)
        : { kind: 'malformed', message: refused.message, offset: refused.offset }
    return { kind: 'module', source, parsed, refused }
  }
}

function isPackage(written: string): string {
  return `\`${written}\` is a package, and pages can import only files of the site`
}

function leaves(written: string): string {
  return `\`${written}\` points outside the documentation folder`
}

/** `./card` may mean `./card.mdx` or `./card.jsx`. */
function candidates(path: string): readonly string[] {
  return /\.\w+$/.test(path)
    ? [path]
    : ['', '.mdx', '.md', '.jsx', '.js', '.tsx', '.ts'].map((ending) => `${path}${ending}`)
}
