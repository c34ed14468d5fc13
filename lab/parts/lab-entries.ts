/**
 * Lists the programs that `npm run lab` can run: the files in the folders below, named by their
 * paths without `.ts`. Each program is described by the first line of its header comment. Modules
 * of programs are in subfolders.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nearest } from '@octavo/model'

const LAB = join(import.meta.dirname, '..')
const FIRST_LINE = /^\/\*\*(?:\n \*)? (.+?)(?: \*\/)?$/m

export const KINDS = {
  audit: 'inspect a finished site or database',
  bench: 'measure what something costs',
  campaign: 'run most of the others',
  corpus: 'run over real documentation; the corpus is not part of this repository',
  drill: 'rehearse what an operator or an owner does',
  fuzz: 'test random input',
  soak: 'break things under load, and look for what was lost',
}

export type LabEntry = { readonly name: string; readonly file: string; readonly line: string }

export function labEntries(): readonly LabEntry[] {
  return Object.keys(KINDS).flatMap((kind) =>
    readdirSync(join(LAB, kind))
      .filter((file) => file.endsWith('.ts'))
      .toSorted()
      .map((file) => {
        const path = join(LAB, kind, file)
        const [, line = ''] = FIRST_LINE.exec(readFileSync(path, 'utf8').slice(0, 300)) ?? []
        return { name: `${kind}/${file.slice(0, -'.ts'.length)}`, file: path, line }
      }),
  )
}

/**
 * Finds a program such as `bench/host` by its name, or by its short name `host` if that is unique.
 * Throws an error with suggestions.
 */
export function findEntry(name: string): LabEntry {
  const entries = labEntries()
  const exact = entries.find((entry) => entry.name === name)
  const found = entries.filter((entry) => shortNameOf(entry) === name)
  if (exact !== undefined) return exact
  if (found[0] !== undefined && found.length === 1) return found[0]
  const near = (found.length > 1 ? found : similar(name, entries)).map((entry) => entry.name)
  const hint = near.length === 0 ? 'See `npm run lab`.' : `Did you mean ${near.join(', ')}?`
  throw new Error(`The lab has no "${name}". ${hint}`)
}

/**
 * Returns the programs whose names contain the word, or else the program with the most similar
 * name. The word can have the form of an npm script (`soak:deploy`).
 */
function similar(word: string, entries: readonly LabEntry[]): readonly LabEntry[] {
  const path = word.replace(':', '/')
  const containing = entries.filter((entry) => entry.name.includes(path))
  if (containing.length > 0) return containing
  const guess = nearest(
    path,
    entries.flatMap((entry) => [entry.name, shortNameOf(entry)]),
  )
  return entries.filter((entry) => entry.name === guess || shortNameOf(entry) === guess)
}

const shortNameOf = ({ name }: LabEntry) => name.slice(name.indexOf('/') + 1)
