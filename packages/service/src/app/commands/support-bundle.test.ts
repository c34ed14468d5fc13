import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { createPepperRing } from '../../platform/secrets/pepper-ring.ts'
import { writeSupportBundle } from './support-bundle.ts'

const CANARY = 'canary-5b1f08'
const SHOWN = { OCTAVO_URL: 'https://octavo.example.com', OCTAVO_HOST_CACHE_MB: '64' }
let service: TestService
let folder: string
beforeAll(async () => {
  service = await startTestService({
    pepper: createPepperRing({ current: `${CANARY}-pepper-of-32-characters-or-more` }),
  })
  folder = mkdtempSync(join(tmpdir(), 'octavo-support-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await service.stop()
})

async function write(environment: Readonly<Record<string, string>>): Promise<string> {
  const file = join(folder, 'bundle.json')
  rmSync(file, { force: true })
  const adminPort = Number(new URL(service.adminUrl).port)
  const code = await writeSupportBundle([file], {
    read: { kind: 'read', settings: { ...service.settings, adminPort } },
    environment,
    print: () => {},
    now: Date.now,
  })
  expect(code).toBe(0)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  return readFileSync(file, 'utf8')
}

test('the bundle contains the version, variable names, checks, the schema, metrics, jobs and tables', async () => {
  const bundle = JSON.parse(await write({ ...SHOWN, OCTAVO_KEY_PEPPER: 'x'.repeat(32) }))
  expect(bundle.version).toMatch(/^\d+\.\d+\.\d+/)
  expect(bundle.environment).toEqual({ ...SHOWN, OCTAVO_KEY_PEPPER: '(set)' })
  expect(bundle.doctor.checks.map(({ check }: { check: string }) => check)).toContain('schema')
  expect(bundle.database.schema).toMatchObject({ missing: [], changed: [], unknown: [] })
  expect(bundle.metrics.join('\n')).toContain('octavo_jobs_failed 0')
  expect(Array.isArray(bundle.database.jobs)).toBe(true)
  const tables = bundle.database.tables.map(({ table }: { table: string }) => table)
  expect(tables).toContain('project')
})

test('the bundle has no secrets from variables or the database', async () => {
  const project = await service.createProject()
  await service.publish(project, {
    questionId: CANARY,
    query: `${CANARY} question`,
    response: `${CANARY} answer`,
    sources: [],
    resolutionStatus: 'answered',
    timestamp: new Date().toISOString(),
  })
  await service.owner.query(
    `insert into jobs.job (name, state, data, output) values ('webhook', 'failed', $1, $1)`,
    [JSON.stringify({ projectId: CANARY })],
  )
  const help = readFileSync(join(import.meta.dirname, 'help.ts'), 'utf8')
  const names = new Set(help.match(/\b(?:OCTAVO|DATABASE|AWS)_[A-Z\d_]+/g))
  expect(names.size).toBeGreaterThan(20)
  const environment = Object.fromEntries(
    [...names].filter((name) => !(name in SHOWN)).map((name) => [name, `${CANARY}-${name}`]),
  )
  const text = await write({
    ...environment,
    OCTAVO_URL: `https://user:${CANARY}@octavo.example.com`,
    OCTAVO_SITES_DOMAIN: 'sites.example.net',
    OCTAVO_PREVIEWS_DOMAIN: 'previews.example.org',
    OCTAVO_ADMIN_HOST: '127.0.0.1',
    OCTAVO_ADMIN_PORT: '9080',
    OCTAVO_DATABASE_CONNECTIONS: '10',
    OCTAVO_REQUESTS_PER_HOUR: '1000',
    OCTAVO_WORK_FOLDER: '/var/cache/octavo',
    AWS_SECRET_ACCESS_KEY: `${CANARY}-aws`,
  })
  expect(text).not.toContain(CANARY)
  expect(text).not.toContain(project.token)
  expect(JSON.parse(text).environment.AWS_SECRET_ACCESS_KEY).toBe('(set)')
})

test('with invalid variables, the bundle contains everything that does not need settings', async () => {
  const file = join(folder, 'wrong.json')
  await writeSupportBundle([file], {
    read: { kind: 'wrong', reasons: ['OCTAVO_KEY_PEPPER is missing.'] },
    environment: { DATABASE_URL: CANARY },
    print: () => {},
    now: Date.now,
  })
  const bundle = JSON.parse(readFileSync(file, 'utf8'))
  expect(bundle.environment).toEqual({ DATABASE_URL: '(set)' })
  expect(bundle.doctor.ok).toBe(false)
  expect(bundle.database).toBeUndefined()
})
