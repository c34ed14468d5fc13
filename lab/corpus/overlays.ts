/**
 * Applies real overlays to their specifications.
 * The results are compared with those of another library for JSONPath, which is not part of this
 * repository.
 *
 *   npm run lab corpus/overlays -- [folder with manifest.json] [folder where json-p3 is installed]
 *
 * Merging and removing are written again here, on plain objects.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { parseDocument, parseSpecification } from '@octavo/openapi'
import { requireCorpus } from '../parts/corpus-folder.ts'

type Manifest = {
  readonly overlays: readonly {
    readonly base: string
    readonly overlays: readonly { readonly file: string; readonly actions: number }[]
  }[]
}
type Container = Record<string | number, unknown>
type Found = { readonly value: unknown; readonly location: readonly (string | number)[] }
type Action = { readonly target: string; readonly update?: unknown; readonly remove?: boolean }

const folder = requireCorpus(process.argv[2])
const library = createRequire(join(process.argv[3] ?? '.', 'package.json'))('json-p3') as {
  readonly query: (path: string, json: unknown) => { readonly nodes: readonly Found[] }
}
const read = (file: string) => readFileSync(join(folder, file), 'utf8')
const manifest: Manifest = JSON.parse(read('manifest.json'))

for (const { base, overlays } of manifest.overlays) {
  const place = { file: 'docs.json', line: 1, column: 1 }
  const start = process.cpuUsage()
  const { specification, diagnostics } = parseSpecification(base, read(base), {
    read,
    overlays: overlays.map(({ file }) => ({ source: file, place })),
    skipsExamples: true,
  })
  const { user, system } = process.cpuUsage(start)
  const ours = specification?.document.value(specification.document.root)
  const theirs = plain(base)
  for (const { file } of overlays) {
    for (const action of (plain(file) as { actions: Action[] }).actions) apply(action, theirs)
  }
  const targets = diagnostics.filter(({ code }) => code === 'openapi/overlay-target').length
  const count = overlays.reduce((sum, { actions }) => sum + actions, 0)
  const result = isDeepStrictEqual(ours, theirs) ? 'same' : 'different'
  const ms = Math.round((user + system) / 1000)
  console.log(
    `${base}: ${count} actions, ${result}, ${targets} findings of targets, ${ms} ms (CPU)`,
  )
}

function plain(file: string): unknown {
  const document = parseDocument(file, read(file), () => {})
  return document?.value(document.root)
}

function apply({ target, update, remove }: Action, root: unknown): void {
  const found = [...library.query(target, root).nodes]
  if (remove === true) for (const { location } of found.toReversed()) removeAt(location, root)
  else for (const { value } of found) change(value, update)
}

function removeAt(location: readonly (string | number)[], root: unknown): void {
  const last = location.at(-1) ?? ''
  const parent = location
    .slice(0, -1)
    .reduce<unknown>((at, key) => (at as Container | undefined)?.[key], root)
  if (Array.isArray(parent)) parent.splice(Number(last), 1)
  else if (isObject(parent)) delete parent[last]
}

function change(value: unknown, update: unknown): void {
  if (Array.isArray(value))
    value.push(...structuredClone(Array.isArray(update) ? update : [update]))
  else if (isObject(value) && isObject(update)) merge(value, update)
}

function merge(target: Container, update: Container): void {
  for (const [key, value] of Object.entries(update)) {
    const known = target[key]
    if (isObject(known) && isObject(value)) merge(known, value)
    else if (Array.isArray(known) && Array.isArray(value)) known.push(...structuredClone(value))
    else target[key] = structuredClone(value)
  }
}

function isObject(value: unknown): value is Container {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
