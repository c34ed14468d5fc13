import pg from 'pg'
import { findSchemaFault, migrate, readSchemaState } from '../../platform/database/migrate.ts'
import type { CommandDeps } from './arguments.ts'

/** Runs `migrate`, `migrate --dry-run` or `migrate status`. */
export async function runMigrate(
  { settings, print }: CommandDeps,
  { status, dryRun }: { readonly status: boolean; readonly dryRun: boolean },
): Promise<void> {
  const { ownerUrl, databaseUrl } = settings
  if (status) {
    const client = new pg.Client(ownerUrl)
    await client.connect()
    const state = await readSchemaState(client).finally(() => client.end())
    const fault = findSchemaFault(state)
    print(fault ? `${fault.found} ${fault.hint}` : 'The database is up to date.')
    for (const name of state.missing) print(`missing  ${name}`)
    for (const name of state.changed) print(`changed  ${name}`)
    for (const name of state.unknown) print(`unknown  ${name}`)
    return
  }
  const serviceUrl = ownerUrl === databaseUrl ? undefined : databaseUrl
  const files = await migrate(ownerUrl, { dryRun, serviceUrl, warn: print })
  if (files.length === 0) print('The database is up to date.')
  else print(`${dryRun ? 'Would run' : 'Ran'} ${files.join(', ')}.`)
}
