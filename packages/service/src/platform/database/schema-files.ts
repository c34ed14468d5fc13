/**
 * Lists the SQL files that make up the schema. Migrations change tables and run once; function
 * files run again when they change.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type SchemaFile = {
  /** The path relative to this folder. */
  readonly name: string
  readonly text: string
  readonly checksum: string
}

/**
 * The function files in the order in which they run. SQL functions, triggers and grants need the
 * objects that they refer to.
 */
const FUNCTION_FILES = [
  'locks',
  'ids',
  'lookups',
  'partitions',
  'conversations',
  'conversation-days',
  'limits',
  'deployments',
  'collection',
  'builds',
  'assistant',
  'gaps',
  'users',
  'vectors',
  'sign-in',
  'notices',
  'projects',
  'project-list',
  'domains',
  'access',
  'events',
  'cells',
]

/** The migrations in numerical order. */
export const MIGRATIONS = readdirSync(join(import.meta.dirname, 'migrations'))
  .filter((name) => name.endsWith('.sql'))
  .toSorted()
  .map((name) => readSchemaFile(`migrations/${name}`))

export const FUNCTIONS = FUNCTION_FILES.map((name) => readSchemaFile(`functions/${name}.sql`))

/** The names of all files that have run on a database of this version. */
export const SCHEMA_FILES: readonly string[] = [...MIGRATIONS, ...FUNCTIONS].map(({ name }) => name)

function readSchemaFile(name: string): SchemaFile {
  const text = readFileSync(join(import.meta.dirname, name), 'utf8')
  return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
}
