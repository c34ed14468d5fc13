/**
 * Which test or fixture shows which statement of the requirements, as a table. Fails where nothing
 * does, and where something cites a statement that is not there.
 *
 *   npm run requirements
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const ID = /(?:ER|[A-Z]{1,2}-?\d{1,2}[a-f]?)/
const CITATION = new RegExp(
  `\\b[Rr]equirements? (${ID.source}(?:(?:, | and |, and )${ID.source})*)\\b`,
  'g',
)
const ROW = new RegExp(`^\\| (${ID.source}) \\| (.+?) \\| (.*?) ?\\|$`)

type Statement = { readonly id: string; readonly text: string; readonly waitsFor: string }

const statements = readStatements()
const citations = findCitations()
const known = new Set(statements.map(({ id }) => id))
const gaps: string[] = []
for (const { id, text, waitsFor } of statements) {
  const places = citations.get(id) ?? []
  const isOpen = places.length === 0
  if (isOpen && waitsFor === '') gaps.push(id)
  const shown = isOpen
    ? waitsFor === ''
      ? 'NOTHING SHOWS THIS'
      : stateOf(waitsFor)
    : shorten(places)
  console.log(`${id.padEnd(5)} ${text}\n        ${shown}`)
}
const unknown = [...citations.keys()].filter((id) => !known.has(id))
const waiting = statements.filter(({ id, waitsFor }) => waitsFor !== '' && !citations.has(id))
console.log(
  `\n${statements.length} statements: ${statements.length - waiting.length - gaps.length} shown, ` +
    `${waiting.length} not built yet or left open, ${gaps.length} without a test.`,
)
if (gaps.length > 0) console.log(`Without a test: ${gaps.join(' ')}`)
if (unknown.length > 0) console.log(`Cited, but no statement: ${unknown.join(' ')}`)
process.exitCode = gaps.length + unknown.length > 0 ? 1 : 0

function readStatements(): readonly Statement[] {
  const lines = readFileSync(join(root, 'fixtures/requirements.md'), 'utf8').split('\n')
  return lines.flatMap((line) => {
    const [, id, text, waitsFor] = ROW.exec(line) ?? []
    return id === undefined || text === undefined ? [] : [{ id, text, waitsFor: waitsFor ?? '' }]
  })
}

/** By statement: the files that cite it, with the line of each citation. */
function findCitations(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  const files = [
    'fixtures/README.md',
    ...globSync('{packages,scripts}/**/*.test.ts', { cwd: root }),
  ]
  for (const file of files.filter((path) => !path.includes('node_modules')).toSorted()) {
    for (const [index, line] of readFileSync(join(root, file), 'utf8').split('\n').entries()) {
      for (const [, list = ''] of line.matchAll(CITATION)) {
        for (const id of list.split(/, and |, | and /)) {
          found.set(id, [...(found.get(id) ?? []), `${file}:${index + 1}`])
        }
      }
    }
  }
  return found
}

function stateOf(waitsFor: string): string {
  return waitsFor === 'open' ? 'left open by the requirements' : `not built yet: ${waitsFor}`
}

function shorten([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`
}
