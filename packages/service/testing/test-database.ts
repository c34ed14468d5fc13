/**
 * Vitest setup: one PostgreSQL for the whole run, with a migrated template that test files clone.
 * `TEST_DATABASE_URL` specifies a server to use instead (CI tests both Debian's and npm's).
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
 * Returns the URL of the same database with the service's role, through the pooler if there is one.
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

/** Creates the template; exported for e2e tests with their own server. */
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
