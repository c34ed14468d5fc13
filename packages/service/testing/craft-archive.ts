/** Changes an exported folder as an attacker would, with digests that match. */
import { createHash } from 'node:crypto'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type CraftedRow = Record<string, string | null>
type Changes = {
  /** By the name of the file: what its rows are instead. */
  readonly rows?: Readonly<Record<string, (rows: CraftedRow[]) => CraftedRow[]>>
  readonly manifest?: (manifest: CraftedManifest) => void
}
type CraftedManifest = Record<string, unknown> & {
  readonly files: Record<string, { rows: number; bytes: number; sha256: string }>
}

/** Copies the export to another folder with changes. Its signature stays what it was. */
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

/** As PostgreSQL writes it: an import compares what it reads back. */
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
