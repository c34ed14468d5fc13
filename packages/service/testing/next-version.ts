/**
 * Creates a later version of this service in a folder of its own, with one more migration and a
 * changed function file.
 */
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')
const SERVICE = 'packages/service'

export const NEXT_MIGRATION = 'migrations/0002-next.sql'
const NEXT_TABLES = `
alter table api_key add column note text not null default '';
alter table conversation add column language text;
create index conversation_language on conversation (project_id, language, id) where language is not null;
`

export type NextVersion = {
  /** The path of the main file, which runs the `octavo-service` command. */
  readonly main: string
  readonly remove: () => void
}

export function createNextVersion(): NextVersion {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-next-'))
  const database = join(folder, SERVICE, 'src/platform/database')
  // The other packages are linked, so both versions use the same ones.
  mkdirSync(join(folder, 'packages'))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  cpSync(join(ROOT, SERVICE), join(folder, SERVICE), {
    recursive: true,
    filter: (path) => basename(path) !== 'node_modules',
  })
  symlinkSync(join(ROOT, SERVICE, 'node_modules'), join(folder, SERVICE, 'node_modules'))
  writeFileSync(join(database, NEXT_MIGRATION), NEXT_TABLES)
  appendFileSync(join(database, 'functions/partitions.sql'), '-- Changed.\n')
  return {
    main: join(folder, SERVICE, 'src/main.ts'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
