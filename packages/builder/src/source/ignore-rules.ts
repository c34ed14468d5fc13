/**
 * Ignore files (`.mintignore`, `.octavoignore`) in gitignore's syntax: `*`, `**`, `?`, `[abc]`,
 * a leading `/` for the root, a trailing `/` for folders, `!` to take back.
 */

/** Longer patterns are refused: their regular expressions could be slow. */
const PATTERN_LENGTH_MAX = 500
const PATTERNS_MAX = 1_000

type Rule = { readonly matches: RegExp; readonly keep: boolean }

/** Is this path, file or folder, ignored? Folders are asked about with a trailing slash. */
export type IsIgnored = (path: string) => boolean

export type ParsedIgnoreRules = {
  readonly isIgnored: IsIgnored
  /** Lines, from 1, whose rules are too long or too many to be used. */
  readonly unusedLines: readonly number[]
}

/** Reads the text of an ignore file. */
export function parseIgnoreRules(text: string): ParsedIgnoreRules {
  const rules: Rule[] = []
  const unusedLines: number[] = []
  text.split(/\r?\n/).forEach((written, index) => {
    const line = written.trim()
    if (line === '' || line.startsWith('#')) return
    if (line.length > PATTERN_LENGTH_MAX || rules.length >= PATTERNS_MAX)
      unusedLines.push(index + 1)
    else rules.push(parseRule(line))
  })
  return { isIgnored: (path) => isIgnoredBy(rules, path), unusedLines }
}

/** The last rule that matches decides. */
function isIgnoredBy(rules: readonly Rule[], path: string): boolean {
  let ignored = false
  for (const { matches, keep } of rules) {
    if (ignored === keep && matches.test(path)) ignored = !keep
  }
  return ignored
}

function parseRule(line: string): Rule {
  const keep = line.startsWith('!')
  const pattern = keep ? line.slice(1) : line
  const folderOnly = pattern.endsWith('/')
  const body = pattern.replace(/^\/+|\/+$/g, '')
  // A slash in the middle ties the pattern to the root; without one it matches at any depth.
  const anchored = pattern.startsWith('/') || body.includes('/')
  const end = folderOnly ? '/' : '(?:/|$)'
  return { keep, matches: new RegExp(`^${anchored ? '' : '(?:.*/)?'}${translate(body)}${end}`) }
}

function translate(pattern: string): string {
  return pattern.replace(/\*\*\/|\/\*\*$|\*\*|\*|\?|\[[^\]]+\]|[.+^${}()|\\[\]]/g, (part) => {
    switch (part) {
      case '**/':
        return '(?:.*/)?'
      case '/**':
        return '/.*'
      case '**':
        return '.*'
      case '*':
        return '[^/]*'
      case '?':
        return '[^/]'
      default:
        return part.length > 2 && part.startsWith('[') ? part.replace(/^\[!/, '[^') : `\\${part}`
    }
  })
}
