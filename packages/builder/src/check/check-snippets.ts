import { diagnose, type Report } from '@octavo/model'
import type { SourceTree } from '../source/source-tree.ts'
import type { CheckedPage } from './checked-page.ts'

// Without `.js`: every page loads such a file, wherever it is.
const SNIPPET = /(?:^|\/)_?snippets\/.+\.(?:mdx?|jsx|tsx?)$/
const TEXT = /\.(?:mdx?|jsx?|tsx?|json)$/

/**
 * Reports snippets that no page includes. A snippet is skipped if any other text contains its name:
 * it may be used in a way that is not tracked here.
 */
export function checkSnippets(
  tree: SourceTree,
  pages: readonly CheckedPage[],
  report: Report,
): void {
  const used = new Set<string>()
  for (const { files, page } of pages) {
    for (const file of files) used.add(file)
    if (page.file !== undefined) used.add(page.file)
  }
  const unused = tree.files.filter((file) => SNIPPET.test(file) && !used.has(file))
  if (unused.length === 0) return
  const mentioned = new Set<string>()
  const names = new Map(unused.map((file) => [file, nameOf(file)]))
  for (const file of tree.files) {
    if (!TEXT.test(file)) continue
    const text = tree.read(file) ?? ''
    for (const [snippet, name] of names) {
      if (snippet !== file && !mentioned.has(snippet) && text.includes(name)) mentioned.add(snippet)
    }
  }
  for (const file of unused) {
    if (mentioned.has(file)) continue
    const message = 'No page uses this snippet.'
    const hint = 'Remove it, or import it on a page.'
    report(diagnose('file/unused-snippet', { file, line: 1, column: 1 }, { message, hint }))
  }
}

/** Imports name a file with or without its extension. */
function nameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1).replace(/\.\w+$/, '')
}
