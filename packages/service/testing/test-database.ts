/**
 * For Vitest: one PostgreSQL for the whole run, with a migrated template that test files clone.
 * `TEST_DATABASE_URL` names a server to use instead (CI tries both Debian's and npm's).
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

/** The same database as the role that the service logs in as, through a pooler if there is one. */
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

/** For e2e tests that have a server of their own. */
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
