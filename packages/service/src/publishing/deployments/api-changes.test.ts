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
import { openFolderStore } from '../../platform/blobs/folder-store.ts'

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
let service: TestService
let project: TestProject
let client: Client

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-api-changes-'))
  service = await startTestService({
    blobStore: await openFolderStore(join(folder, 'blobs')),
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
