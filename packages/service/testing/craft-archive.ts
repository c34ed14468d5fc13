/** Changes an exported folder as an attacker would, and updates its digests to match. */
import { createHash } from 'node:crypto'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type CraftedRow = Record<string, string | null>
type Changes = {
  /** Maps a file name to a function that returns the changed rows. */
  readonly rows?: Readonly<Record<string, (rows: CraftedRow[]) => CraftedRow[]>>
  readonly manifest?: (manifest: CraftedManifest) => void
}
type CraftedManifest = Record<string, unknown> & {
  readonly files: Record<string, { rows: number; bytes: number; sha256: string }>
}

/** Copies an export to another folder and changes it, but keeps the signature of the original. */
export function craftArchive(source: string, target: string, changes: Changes): string {
  cpSync(source, target, { recursive: true })
  const path = join(target, 'manifest.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as CraftedManifest
  for (const [name, change] of Object.entries(changes.rows ?? {})) {
    const rows = change(readCraftedRows(target, name))
    const text = rows.map((row) => `${printRow(row)}\n`).join('')
    writeFileSync(join(target, 'rows', `${name}.ndjson`), text)
    const sha256 = createHash('sha256').update(text).digest('hex')
    manifest.files[name] = { rows: rows.length, bytes: Buffer.byteLength(text), sha256 }
  }
  changes.manifest?.(manifest)
  writeFileSync(path, JSON.stringify(manifest))
  return target
}

/**
 * Prints a row in PostgreSQL's format, because an import compares its text with the inserted row.
 */
function printRow(row: CraftedRow): string {
  const fields = Object.entries(row).map(
    ([name, value]) => `${JSON.stringify(name)} : ${JSON.stringify(value)}`,
  )
  return `{${fields.join(', ')}}`
}

export function readCraftedRows(folder: string, name: string): CraftedRow[] {
  const text = readFileSync(join(folder, 'rows', `${name}.ndjson`), 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as CraftedRow)
}
