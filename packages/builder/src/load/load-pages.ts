import {
  type Diagnostic,
  diagnose,
  findBodyStart,
  joinPath,
  type KnownPage,
  parseFrontmatter,
} from '@octavo/model'
import { hashBytes } from '../source/hash-bytes.ts'
import type { HashedTree } from '../source/hashed-tree.ts'
import { SKILL_FILE } from '../source/read-folder.ts'
import type { SourceTree } from '../source/source-tree.ts'

export type LoadedPages = {
  readonly pages: readonly KnownPage[]
  readonly diagnostics: readonly Diagnostic[]
}

const REPOSITORY_FILE =
  /(?:^|\/)(?:README|LICENSE|CONTRIBUTING|CHANGELOG|CODE_OF_CONDUCT|SECURITY|AGENTS|CLAUDE)\.mdx?$/
const SNIPPET = /(?:^|\/)_?snippets\//
const DOT_FILE = /(?:^|\/)\.[^/]+$/
const IMPORT = /import\s[^'"]*['"]([^'"]+\.mdx?)['"]/y

/** The data at the top of a page file, which is read without compiling the page. */
export type PageHead = {
  readonly frontmatter: KnownPage['frontmatter']
  /** Markdown files that the page imports. */
  readonly imports: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Reads the frontmatter of every page file and determines which files are only snippets of other
 * pages.
 */
export function loadPages(
  tree: SourceTree,
  headOf = (file: string) => readPageHead(tree, file),
): LoadedPages {
  const diagnostics: Diagnostic[] = []
  const imported = new Set<string>()
  const found = tree.files.filter(isPageFile).map((file) => {
    const { frontmatter, imports, diagnostics: own } = headOf(file)
    for (const path of imports) imported.add(path)
    diagnostics.push(...own)
    return { file, path: file.replace(/\.mdx?$/, ''), frontmatter }
  })
  const pages = found
    .map((page) => ({ ...page, isPageOnlyWhenListed: isPageOnlyWhenListed(page.file, imported) }))
    .toSorted(mdxFirst)
  return { pages, diagnostics }
}

export function readPageHead(tree: SourceTree, file: string): PageHead {
  const text = tree.read(file)
  const { frontmatter, diagnostics } = parseFrontmatter(file, headOf(text ?? ''))
  return {
    frontmatter,
    imports: importsOf(file, text ?? ''),
    diagnostics: text === undefined ? [tooLarge(file), ...diagnostics] : diagnostics,
  }
}

/** Returns a hash of what other pages may show of this page, which its text does not decide. */
export function hashHead(tree: HashedTree, file: string): string {
  const head = tree.headOf(file, () => readPageHead(tree, file))
  return hashBytes(JSON.stringify(head)).slice(0, 16)
}

/**
 * Returns the part of the text that `parseFrontmatter` reads. The part is copied, because a slice
 * would keep the whole text in memory.
 */
function headOf(text: string): string {
  const end = findBodyStart(text)
  return end === 0 ? text : Buffer.from(text.slice(0, end)).toString()
}

/** Sorts `start.mdx` before `start.md`, because the first of them becomes the page. */
function mdxFirst(a: KnownPage, b: KnownPage): number {
  return Number(b.file.endsWith('.mdx')) - Number(a.file.endsWith('.mdx'))
}

/** Returns the diagnostic for a file of the site that is too large to read. */
export function tooLarge(file: string): Diagnostic {
  return diagnose(
    'file/too-large',
    { file, line: 1, column: 1 },
    {
      message: `${file} is too large.`,
      hint: 'Split the file into smaller ones. The limits are listed in the reference.',
    },
  )
}

export function isPageFile(file: string): boolean {
  return /\.mdx?$/.test(file) && !SKILL_FILE.test(file)
}

/**
 * Checks whether a file is a page only if the navigation lists it: a snippet, an imported file or a
 * document of the repository itself.
 */
function isPageOnlyWhenListed(file: string, imported: ReadonlySet<string>): boolean {
  return [SNIPPET, REPOSITORY_FILE, DOT_FILE].some((kind) => kind.test(file)) || imported.has(file)
}

function importsOf(file: string, text: string): readonly string[] {
  // This runs for every page. Most pages do not import other files, so they are skipped quickly.
  if (!text.includes('.md')) return []
  const folder = file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : ''
  const found: string[] = []
  for (let at = text.indexOf('import'); at >= 0; at = text.indexOf('import', at + 6)) {
    if (!isLineStart(text, at)) continue
    IMPORT.lastIndex = at
    const path = IMPORT.exec(text)?.[1]
    const resolved = path === undefined ? undefined : joinPath(folder, path)
    if (resolved !== undefined) found.push(resolved)
  }
  return found
}

/** Checks whether only whitespace precedes a position on its line. */
function isLineStart(text: string, at: number): boolean {
  let before = at - 1
  while (text[before] === ' ' || text[before] === '\t') before -= 1
  return before < 0 || text[before] === '\n' || text[before] === '\r'
}
