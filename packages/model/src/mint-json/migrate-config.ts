/**
 * A configuration of another time → a docs.json that breaks no rule of today: mint.json is converted,
 * and levels that hold several kinds of children are taken apart. No page that was listed is lost.
 */
import { type Diagnostic, DiagnosticList } from '../diagnostics/diagnostic.ts'
import { toValue } from '../json/json-node.ts'
import { parseJson } from '../json/parse-json.ts'
import { convertMintJson } from './convert-mint-json.ts'
import { separateChildren } from './separate-children.ts'

export type MigratedConfig = {
  /** Missing when the text is not an object at all. */
  readonly text: string | undefined
  /** What was done, in sentences. */
  readonly changes: readonly string[]
  /** What was wrong with the text, or has no counterpart. */
  readonly diagnostics: readonly Diagnostic[]
}

export function migrateConfig(file: string, text: string): MigratedConfig {
  const list = new DiagnosticList()
  const parsed = parseJson(file, text, list.report)
  if (parsed?.type !== 'object') {
    return { text: undefined, changes: [], diagnostics: list.sorted() }
  }
  const isLegacy = /(?:^|\/)mint\.json$/.test(file)
  const root = isLegacy ? convertMintJson(parsed, list.report) : parsed
  const value = toValue(root) as Record<string, unknown>
  const changes = isLegacy ? ['mint.json was converted to docs.json.'] : []
  // The schema of another tool would call keys unknown that are fine here.
  if (isLegacy) delete value.$schema
  value.navigation = separateChildren(value.navigation, (change) => changes.push(change))
  const indent = /^[{[]\r?\n([ \t]+)/.exec(text.trimStart())?.[1] ?? '  '
  return {
    text: `${JSON.stringify(value, null, indent)}\n`,
    changes,
    diagnostics: list.sorted(),
  }
}
