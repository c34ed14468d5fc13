/** Processes a hostile specification completely, and checks what must be true for every attack. */
import type { Diagnostic, DiagnosticCode, OperationListing } from '@octavo/model'
import { expect } from 'vitest'
import { checkTags } from '../src/check/check-tags.ts'
import { listOperations } from '../src/operations/list-operations.ts'
import { operationListings } from '../src/operations/operation-listings.ts'
import { frameData } from '../src/pages/frame-data.ts'
import { OperationPages } from '../src/pages/operation-page.ts'
import type {
  OperationPage,
  SchemaData,
  SecuritySchemeData,
  SharedPart,
  SpecificationFrame,
} from '../src/pages/page-data.ts'
import { SharedParts } from '../src/pages/shared-parts.ts'
import { parseSpecification } from '../src/parse-specification.ts'

/** Generous enough for a busy machine. On an idle one, the slowest attack takes a second. */
export const MS_MAX = 5_000
/**
 * The maximum length of page data relative to its specification. Real specifications have a ratio
 * of 1 to 2.
 */
const GROWTH_MAX = 50

export type Outcome = {
  readonly isUsed: boolean
  readonly diagnostics: readonly Diagnostic[]
  readonly pages: readonly OperationPage[]
  readonly parts: readonly SharedPart[]
  readonly listings: readonly OperationListing[]
  readonly schemes: readonly SecuritySchemeData[]
  readonly frame?: SpecificationFrame
  /** All data of the specification, as it would be stored. */
  readonly stored: string
}

export function attack(text: string, file = 'attack.json'): Outcome {
  const started = performance.now()
  const outcome = makeAll(text, file)
  expect(performance.now() - started).toBeQuick(MS_MAX)
  expect(outcome.stored.length).toBeLessThanOrEqual(Math.max(text.length, 1_000) * GROWTH_MAX)
  for (const { title } of [...outcome.pages, ...outcome.listings]) {
    expect(title).not.toMatch(/[\r\n\u2028\u2029]/)
  }
  for (const { place } of outcome.diagnostics) expect(place.line).toBeGreaterThanOrEqual(1)
  return outcome
}

function makeAll(text: string, file: string): Outcome {
  const { specification, diagnostics } = parseSpecification(file, text)
  if (specification === undefined) {
    return {
      isUsed: false,
      diagnostics,
      pages: [],
      parts: [],
      listings: [],
      schemes: [],
      stored: '',
    }
  }
  const options = { pillFields: ['x-pill'] }
  const reader = new OperationPages(specification, options)
  const pages = listOperations(specification).map((operation) => reader.page(operation))
  const parts = [...new SharedParts(specification, options).all()]
  const listings = operationListings(specification)
  const frame = frameData(specification)
  const { schemes } = frame
  const stored = [...pages, ...parts, ...listings, frame].map((it) => JSON.stringify(it)).join()
  const found = [...diagnostics, ...checkTags(specification)]
  return { isUsed: true, diagnostics: found, pages, parts, listings, schemes, frame, stored }
}

/** Returns the code and line of every diagnostic, without duplicates. */
export function found({ diagnostics }: Outcome): readonly string[] {
  return [...new Set(diagnostics.map(({ code, place }) => `${code} ${place.line}`))]
}

export function codes({ diagnostics }: Outcome): readonly DiagnosticCode[] {
  return [...new Set(diagnostics.map(({ code }) => code))]
}

export function page({ pages }: Outcome, index = 0): OperationPage {
  const one = pages[index]
  if (one === undefined) throw new Error(`no page ${index}`)
  return one
}

export function schema({ parts }: Outcome, name: string): SchemaData {
  const part = parts.find(({ ref }) => ref === `#/components/schemas/${name}`)
  if (part?.kind !== 'schema') throw new Error(`no schema ${name}`)
  return part.schema
}

export type Fields = { readonly [key: string]: unknown }

const INFO = { title: 'Attack', version: '1' }
export const OK = { responses: { '200': { description: 'ok' } } }

export function json(fields: Fields, openapi = '3.1.0'): string {
  return JSON.stringify({ openapi, info: INFO, ...fields })
}

/** Returns a document with one operation. */
export function withOperation(operation: Fields, more: Fields = {}): string {
  return json({ paths: { '/plants': { get: { ...OK, ...operation } } }, ...more })
}

/** Returns a document with named schemas; the first one is the body of an operation. */
export function withSchemas(schemas: Fields, openapi = '3.1.0'): string {
  const [first = ''] = Object.keys(schemas)
  const body = { content: { 'application/json': { schema: refTo(first) } } }
  const paths = { '/plants': { post: { requestBody: body, ...OK } } }
  return json({ paths, components: { schemas } }, openapi)
}

export function refTo(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` }
}

export function many<Item>(count: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

export function named(count: number, make: (index: number) => [string, unknown]): Fields {
  return Object.fromEntries(many(count, make))
}

/** Checks that an attack did not change the prototype of objects. Called after each attack. */
export function expectNoPollution(): void {
  expect(Object.keys(Object.prototype)).toEqual([])
  expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('polluted')
  expect(({} as Fields).polluted).toBeUndefined()
}

/**
 * Matches a segment of letters, digits, marks, dashes and underscores, or two separated by a slash.
 * Such a slug is safe in URLs and file names.
 */
export const SAFE_SLUG = /^[\p{L}\p{N}\p{M}_-]+(?:\/[\p{L}\p{N}\p{M}_-]+)?$/u
