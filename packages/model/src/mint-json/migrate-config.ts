/**
 * Converts an outdated configuration to a docs.json that follows the current rules: mint.json is
 * converted, and levels with several kinds of children are separated. Every listed page is kept.
 */
import { type Diagnostic, DiagnosticList } from '../diagnostics/diagnostic.ts'
import { toValue } from '../json/json-node.ts'
import { parseJson } from '../json/parse-json.ts'
import { convertMintJson } from './convert-mint-json.ts'
import { separateChildren } from './separate-children.ts'

export type MigratedConfig = {
  /** The text of the new docs.json; undefined if the old text is not an object. */
  readonly text: string | undefined
  /** The changes that were made, as sentences for the author. */
  readonly changes: readonly string[]
  /** Problems in the text, and keys without a counterpart. */
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
  // The schema for mint.json would report keys that are valid in docs.json.
  if (isLegacy) delete value.$schema
  value.navigation = separateChildren(value.navigation, (change) => changes.push(change))
  const indent = /^[{[]\r?\n([ \t]+)/.exec(text.trimStart())?.[1] ?? '  '
  return {
    text: `${JSON.stringify(value, null, indent)}\n`,
    changes,
    diagnostics: list.sorted(),
  }
}
