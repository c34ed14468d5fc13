/**
 * Checks that tests or fixtures cite every requirement, and that every cited requirement exists.
 *
 *   npx node scripts/requirements.ts [--all]        (also lists the requirements with their citations)
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

type Statement = { readonly id: string; readonly text: string; readonly isOpen: boolean }

const statements = readStatements()
const citations = findCitations()
const known = new Set(statements.map(({ id }) => id))
const gaps: string[] = []
for (const { id, text, isOpen } of statements) {
  const places = citations.get(id) ?? []
  if (places.length === 0 && !isOpen) gaps.push(id)
  if (!process.argv.includes('--all')) continue
  const none = isOpen ? 'left open by the requirements' : 'NO TEST'
  const shown = places.length === 0 ? none : shorten(places)
  console.log(`${id.padEnd(5)} ${text}\n        ${shown}`)
}
const unknown = [...citations.keys()].filter((id) => !known.has(id))
const open = statements.filter(({ id, isOpen }) => isOpen && !citations.has(id))
console.log(
  `\n${statements.length} statements: ${statements.length - open.length - gaps.length} shown, ` +
    `${open.length} left open by the requirements, ${gaps.length} without a test.`,
)
if (gaps.length > 0) console.log(`Without a test: ${gaps.join(' ')}`)
if (unknown.length > 0) console.log(`Cited, but not in the requirements: ${unknown.join(' ')}`)
process.exitCode = gaps.length + unknown.length > 0 ? 1 : 0

function readStatements(): readonly Statement[] {
  const lines = readFileSync(join(root, 'fixtures/requirements.md'), 'utf8').split('\n')
  return lines.flatMap((line) => {
    const [, id, text, open] = ROW.exec(line) ?? []
    return id === undefined || text === undefined ? [] : [{ id, text, isOpen: open === 'open' }]
  })
}

/** Returns the places that cite each requirement, each as file and line. */
function findCitations(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  const files = [
    'fixtures/README.md',
    ...globSync('{packages,scripts,lab}/**/*.test.ts', { cwd: root }),
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

function shorten([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`
}
