/**
 * Runs the JSONPath compliance test suite (RFC 9535) with our own reader of JSONPath.
 *
 *   npm run lab corpus/json-path -- <cts.json>
 *
 * It prints each case whose result differs, and fails if there is one that is not expected.
 */
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { type Json, OPENAPI_LIMITS, parseDocument } from '@octavo/openapi'
import { parseJsonPath } from '../../packages/openapi/src/json-path/parse-json-path.ts'
import { StepBudget, ValueSelector } from '../../packages/openapi/src/json-path/select-values.ts'
import { EditedDocument } from '../../packages/openapi/src/overlays/edited-document.ts'

type Case = {
  readonly name: string
  readonly selector: string
  readonly document?: unknown
  readonly result?: unknown
  /** All results that are allowed, if the order of keys decides. */
  readonly results?: readonly unknown[]
  readonly invalid_selector?: boolean
}

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('Pass the path of cts.json.')
const { tests } = JSON.parse(readFileSync(file, 'utf8')) as { readonly tests: readonly Case[] }

const different = tests.filter((one) => !isAsExpected(one))
for (const { name, selector } of different) console.log(`  ${name}: ${selector}`)
console.log(`${tests.length - different.length} of ${tests.length} cases`)
process.exitCode = different.length === 0 ? 0 : 1

function isAsExpected({ selector, document, result, results, invalid_selector }: Case): boolean {
  const found = select(selector, JSON.stringify(document ?? null))
  if (invalid_selector === true) return found === undefined
  return (results ?? [result]).some((expected) => isDeepStrictEqual(found, expected))
}

/** Returns the selected values; undefined if the path is not valid. */
function select(path: string, json: string): readonly Json[] | undefined {
  const document = parseDocument('document.json', json, () => {})
  const query = parseJsonPath(path)
  if (document === undefined || !('segments' in query)) return undefined
  const values = new EditedDocument(document, OPENAPI_LIMITS)
  const selected = new ValueSelector(values, new StepBudget(1_000_000)).select(query)
  return selected.map(({ value }) => document.value(value as number))
}
