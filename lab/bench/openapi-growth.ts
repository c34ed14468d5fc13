/**
 * Measures how the cost of a specification grows with its size.
 * The documents have thousands of operations whose schemas refer to each other and to themselves.
 * The cost per operation should stay the same.
 *
 *   npm run lab bench/openapi-growth -- [--rounds 3]
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { median, runMeasurement } from './openapi/run-measurement.ts'

const SIZES = [1_000, 3_000, 10_000]
/** The maximum CPU time per operation with 10,000 operations, relative to that with 1,000. */
const GROWTH_MAX = 1.3

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } })
const rounds = Number(values.rounds)

const folder = mkdtempSync(join(tmpdir(), 'octavo-growth-'))
const files = SIZES.map((size) => {
  const file = join(folder, `${size}.json`)
  writeFileSync(file, JSON.stringify(makeDocument(size)))
  return file
})
const results = SIZES.map(() => [] as ReturnType<typeof runMeasurement>[])
try {
  for (let round = 0; round < rounds; round += 1) {
    files.forEach((file, index) => {
      results[index]?.push(runMeasurement('ours', file))
    })
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

console.log(`for each operation, median of ${rounds}`)
console.log(
  ...[
    'operations',
    'JSON bytes',
    'CPU ms',
    'data bytes',
    'peak bytes',
    'heap bytes',
    'held bytes',
  ].map((cell) => cell.padStart(11)),
)
const rows = SIZES.map((size, index) => {
  const measured = results[index] ?? []
  const each = (figure: Parameters<typeof median>[1]) => median(measured, figure) / size
  const bytes = JSON.stringify(makeDocument(size)).length / size
  const row = { cpu: each('cpuMs'), data: each('dataBytes'), peak: each('peakBytes') }
  const cells = [
    String(size),
    bytes.toFixed(0),
    row.cpu.toFixed(3),
    row.data.toFixed(0),
    row.peak.toFixed(0),
    each('heapPeak').toFixed(0),
    each('heldBytes').toFixed(0),
  ]
  console.log(...cells.map((cell) => cell.padStart(11)))
  return row
})
const [small, , large] = rows
if (small === undefined || large === undefined) throw new Error('nothing was measured')
const ratio = (figure: keyof typeof small) => (large[figure] / small[figure]).toFixed(2)
console.log(
  `10,000 to 1,000: CPU ${ratio('cpu')}, data ${ratio('data')}, peak memory ${ratio('peak')} (goal ≤ ${GROWTH_MAX})`,
)
const isLinear = large.cpu <= small.cpu * GROWTH_MAX && large.data <= small.data * GROWTH_MAX
process.exitCode = isLinear ? 0 : 1

/**
 * Creates a document with one schema per operation. Each schema refers to five schemas, including
 * itself.
 */
function makeDocument(size: number): object {
  const ref = (index: number) => ({ $ref: `#/components/schemas/Schema${index % size}` })
  const schemaOf = (index: number) => ({
    type: 'object',
    description: `The schema with the number ${index}.`,
    required: ['id', 'self'],
    properties: {
      id: { type: 'integer', format: 'int64', minimum: 1 },
      name: { type: 'string', maxLength: 100, description: 'What people call it.' },
      self: ref(index),
      list: { type: 'array', items: ref(index * 7 + 1) },
      choice: { oneOf: [ref(index * 11 + 2), ref(index + 1)] },
    },
    ...(index % 3 === 0
      ? { allOf: [ref(index + size - 1)] }
      : { additionalProperties: ref(index * 13) }),
  })
  const content = (index: number) => ({ 'application/json': { schema: ref(index) } })
  const operationOf = (index: number) => ({
    operationId: `operation${index}`,
    summary: `Operation number ${index}`,
    description: 'Does what its name says, and a little more than that.',
    tags: [`tag${index % 40}`],
    parameters: [
      { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
      { $ref: '#/components/parameters/Page' },
    ],
    requestBody: { content: content(index) },
    responses: {
      '200': { description: 'Fine', content: content(index * 3 + 1) },
      default: { $ref: '#/components/responses/Problem' },
    },
  })
  const entries = <Value>(prefix: string, make: (index: number) => Value) =>
    Object.fromEntries(
      Array.from({ length: size }, (_, index) => [`${prefix}${index}`, make(index)]),
    )
  return {
    openapi: '3.1.0',
    info: { title: 'Growth', version: '1' },
    servers: [{ url: 'https://api.example.com' }],
    security: [{ key: [] }],
    paths: Object.fromEntries(
      Array.from({ length: size }, (_, index) => [
        `/plants${index}/{id}`,
        { post: operationOf(index) },
      ]),
    ),
    components: {
      schemas: entries('Schema', schemaOf),
      parameters: { Page: { name: 'page', in: 'query', schema: { type: 'integer' } } },
      responses: { Problem: { description: 'Wrong', content: content(0) } },
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    },
  }
}
