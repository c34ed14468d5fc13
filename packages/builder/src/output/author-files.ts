/** Finds the parts of our pages to which authors' stylesheets and scripts refer. */
import { authorGroundStyles, hooksIn, isUtility } from '@octavo/theme'
import type { SourceTree } from '../source/source-tree.ts'

export type AuthorHooks = {
  /** Ids and classes of page parts to which the authors' files refer. */
  readonly hooks: readonly string[]
  /** Utility classes that occur only on elements that scripts create. */
  readonly utilities: readonly string[]
  /** Our styles that depend on the authors' styles. */
  readonly styles: string
}

export function findAuthorHooks(tree: SourceTree, files: readonly string[]): AuthorHooks {
  const hooks = new Set<string>()
  const utilities = new Set<string>()
  let css = ''
  for (const file of files) {
    const isScript = file.endsWith('.js')
    if (!isScript && !file.endsWith('.css')) continue
    const text = tree.read(file) ?? ''
    for (const name of hooksIn(text)) hooks.add(name)
    if (!isScript) css += text
    if (isScript) for (const name of classesIn(text)) utilities.add(name)
  }
  return {
    hooks: [...hooks].sort(),
    utilities: [...utilities].sort(),
    styles: authorGroundStyles(css),
  }
}

/**
 * Larger scripts are not searched, because they are usually third-party programs with their own
 * styles.
 */
const SCRIPT_LENGTH_MAX = 200_000
const TEXT = /(["'])((?:(?!\1)[^\\\n]|\\.)*)\1|`((?:[^`\\]|\\.)*)`/g

/**
 * Returns the words in the strings of a script that are utility classes, even if the script does
 * not use them as classes.
 */
function classesIn(script: string): readonly string[] {
  if (script.length > SCRIPT_LENGTH_MAX) return []
  const words = new Set<string>()
  for (const [, , text, template] of script.matchAll(TEXT)) {
    for (const word of (text ?? template ?? '').split(/[\s"'<>=`]+/)) words.add(word)
  }
  return [...words].filter((word) => word !== '' && isUtility(word))
}
