/** Tests how the specifications of deployments are read and compared. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../../../cli/src/context/system-clock.ts'
import { run } from '../../../../cli/src/run.ts'
import { type Client, clientOf, siteOf } from '../../../testing/test-deployment.ts'
import {
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import { ApiChanges } from './api-changes.ts'
import { compareTexts } from './compare-process.ts'
import { ComparisonStore } from './comparison-store.ts'
import { DeploymentStore } from './store.ts'

const plants = (parameter = '', description = 'All plants') => `openapi: 3.1.0
info: {title: Plants, version: '1'}
paths:
  /plants:
    get:
      parameters: [${parameter}]
      responses: {'200': {description: ${description}}}
`
const REQUIRED = '{name: garden, in: query, required: true, schema: {type: string}}'
const BREAKING = 'GET /plants: The query parameter `garden` is new and required.'

let folder: string
let blobs: BlobStore
let service: TestService
let project: TestProject
let client: Client

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-api-changes-'))
  blobs = await openFolderStore(join(folder, 'blobs'))
  service = await startTestService({
    blobStore: blobs,
    url: 'http://127.0.0.1:8080',
    sitesDomain: 'sites.localhost',
  })
  project = await service.createProject(SCOPES)
  client = clientOf(service.url, project)
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('octavo api diff with deployments', () => {
  const ids: string[] = []
  beforeAll(async () => {
    const texts = ['', REQUIRED].map((parameter) => plants(parameter))
    for (const text of texts) {
      const site = siteOf({ 'index.html': 'Welcome', 'openapi.yaml': text, 'data.json': '{}' })
      ids.push((await client.deploy(site)).id)
    }
    writeFileSync(join(folder, 'openapi.yaml'), plants())
  })

  async function diff(...args: readonly string[]) {
    let [out, err] = ['', '']
    const options = ['--project', project.publicId, '--service', service.url]
    const code = await run({
      args: ['api', 'diff', ...args, ...options],
      cwd: folder,
      env: { NO_COLOR: '1', FORCE_COLOR: undefined, OCTAVO_API_KEY: project.token },
      clock: systemClock,
      out: { write: (text) => (out += text) },
      err: { write: (text) => (err += text) },
    })
    return { code, out, err }
  }

  test('deployments are named by number, by id or as `live`, and compared with each other or a folder', async () => {
    const [first = '', second = ''] = ids
    for (const [old, added] of [
      ['1', 'live'],
      ['#1', second],
      [first, '2'],
    ] as const)
      expect(await diff(old, added, '--fail-on', 'breaking')).toMatchObject({
        code: 1,
        out: expect.stringContaining(BREAKING),
        err: '',
      })
    expect((await diff('1', '.')).out).toBe('No changes.\n')
    expect((await diff('live', '.')).out).toContain('breaking  openapi.yaml:6:')
  })

  test('a deployment that does not exist is rejected', async () => {
    expect(await diff('1', '99')).toMatchObject({
      code: 1,
      err: 'octavo: There is no deployment #99.\n',
    })
  })

  test('specifications require deploy:write, since some of them are not for all readers', async () => {
    const path = `${service.url}/v1/projects/${project.publicId}/deployments/${ids[0]}/specifications`
    const read = async (token: string) =>
      (await fetch(path, { headers: { authorization: `Bearer ${token}` } })).status
    expect(await read(project.token)).toBe(200)
    expect(await read(await service.createKey(project, { scopes: ['deploy:read'] }))).toBe(403)
  })

  test('specifications of more than 200 files are rejected', async () => {
    const files = Array.from({ length: 201 }, (_, index) => [`files/${index}.json`, '{}'] as const)
    const { id } = await client.deploy(siteOf(Object.fromEntries(files)), { draft: true })
    expect(await client.call('GET', `/deployments/${id}/specifications`)).toMatchObject({
      status: 422,
      body: { detail: 'The deployment has 201 JSON or YAML files; at most 200 are compared.' },
    })
  })
})

describe('the specifications of a deployment are compared with the live ones', () => {
  const internal = (parameter: string) => {
    return { text: plants(parameter).replaceAll('plants', 'secrets'), access: ['staff'] }
  }
  const TWO = { 'openapi.yaml': plants(), 'internal.yaml': internal('') }
  let own: TestProject
  let at: Client

  beforeAll(async () => {
    own = await service.createProject(SCOPES)
    at = clientOf(service.url, own)
    await at.deploy(siteOf(TWO))
  })

  /** Deploys a draft, and compares it as the job does. */
  async function compared(files: Parameters<typeof siteOf>[0], token?: string) {
    const { id } = await at.deploy(siteOf(files), { draft: true })
    const before = await at.call('GET', `/deployments/${id}/api-changes`)
    expect(before.body).toMatchObject({ pending: true, specifications: [] })
    await compareAll()
    const reader = token === undefined ? at : clientOf(service.url, { ...own, token })
    return (await reader.call('GET', `/deployments/${id}/api-changes`)).body
  }

  function compareAll() {
    const bound = service.service.database.forProject(own.tenant)
    const stores = {
      deployments: new DeploymentStore(bound),
      comparisons: new ComparisonStore(bound),
    }
    const changes = new ApiChanges({ ...stores, blobs })
    return changes.compareAll(new AbortController().signal)
  }

  test('changes are counted, listed with their operations, and compared with the live deployment', async () => {
    expect(await compared({ ...TWO, 'openapi.yaml': plants(REQUIRED, 'Every plant') })).toEqual({
      pending: false,
      base: expect.any(String),
      baseNumber: 1,
      breaking: 1,
      additive: 0,
      documentation: 1,
      specifications: [
        {
          file: 'openapi.yaml',
          breaking: 1,
          additive: 0,
          documentation: 1,
          restricted: false,
          changes: [
            {
              level: 'breaking',
              rule: 'parameter-added-required',
              message: 'The query parameter `garden` is new and required.',
              operations: ['GET /plants'],
              operationCount: 1,
            },
            expect.objectContaining({ level: 'documentation' }),
          ],
        },
      ],
    })
  })

  test('equal specifications, and a first deployment, have no changes', async () => {
    const none = { pending: false, breaking: 0, additive: 0, documentation: 0, specifications: [] }
    expect(await compared({ ...TWO, 'index.html': 'New' })).toMatchObject({
      ...none,
      baseNumber: 1,
    })
  })

  test('a caller who may not deploy sees only counts of a specification for some groups', async () => {
    const files = { ...TWO, 'internal.yaml': internal(REQUIRED) }
    const token = await service.createKey(own, { scopes: ['deploy:read'] })
    const counted = { file: 'internal.yaml', breaking: 1, restricted: true }
    const seen = await compared(files, token)
    expect(seen.specifications).toEqual([expect.objectContaining({ ...counted, changes: [] })])
    expect(JSON.stringify(seen)).not.toContain('garden')
    expect(JSON.stringify(await compared(files))).toContain('garden')
  })

  test('a specification that becomes public still hides what it was before', async () => {
    const files = { ...TWO, 'internal.yaml': internal(REQUIRED).text }
    const token = await service.createKey(own, { scopes: ['deploy:read'] })
    expect((await compared(files, token)).specifications).toMatchObject([
      { restricted: true, changes: [] },
    ])
  })

  test('a specification that was removed or cannot be read is reported', async () => {
    expect(await compared({ 'openapi.yaml': plants() })).toMatchObject({
      specifications: [{ file: 'internal.yaml', breaking: 1, restricted: true }],
    })
    const broken = await compared({ ...TWO, 'openapi.yaml': 'openapi: 3.1.0\n\tx: [' })
    expect(broken.specifications).toMatchObject([
      { file: 'openapi.yaml', problem: expect.stringContaining('The new version cannot be read.') },
    ])
  })

  test('hostile specifications are compared in a process with limits', async () => {
    const bomb = `openapi: 3.1.0\nx: &a [${'1,'.repeat(50)}1]\ny: [${'*a,'.repeat(50_000)}1]\n`
    const control = plants('', "'\\u0000 \\ud800'")
    for (const text of [bomb, `openapi: 3.1.0\n${'['.repeat(100_000)}`, control])
      expect((await compared({ ...TWO, 'openapi.yaml': text })).pending).toBe(false)
  })

  test('a comparison that reaches a limit ends, and the deployment says so', async () => {
    const aborted = await compareTexts({ old: new Map(), added: new Map() }, AbortSignal.timeout(1))
    expect(aborted).toBe(undefined)
  })
})
