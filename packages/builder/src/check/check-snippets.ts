import { diagnose, type Report } from '@octavo/model'
import type { SourceTree } from '../source/source-tree.ts'
import type { CheckedPage } from './checked-page.ts'

// `.js` is not included, because every page loads such a file from any folder.
const SNIPPET = /(?:^|\/)_?snippets\/.+\.(?:mdx?|jsx|tsx?)$/
const TEXT = /\.(?:mdx?|jsx?|tsx?|json)$/

/**
 * Reports snippets that no page includes. A snippet is not reported if any other file contains its
 * name, because it may be used in a way that this check does not track.
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
  const mentioned = findMentioned(tree, unused)
  for (const file of unused) {
    if (mentioned.has(file)) continue
    const message = 'No page uses this snippet.'
    const hint = 'Remove it, or import it on a page.'
    report(diagnose('file/unused-snippet', { file, line: 1, column: 1 }, { message, hint }))
  }
}

/** Returns the files whose names another file contains as a whole word. */
function findMentioned(tree: SourceTree, unused: readonly string[]): ReadonlySet<string> {
  /** The files that are still looked for, by their names. */
  const wanted = Map.groupBy(unused, nameOf)
  const words = [...wanted.keys()].filter((name) => WORD.test(name))
  const others = [...wanted.keys()].filter((name) => !WORD.test(name))
  const mentioned = new Set<string>()
  for (const file of tree.files) {
    if (!TEXT.test(file)) continue
    const text = tree.read(file) ?? ''
    // The time does not depend on the number of names, of which a large site has many.
    const found = words.length === 0 ? [] : (text.match(WORDS) ?? [])
    for (const name of [...found, ...others.filter((other) => mentions(text, other))]) {
      const files = wanted.get(name)
      if (files === undefined) continue
      for (const other of files) if (other !== file) mentioned.add(other)
      if (files.every((other) => mentioned.has(other))) wanted.delete(name)
    }
  }
  return mentioned
}

const WORD = /^[\w-]+$/
/** Matches whole words; those of a fragment with their `#`. */
const WORDS = /#?[\w-]+/g

/** Returns the name without its extension, because an import may omit the extension. */
function nameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1).replace(/\.\w+$/, '')
}

/**
 * Checks whether the text contains a name as a whole word that is not a fragment. Used for names
 * that are not one word, such as `a.b`.
 */
function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const around = `${text[at - 1] ?? ' '}${text[at + name.length] ?? ' '}`
    if (!/^[#\w-]|[\w-]$/.test(around)) return true
  }
  return false
}
