import ignore from 'ignore'

const PATTERN_LENGTH_MAX = 500
const PATTERNS_MAX = 1_000

export type IgnoreFile = { readonly file: string; readonly text: string }

/** Tells whether a path is ignored. The path of a folder ends with a slash. */
export type IsIgnored = (path: string) => boolean

export type IgnoreRules = {
  readonly isIgnored: IsIgnored
  /** The rules that are too long or too many to be used. Lines count from 1. */
  readonly unusedRules: readonly { readonly file: string; readonly line: number }[]
}

/**
 * Reads ignore files in the syntax of `.gitignore`. The last rule that matches a path decides, so
 * `!` in a later file takes back a rule of an earlier one.
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
  // Addresses tell `Guide` from `guide`, and so do the rules, on every system.
  const matcher = ignore({ ignoreCase: false }).add(rules)
  return { isIgnored: (path) => matcher.ignores(path), unusedRules }
}
