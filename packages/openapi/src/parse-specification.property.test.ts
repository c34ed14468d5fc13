import { DIAGNOSTIC_CODES } from '@octavo/model'
import fc from 'fast-check'
import { CORE_SCHEMA, dump, load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { OPENAPI_LIMITS } from './document/limits.ts'
import { canonicalReference } from './document/pointer.ts'
import { readJson } from './document/read-json.ts'
import { readYaml } from './document/read-yaml.ts'
import { SpecDocument } from './document/spec-document.ts'
import { listOperations } from './operations/list-operations.ts'
import { operationListings } from './operations/operation-listings.ts'
import { OperationPages } from './pages/operation-page.ts'
import { securitySchemes } from './pages/security-data.ts'
import { SharedParts } from './pages/shared-parts.ts'
import { type ParsedSpecification, parseSpecification } from './parse-specification.ts'

const OPTIONS = { pillFields: ['x-pill'] }

describe('random texts', () => {
  /**
   * Parts of JSON, YAML and OpenAPI, so that random text is not rejected at its first character.
   */
  const word = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    "'",
    '\n',
    '  ',
    '- ',
    '&a ',
    '*a',
    '<<: ',
    '!!x ',
    '|\n',
    'openapi: 3.1.0\n',
    '"openapi":"3.0.0"',
    'paths:',
    '"/a"',
    'get:',
    '$ref: ',
    '"#/paths"',
    'null',
    '1e400',
    '-0',
    '0x1F',
    '\\u0000',
    '\0',
    '\ud800',
    '#',
    '---\n',
    '__proto__: ',
  )
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(fc.oneof(word, fc.string({ maxLength: 3 })), { maxLength: 40 })
      .map((all) => all.join('')),
  )

  test('any text is parsed, or rejected with a code and a place', () => {
    fc.assert(
      fc.property(text, fc.constantFrom('a.json', 'a.yaml', 'a'), (written, file) => {
        const parsed = parseSpecification(file, written)
        for (const { code, place } of parsed.diagnostics) {
          expect(DIAGNOSTIC_CODES).toHaveProperty([code])
          expect(place.line).toBeGreaterThanOrEqual(1)
          expect(place.column).toBeGreaterThanOrEqual(1)
          expect(place.line).toBeLessThanOrEqual(written.split(/\r\n|\r|\n/).length)
        }
        if (parsed.specification === undefined) expect(parsed.diagnostics).not.toEqual([])
        makeAll(parsed)
      }),
    )
  })
})

describe('random values', () => {
  /** Random JSON values without `__proto__`, a key that is rejected before values are read. */
  const value = fc
    .jsonValue({ stringUnit: 'binary', maxDepth: 6 })
    .filter((any) => !JSON.stringify(any).includes('__proto__'))

  test('JSON values are read as JSON.parse returns them', () => {
    fc.assert(
      fc.property(value, fc.constantFrom(0, 2, '\t'), fc.boolean(), (any, space, escaped) => {
        const written = JSON.stringify(any, null, space)
        const text = escaped ? escapeAll(written) : written
        const read = readJson(text, OPENAPI_LIMITS)
        if (read.kind !== 'read') throw new Error(read.kind)
        const document = new SpecDocument({ file: 'a.json', text, tape: read.tape })
        // Compared as text, so that the order of keys matters, and -0 equals 0.
        expect(JSON.stringify(document.value(document.root))).toBe(JSON.stringify(JSON.parse(text)))
      }),
    )
  })

  test('a text is accepted as JSON if and only if JSON.parse accepts it', () => {
    const put = fc.constantFrom(
      '',
      ',',
      '"',
      '{',
      ']',
      ':',
      '\\',
      "'",
      '0',
      '-',
      '.',
      'e',
      '\n',
      '\0',
    )
    fc.assert(
      fc.property(value, fc.nat(), put, (any, at, change) => {
        const written = JSON.stringify(any)
        const place = at % (written.length + 1)
        const text = written.slice(0, place) + change + written.slice(place + 1)
        expect(readJson(text, OPENAPI_LIMITS).kind === 'read').toBe(isJson(text))
      }),
    )
  })

  test('YAML values are read as js-yaml returns them', () => {
    const options = fc.record({
      indent: fc.integer({ min: 1, max: 4 }),
      flowLevel: fc.integer({ min: -1, max: 3 }),
      lineWidth: fc.constantFrom(-1, 10, 80),
    })
    fc.assert(
      fc.property(value, options, (any, style) => {
        const text = dump(any, { ...style, schema: CORE_SCHEMA })
        const read = readYaml(text, OPENAPI_LIMITS)
        if (read.kind !== 'read') throw new Error(JSON.stringify(read))
        const { tape, decoded } = read
        const document = new SpecDocument({ file: 'a.yaml', text, tape, decoded })
        const expected = load(text, { schema: CORE_SCHEMA })
        expect(JSON.stringify(document.value(document.root))).toBe(JSON.stringify(expected))
      }),
    )
  })
})

describe('random references', () => {
  test('the canonical form of a canonical reference is the reference itself', () => {
    const token = fc.oneof(
      fc.constantFrom('~0', '~1', '~', '%', '%25', '%2525', '%2F', '%7E1', '/', '#', 'a', ' '),
      fc.string({ maxLength: 4, unit: 'binary' }),
    )
    const reference = fc.array(token, { maxLength: 8 }).map((tokens) => `#/${tokens.join('')}`)
    fc.assert(
      fc.property(reference, (written) => {
        const once = canonicalReference(written)
        expect(canonicalReference(once)).toBe(once)
      }),
    )
  })

  test('every reference leads to a shared part of the right kind, or is reported', () => {
    fc.assert(
      fc.property(documents(), (document) => {
        const parsed = parseSpecification('a.json', JSON.stringify(document))
        if (parsed.specification === undefined) throw new Error('not read')
        const reported = new Set(
          parsed.diagnostics
            .filter(({ code }) => /reference/.test(code))
            .map(({ message }) => /reference `([^`]*)`/.exec(message)?.[1])
            .map((written) => canonicalReference(written ?? '')),
        )
        const parts = new SharedParts(parsed.specification, OPTIONS)
        const all = makeAll(parsed)
        for (const { ref, wanted } of linksIn(all)) {
          if (chainFrom(document, ref).some((link) => reported.has(link))) continue
          expect(parts.part(ref)?.kind, `${ref} in ${JSON.stringify(document)}`).toBe(wanted)
        }
        // References are not inlined, so a short document cannot produce a huge amount of data.
        expect(JSON.stringify(all).length).toBeLessThan(100 * JSON.stringify(document).length)
      }),
    )
  })
})

function makeAll({ specification }: ParsedSpecification): readonly unknown[] {
  if (specification === undefined) return []
  const reader = new OperationPages(specification, OPTIONS)
  return [
    ...listOperations(specification).map((operation) => reader.page(operation)),
    ...new SharedParts(specification, OPTIONS).all(),
    ...operationListings(specification),
    ...securitySchemes(specification),
  ]
}

/**
 * Generates small documents whose parts refer to each other, to themselves, and to missing parts.
 */
function documents(): fc.Arbitrary<object> {
  const kinds = ['schemas', 'parameters', 'responses', 'requestBodies', 'headers', 'examples']
  const names = ['A', 'B', 'C', 'a b', 'x~y/z', '%41']
  const pointers = [
    ...kinds.flatMap((kind) => names.map((name) => `#/components/${kind}/${escapeName(name)}`)),
    '#/components/schemas/A/properties/p',
    '#/components/schemas/B/allOf/0',
    '#/nowhere',
    '#',
    '#/paths/~1a/get/responses/200',
    '#/info',
    'other.json#/a',
  ]
  // Most references are to the right kind of part, so that chains and cycles occur.
  const reference = (kind: string) => {
    const near = names.map((name) => `#/components/${kind}/${escapeName(name)}`)
    return fc
      .oneof({ weight: 6, arbitrary: fc.constantFrom(...near) }, fc.constantFrom(...pointers))
      .map(($ref) => ({ $ref }))
  }
  const some = (of: fc.Arbitrary<object>) => fc.array(of, { minLength: 1, maxLength: 3 })
  const { schema } = fc.letrec<{ schema: object }>((tie) => ({
    schema: fc.oneof(
      { depthSize: 'small' },
      { weight: 3, arbitrary: reference('schemas') },
      fc.constantFrom<object>({ type: 'string' }, { enum: [1, null] }, {}),
      fc.record({ properties: fc.record({ p: tie('schema'), q: tie('schema') }) }),
      fc.record({ allOf: some(tie('schema')) }),
      fc.record({ oneOf: some(tie('schema')), description: fc.constant('one of') }),
      fc.record({ items: tie('schema') }),
    ),
  }))
  const orReference = (kind: string, part: fc.Arbitrary<object>) => fc.oneof(reference(kind), part)
  const content = fc.record({ 'application/json': fc.record({ schema }) })
  const parts: Record<string, fc.Arbitrary<object>> = {
    schemas: schema,
    parameters: fc.record({ name: fc.constant('q'), in: fc.constant('query'), schema }),
    responses: fc.record({ description: fc.constant('ok'), content }),
    requestBodies: fc.record({ content }),
    headers: fc.record({ schema }),
    examples: fc.constant({ value: 1 }),
  }
  const part = (kind: string) => orReference(kind, parts[kind] ?? fc.constant({}))
  const components = Object.fromEntries(
    kinds.map((kind) => [
      kind,
      fc.dictionary(fc.constantFrom(...names), part(kind), { maxKeys: 4 }),
    ]),
  )
  const operation = fc.record({
    parameters: fc.array(part('parameters'), { maxLength: 3 }),
    requestBody: part('requestBodies'),
    responses: fc.record({ '200': part('responses'), default: part('responses') }),
  })
  return fc.record({
    openapi: fc.constantFrom('3.0.3', '3.1.0'),
    info: fc.constant({ title: 'Random', version: '1' }),
    paths: fc.record({ '/a': fc.record({ get: operation, post: operation }) }),
    components: fc.record(components),
  })
}

/** Returns a reference, followed by all references in the chain that starts with it. */
function chainFrom(document: object, ref: string): readonly string[] {
  const chain: string[] = []
  for (let at: string | undefined = ref; at !== undefined && !chain.includes(at); ) {
    chain.push(at)
    const tokens: readonly string[] = at.split('/').slice(1)
    const target: unknown = tokens.reduce<unknown>(
      (holder, token) =>
        (holder as Record<string, unknown> | undefined)?.[
          token.replaceAll('~1', '/').replaceAll('~0', '~')
        ],
      document,
    )
    const next = (target as { $ref?: string } | undefined)?.$ref
    at = next === undefined ? undefined : canonicalReference(next)
  }
  return chain
}

function escapeName(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))
}

type FoundLink = { readonly ref: string; readonly wanted: string }

/** Returns all links in the data, each with the kind of part that is required at its place. */
function linksIn(value: unknown, place = ''): readonly FoundLink[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item) => linksIn(item, place))
  const fields = Object.entries(value)
  const own = fields.flatMap(([key, field]) => {
    const isLink = key === 'ref' && typeof field === 'string' && !('kind' in value)
    return isLink ? [{ ref: field, wanted: KIND_AT[place] ?? 'schema' }] : []
  })
  return [...own, ...fields.flatMap(([key, field]) => linksIn(field, key))]
}

const KIND_AT: Readonly<Record<string, string>> = {
  parameters: 'parameter',
  body: 'body',
  response: 'response',
  headers: 'header',
  examples: 'example',
}

/** Writes all characters of strings as escapes such as `\u0041`, the longest way to write them. */
function escapeAll(json: string): string {
  return json.replaceAll(/"(?:[^"\\]|\\.)*"/gs, (text) => {
    const value = JSON.parse(text) as string
    const units = value.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'))
    return `"${units.map((unit) => `\\u${unit}`).join('')}"`
  })
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
