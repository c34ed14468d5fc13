/**
 * Vitest's global setup. It starts one PostgreSQL for the whole run, with a migrated template
 * database that each test file clones. `TEST_DATABASE_URL` selects another server (CI tests
 * Debian's and npm's).
 */
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../src/platform/database/migrate.ts'
import { startPostgres } from './start-postgres.ts'

export const TEMPLATE = 'octavo_test_template'

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string
  }
}

/**
 * Returns the URL of the same database for the service's role, through PgBouncer if the tests use
 * it.
 */
export function serviceUrlOf(url: string): string {
  const role = { username: 'octavo_service', password: 'octavo_service' }
  const port = process.env.TEST_POOLER_PORT
  return Object.assign(new URL(url), role, port === undefined ? {} : { port }).href
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL
  const own = given === undefined ? await startPostgres({ settings: { fsync: 'off' } }) : undefined
  const url = given ?? own?.url ?? ''
  await createTemplate(url)
  project.provide('databaseUrl', url)
  return async () => own?.stop()
}

/** Creates the template database. Exported for e2e tests that start their own server. */
export async function createTemplate(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`drop database if exists ${TEMPLATE}`)
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  const template = new URL(url)
  template.pathname = `/${TEMPLATE}`
  await migrate(template.href, { serviceUrl: serviceUrlOf(template.href) })
}
