/** Reads variables from files, and finds variables that the service does not know. */
import { readFileSync } from 'node:fs'
import { didYouMean } from '@octavo/model'

type Environment = Readonly<Record<string, string | undefined>>

const FILE = '_FILE'
/** Variables for other programs: the CLI in the same shell, or deploy/compose.yaml. */
const FOREIGN_NAMES: ReadonlySet<string> = new Set([
  ...['OCTAVO_API_KEY', 'OCTAVO_ID_TOKEN', 'OCTAVO_EDITOR'],
  ...['OCTAVO_DATABASE_PASSWORD', 'OCTAVO_IMAGE', 'OCTAVO_SUBNET'],
])

/** Reads the value of `NAME` from the file in `NAME_FILE` if that is set, for mounted secrets. */
export function readValues(environment: Environment, names: readonly string[]) {
  const values: Record<string, string | undefined> = { ...environment }
  const reasons: string[] = []
  for (const name of names) {
    const file = environment[name + FILE]
    if (file === undefined || file === '') continue
    try {
      values[name] = readFileSync(file, 'utf8').trim()
    } catch {
      reasons.push(`${name}${FILE}: ${file} cannot be read.`)
    }
  }
  return { values, reasons }
}

/** Returns a warning for each unknown `OCTAVO_` variable, since a misspelled name has no effect. */
export function findMisspelled(
  environment: Environment,
  names: readonly string[],
): readonly string[] {
  const known = names.flatMap((name) => [name, name + FILE])
  return Object.keys(environment)
    .filter((name) => name.startsWith('OCTAVO_'))
    .filter((name) => !known.includes(name) && !FOREIGN_NAMES.has(name))
    .toSorted()
    .map((name) => {
      const hint = didYouMean(name, known, '`octavo-service --help` lists all variables.')
      return `${name} is not a variable of octavo-service and has no effect. ${hint}`
    })
}
