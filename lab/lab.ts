/**
 * Runs one program of the lab, or lists them all.
 *
 *   npm run lab
 *   npm run lab <name> [-- options]
 */
import { pathToFileURL } from 'node:url'
import { findEntry, KINDS, type LabEntry, labEntries } from './parts/lab-entries.ts'

const [, , name] = process.argv
const entry = name === undefined ? undefined : find(name)
if (entry !== undefined) {
  process.argv.splice(1, 2, entry.file)
  await import(pathToFileURL(entry.file).href)
} else if (name === undefined) list()

function find(wanted: string): LabEntry | undefined {
  try {
    return findEntry(wanted)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 2
    return undefined
  }
}

function list(): void {
  const entries = labEntries()
  const width = Math.max(...entries.map((one) => one.name.length))
  for (const [kind, purpose] of Object.entries(KINDS)) {
    console.log(`\n${kind}: ${purpose}`)
    for (const one of entries.filter(({ name }) => name.startsWith(`${kind}/`)))
      console.log(`  ${one.name.padEnd(width)}  ${one.line}`)
  }
  console.log(
    '\nnpm run lab <name> [-- options]; the header comment of each file lists its options.',
  )
}
