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

/** Reads the text of an ignore file. */
export function parseIgnoreRules(text: string): IsIgnored {
  const rules = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && line.length <= PATTERN_LENGTH_MAX)
    .slice(0, PATTERNS_MAX)
    .map(parseRule)
  return (path) => {
    let ignored = false
    for (const { matches, keep } of rules) {
      if (ignored === keep && matches.test(path)) ignored = !keep
    }
    return ignored
  }
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
