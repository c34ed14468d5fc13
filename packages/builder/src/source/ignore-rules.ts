import ignore from 'ignore'

const PATTERN_LENGTH_MAX = 500
const PATTERNS_MAX = 1_000

export type IgnoreFile = { readonly file: string; readonly text: string }

/** Checks whether a path is ignored. Paths of folders end with a slash. */
export type IsIgnored = (path: string) => boolean

export type IgnoreRules = {
  readonly isIgnored: IsIgnored
  /** Rules that are not used because of their length or number. Line numbers start at 1. */
  readonly unusedRules: readonly { readonly file: string; readonly line: number }[]
}

/**
 * Reads ignore files with the syntax of `.gitignore`. The last rule that matches decides, so `!` in
 * a later file negates a rule in an earlier one.
 */
export function parseIgnoreRules(files: readonly IgnoreFile[]): IgnoreRules {
  const rules: string[] = []
  const unusedRules: { file: string; line: number }[] = []
  for (const { file, text } of files) {
    text.split(/\r?\n/).forEach((rule, index) => {
      if (rule.trim() === '' || rule.startsWith('#')) return
      if (rule.length > PATTERN_LENGTH_MAX || rules.length >= PATTERNS_MAX)
        unusedRules.push({ file, line: index + 1 })
      else rules.push(rule)
    })
  }
  // Rules are case-sensitive on every system, as URLs are.
  const matcher = ignore({ ignoreCase: false }).add(rules)
  return { isIgnored: (path) => matcher.ignores(path), unusedRules }
}
