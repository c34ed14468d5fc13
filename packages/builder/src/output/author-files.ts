/** The parts of our pages that authors' stylesheets and scripts refer to. */
import { hooksIn, isUtility } from '@octavo/theme'
import type { SourceTree } from '../source/source-tree.ts'

export type AuthorHooks = {
  /** Ids and classes of page parts that they refer to. */
  readonly hooks: readonly string[]
  /** Utility classes of elements that scripts create. */
  readonly utilities: readonly string[]
}

export function findAuthorHooks(tree: SourceTree, files: readonly string[]): AuthorHooks {
  const hooks = new Set<string>()
  const utilities = new Set<string>()
  for (const file of files) {
    const isScript = file.endsWith('.js')
    if (!isScript && !file.endsWith('.css')) continue
    const text = tree.read(file) ?? ''
    for (const name of hooksIn(text)) hooks.add(name)
    if (isScript) for (const name of classesIn(text)) utilities.add(name)
  }
  return { hooks: [...hooks].sort(), utilities: [...utilities].sort() }
}

/** A larger script is usually a third-party program with its own styles. */
const SCRIPT_LENGTH_MAX = 200_000
const TEXT = /(["'])((?:(?!\1)[^\\\n]|\\.)*)\1|`((?:[^`\\]|\\.)*)`/g

/** Returns words in strings of a script that are utility classes, whether or not they are used. */
function classesIn(script: string): readonly string[] {
  if (script.length > SCRIPT_LENGTH_MAX) return []
  const words = new Set<string>()
  for (const [, , text, template] of script.matchAll(TEXT)) {
    for (const word of (text ?? template ?? '').split(/[\s"'<>=`]+/)) words.add(word)
  }
  return [...words].filter((word) => word !== '' && isUtility(word))
}
