/**
 * Makes pages of every real specification, and checks that no operation is silently missing.
 * Another parser counts the operations; each must become a page or be excluded with a diagnostic.
 *
 *   npm run lab corpus/specs -- [folder of the corpus] [--errors] [--only name]
 *
 * It reads the documents in `openapi/` and every specification inside the sites.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { type Diagnostic, formatDiagnostic } from '@octavo/model'
import {
  frameData,
  listOperations,
  OPENAPI_LIMITS,
  OperationPages,
  operationListings,
  parseSpecification,
  SharedParts,
} from '@octavo/openapi'
import { loadAll } from 'js-yaml'
import { withCorpus } from '../parts/corpus-folder.ts'

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { errors: { type: 'boolean' }, only: { type: 'string' } },
})

type Candidate = {
  readonly name: string
  readonly text: string
  /** The document as another parser reads it; undefined if that parser fails. */
  readonly value: unknown
  readonly version: string
}

type Row = {
  readonly operations: number
  readonly pages: number
  readonly excluded: number
  /** Operations that are excluded without a diagnostic. */
  readonly silent: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
  readonly ms: number
}

const byCode = new Map<string, number>()
const totals = { documents: 0, operations: 0, pages: 0, excluded: 0, silent: 0, crashed: 0 }

process.exitCode = withCorpus(positionals[0], (folder) => {
  printColumns('specification', 'version', [
    'bytes',
    'operations',
    'pages',
    'excluded',
    'errors',
    'warnings',
    'notes',
    'ms',
  ])
  for (const part of ['openapi', 'sites']) {
    for (const file of filesIn(join(folder, part))) {
      const candidate = readCandidate(relative(folder, file), file)
      const isWanted = options.only === undefined || candidate?.name.includes(options.only)
      if (candidate !== undefined && isWanted) tryOne(candidate)
    }
  }
  console.log('\nDiagnostics by code:')
  for (const [code, count] of [...byCode].toSorted((a, b) => b[1] - a[1])) {
    console.log(`  ${code.padEnd(40)} ${count}`)
  }
  const { documents, operations, pages, excluded, silent, crashed } = totals
  console.log(
    `\n${documents} specifications, ${crashed} crashed; ${operations} operations = ${pages} pages + ${excluded} left out with a reason + ${silent} lost.`,
  )
  return crashed + silent > 0 || operations !== pages + excluded ? 1 : 0
})

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:json|ya?ml)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('node_modules'))
    .toSorted()
}

/** Reads a file if it declares `openapi: 3…` or `swagger: 2…` at its top. */
function readCandidate(name: string, file: string): Candidate | undefined {
  const text = readFileSync(file, 'utf8')
  if (!/openapi|swagger/.test(text)) return undefined
  const value = readValue(file, text)
  const { openapi, swagger } = asRecord(value)
  const declared = openapi ?? swagger ?? (value === undefined ? versionInText(text) : undefined)
  const version = String(declared ?? '')
  return /^\d/.test(version) ? { name, text, value, version } : undefined
}

function readValue(file: string, text: string): unknown {
  try {
    return file.endsWith('.json') ? JSON.parse(text) : loadAll(text)[0]
  } catch {
    return undefined
  }
}

function versionInText(text: string): string | undefined {
  return /^\s{0,4}["']?(?:openapi|swagger)["']?\s*:\s*["']?(\d[\w.]*)/m.exec(text)?.[1]
}

function tryOne(candidate: Candidate): void {
  const { name, version, text } = candidate
  totals.documents += 1
  try {
    const row = measure(candidate)
    const count = (severity: string) =>
      row.diagnostics.filter((diagnostic) => diagnostic.severity === severity).length
    printColumns(name, version, [
      Buffer.byteLength(text),
      row.operations,
      row.pages,
      row.excluded,
      count('error'),
      count('warning'),
      count('note'),
      row.ms.toFixed(0),
    ])
    for (const lost of row.silent.slice(0, 5)) console.log(`  LOST ${lost}`)
    if (options.errors) printExamples(row.diagnostics)
    for (const { severity, code } of row.diagnostics) {
      byCode.set(`${severity} ${code}`, (byCode.get(`${severity} ${code}`) ?? 0) + 1)
    }
    totals.operations += row.operations
    totals.pages += row.pages
    totals.excluded += row.excluded
    totals.silent += row.silent.length
  } catch (error) {
    totals.crashed += 1
    console.log(`${name}: CRASHED`, error)
  }
}

function measure({ name, text, value }: Candidate): Row {
  const started = performance.now()
  const { specification, diagnostics } = parseSpecification(name, text)
  const made = new Set<string>()
  if (specification !== undefined) {
    const pillFields = { pillFields: [] }
    const reader = new OperationPages(specification, pillFields)
    for (const operation of listOperations(specification)) {
      const page = reader.page(operation)
      JSON.stringify(page)
      made.add(nameOf(page.kind, page.method, page.path))
    }
    for (const part of new SharedParts(specification, pillFields).all()) JSON.stringify(part)
    JSON.stringify([operationListings(specification), frameData(specification)])
  }
  const ms = performance.now() - started
  const wanted = value === undefined ? operationsInText(text) : operationsIn(value)
  const missing = wanted.filter((operation) => !made.has(operation.name))
  const silent = missing.filter(
    ({ pointer }) => specification !== undefined && !isExplained(pointer, diagnostics),
  )
  return {
    operations: wanted.length,
    pages: made.size,
    excluded: missing.length - silent.length,
    silent: silent.map((operation) => operation.name),
    diagnostics,
    ms,
  }
}

/**
 * Checks whether a diagnostic is at an operation, inside it or at its path item, or whether its
 * code reached the reporting limit.
 */
function isExplained(pointer: string, diagnostics: readonly Diagnostic[]): boolean {
  const counts = Map.groupBy(diagnostics, ({ code }) => code)
  return diagnostics.some(({ code, place }) => {
    if (!/wrong-value|unknown-field|reference|repeated-entry|too-large/.test(code)) return false
    const item = pointer.split('/').slice(0, 3).join('/')
    if (place.pointer === item || place.pointer?.startsWith(pointer) === true) return true
    return (counts.get(code)?.length ?? 0) >= OPENAPI_LIMITS.problemsPerCodeMax
  })
}

type Found = { readonly name: string; readonly pointer: string }

/**
 * Returns the operations of a document, without the product's code. An unresolvable path counts as
 * one operation.
 */
function operationsIn(value: unknown): readonly Found[] {
  const document = asRecord(value)
  const isOld = String(document.openapi ?? '').startsWith('3.0')
  return [
    ...itemsIn(document, 'paths').filter(({ path }) => !path.startsWith('x-')),
    ...(isOld ? [] : itemsIn(document, 'webhooks')),
  ].flatMap(({ kind, path, item, pointer }) => {
    const target = follow(document, item)
    if (target === undefined) return [{ name: nameOf(kind, 'ANY', path), pointer }]
    const methods = new Set([...Object.keys(asRecord(item)), ...Object.keys(asRecord(target))])
    return METHODS.filter((method) => methods.has(method)).map((method) => ({
      name: nameOf(kind, method.toUpperCase(), path),
      pointer: item === target ? `${pointer}/${method}` : pointer,
    }))
  })
}

/**
 * Finds the operations by searching the lines, for the few files that we can read with a warning
 * but js-yaml cannot.
 */
function operationsInText(text: string): readonly Found[] {
  const paths = text
    .slice(Math.max(0, text.search(/^paths:/m)))
    .matchAll(/^ +['"]?(?<path>\/[^\s'"]*)['"]?:\s*$|^ {4,8}(?<method>[a-z]+):\s*$/gm)
  let path = ''
  return [...paths].flatMap(({ groups = {} }) => {
    path = groups.path ?? path
    const { method } = groups
    if (method === undefined || !METHODS.includes(method)) return []
    return [{ name: nameOf('operation', method.toUpperCase(), path), pointer: '/paths' }]
  })
}

function itemsIn(document: Record<string, unknown>, key: 'paths' | 'webhooks') {
  return Object.entries(asRecord(document[key])).map(([path, item]) => ({
    kind: key === 'paths' ? 'operation' : 'webhook',
    path,
    item,
    pointer: `/${key}/${path.replaceAll('~', '~0').replaceAll('/', '~1')}`,
  }))
}

/** Returns the target of a path item's reference; undefined if it is not in the document. */
function follow(document: Record<string, unknown>, item: unknown): unknown {
  let at = item
  for (let hop = 0; hop < 100; hop += 1) {
    const { $ref } = asRecord(at)
    if (typeof $ref !== 'string') return at
    if (!$ref.startsWith('#/')) return undefined
    const tokens = decodeURIComponent($ref.slice(2)).split('/')
    at = tokens.reduce<unknown>(
      (holder, token) => asRecord(holder)[token.replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    )
  }
  return undefined
}

function nameOf(kind: string, method: string, path: string): string {
  return `${kind} ${method} ${path}`
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function printColumns(name: string, version: string, cells: readonly (string | number)[]): void {
  const short = name.length > 70 ? `…${name.slice(-69)}` : name
  console.log(
    short.padEnd(70),
    version.padEnd(6),
    ...cells.map((cell) => String(cell).padStart(10)),
  )
}

/** Prints one diagnostic of each code. */
function printExamples(diagnostics: readonly Diagnostic[]): void {
  for (const [first, ...rest] of Map.groupBy(diagnostics, ({ code }) => code).values()) {
    if (first === undefined) continue
    const more = rest.length === 0 ? '' : ` (and ${rest.length} more)`
    console.log(`  ${formatDiagnostic(first).replaceAll('\n', '\n  ')}${more}`)
  }
}
