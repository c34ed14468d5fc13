/** The manifest of an export: it is written last, and names all other files. */
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Query } from '../../platform/database/database.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'

export const EXPORT_FORMAT = 'octavo-project/1'
export const MANIFEST_FILE = 'manifest.json'
export const SIGNATURE_FILE = 'signature.json'
/** The file mode of exports, which hold private data. */
export const OWNER_ONLY = 0o600
export const MANIFEST_BYTES_MAX = 1_000_000

const WrittenFile = z.object({
  rows: z.number().int().min(0),
  bytes: z.number().int().min(0),
  sha256: z.string().regex(/^[\da-f]{64}$/),
})
export type WrittenFile = z.infer<typeof WrittenFile>

const Manifest = z.object({
  format: z.literal(EXPORT_FORMAT),
  exportedAt: z.iso.datetime(),
  /** The database clock at the moment of the snapshot. */
  exportedMs: z.number().int().min(0),
  /** The last migration of the database: rows only fit the same schema. */
  migration: z.string(),
  project: z.object({
    id: z.string().regex(/^\d+$/),
    organizationId: z.string().regex(/^\d+$/),
    publicId: z.string(),
    slug: z.string(),
  }),
  /** A short hash that is equal for cells with the same OCTAVO_KEY_PEPPER. */
  pepper: z.string(),
  /** Encrypted text with which an import checks its transfer key; null without secrets. */
  keyCheck: z.string().nullable(),
  /** Row files by table name. */
  files: z.record(z.string().regex(/^[a-z_]+$/), WrittenFile),
  blobs: z.object({ count: z.number().int().min(0), bytes: z.number().int().min(0) }),
})
export type Manifest = z.infer<typeof Manifest>

/** Thrown if a folder cannot be imported. The message explains the reason to the operator. */
export class UnusableExport extends Error {}

export const rowsPath = (folder: string, table: string) => join(folder, 'rows', `${table}.ndjson`)
export const blobsPath = (folder: string) => join(folder, 'blobs')

export function parseManifest(text: string, path: string): Manifest {
  const parsed = Manifest.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new UnusableExport(
    `${path} is not a manifest of the format ${EXPORT_FORMAT}: ${issue?.path.join('.')}: ${issue?.message}`,
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Writes lines to a file, and returns its entry for the manifest. */
export async function writeLines(path: string, lines: AsyncIterable<string>): Promise<WrittenFile> {
  const hash = createHash('sha256')
  let rows = 0
  let bytes = 0
  const file = await open(path, 'w', OWNER_ONLY)
  try {
    for await (const line of lines) {
      const piece = Buffer.from(`${line}\n`)
      rows += 1
      bytes += piece.length
      hash.update(piece)
      await file.appendFile(piece)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { rows, bytes, sha256: hash.digest('hex') }
}

/** Returns the digest that a file with these lines would have. */
export async function digestLines(lines: AsyncIterable<string>): Promise<string> {
  const hash = createHash('sha256')
  for await (const line of lines) hash.update(`${line}\n`)
  return hash.digest('hex')
}

/**
 * Returns the name of the last migration. Changes to SQL functions are ignored, since they do not
 * affect rows.
 */
export async function readMigration(query: Query): Promise<string> {
  const [row] = await query<{ name: string | null }>(
    `select max(name) as name from migration where name like 'migrations/%'`,
  )
  return row?.name ?? ''
}

const PEPPER_CHECK_LENGTH = 16
const printCheck = (hash: Buffer) => hash.toString('hex').slice(0, PEPPER_CHECK_LENGTH)

/** Returns a short hash that only shows whether two peppers are equal. */
export const pepperCheck = (pepper: PepperRing) => printCheck(pepper.hash('project export', ''))

/** Returns true if the hash was made with this cell's current pepper or an old one. */
export const isKnownPepper = (pepper: PepperRing, check: string) =>
  pepper.hashes('project export', '').map(printCheck).includes(check)
