/**
 * Tests that `two-tenants.ts` runs every statement and every database function that refers to its
 * tenant. The soak test `second-lock.soak.test.ts` can only test what runs there.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findCalled, readFunctions } from '../../../testing/database-functions.ts'
import { findInFile, findTenantStatements, TENANT } from '../../../testing/source-statements.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { openTrialDatabase } from '../../../testing/trial-database.ts'
import { createTwoTenants } from '../../../testing/two-tenants.ts'

let service: TestService
/** The statements that ran, with calls of functions as `name()`. */
const ran = new Set<string>()

beforeAll(async () => {
  service = await startTestService()
  const { own, prepare } = await createTwoTenants(service)
  const trial = await openTrialDatabase(service.databaseUrl, own.tenant)
  const rewrite = (text: string) => {
    ran.add(text)
    return text
  }
  const runAll = async () => {
    for (const operation of await prepare(trial.database)) await operation().catch(() => {})
  }
  await trial.attempt({ role: undefined, prepare: '', rewrite }, runAll, async () => {})
  await trial.end()
})
afterAll(() => service.stop())

test('every statement in the sources that refers to its tenant runs in two-tenants.ts', () => {
  const texts = [...ran]
  const statements = findTenantStatements()
  const missing = statements.filter(({ pattern }) => !texts.some((text) => pattern.test(text)))
  expect(missing.map(({ place }) => place)).toEqual([])
  expect(statements.length).toBeGreaterThan(150)
})

test('every database function that refers to its tenant is called by a statement in two-tenants.ts', async () => {
  const functions = await readFunctions(service.owner.query)
  const called = findCalled(functions, ran)
  const ofTenant = functions.filter(({ body }) => body.search(TENANT) >= 0)
  const missing = ofTenant.filter((one) => !called.includes(one))
  expect(missing.map(({ name }) => name)).toEqual([])
  expect(ofTenant.length).toBeGreaterThan(40)
})

describe('the search for statements', () => {
  const placesOf = (source: string, text: string) =>
    findInFile('store.ts', source)
      .filter(({ pattern }) => pattern.test(text))
      .map(({ place }) => place)

  test('an argument of `query` is a whole statement', () => {
    const source = `\nquery('delete from gap where project_id = current_project()')`
    expect(placesOf(source, 'delete from gap where project_id = current_project()')).toEqual([
      'store.ts:2',
    ])
    expect(
      placesOf(source, 'delete from gap where project_id = current_project() and id = $1'),
    ).toEqual([])
  })

  test('any other text can be a part of a statement', () => {
    const source = 'const OWN = `where project_id = current_project() limit $' + '{MAX}`'
    expect(
      placesOf(source, 'select from gap where project_id = current_project() limit 5'),
    ).toEqual(['store.ts:1'])
    expect(placesOf(source, 'select from gap where project_id = current_project()')).toEqual([])
  })

  test('comments and texts that do not refer to the tenant are not statements', () => {
    expect(findInFile('store.ts', `// current_project()\nquery('select 1')`)).toEqual([])
  })
})
