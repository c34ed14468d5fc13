/** Runs scripts that were written for Mintlify's API against this API. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SCOPES } from '@octavo/contract'
import { afterAll, expect, test } from 'vitest'
import { clientOf, siteOf } from '../../../testing/test-deployment.ts'
import { startTestService } from '../../../testing/test-service.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-blobs-'))
const service = await startTestService({ blobStore: await openFolderStore(folder) })
const project = await service.createProject(SCOPES)
const client = clientOf(service.url, project)
const SITE = siteOf({ 'index.html': 'Welcome' })

afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function call(method: string, path: string, body?: object) {
  const response = await fetch(`${service.url}/v1/project/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${project.token}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

test('an update of an unconnected project is rejected and names the command to use instead', async () => {
  expect(await call('POST', `update/${project.publicId}`)).toMatchObject({
    status: 409,
    body: { code: 'conflict', detail: expect.stringContaining('Run `octavo deploy`') },
  })
})

test('a preview of an unconnected project is rejected and names the command to use instead', async () => {
  const path = `preview/${project.publicId}`
  expect(await call('POST', path, { branch: 'main' })).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('Run `octavo deploy --preview`') },
  })
  expect(await call('POST', path, {})).toMatchObject({ status: 400, body: { param: 'branch' } })
})

test('the update status follows the state of the deployment', async () => {
  const { body: made } = await client.create(SITE, { branch: 'main', message: 'Plants' })
  expect(await call('GET', `update-status/${made.id}`)).toMatchObject({
    status: 200,
    body: {
      _id: made.id,
      projectId: project.publicId,
      status: 'in_progress',
      endedAt: null,
      logs: [],
      commit: { sha: null, ref: 'main', message: 'Plants' },
    },
  })
  await client.upload(made.id, SITE)
  await client.call('POST', `/deployments/${made.id}/finish`)
  expect(await call('GET', `update-status/${made.id}`)).toMatchObject({
    body: { status: 'success', endedAt: expect.any(String) },
  })
  const { body: dropped } = await client.create(SITE)
  await client.call('POST', `/deployments/${dropped.id}/cancel`)
  expect(await call('GET', `update-status/${dropped.id}`)).toMatchObject({
    body: { status: 'failure' },
  })
})

test.each(['01ARZ3NDEKTSV4RRFFQ69G5FAV', 'plants'])(
  'the update status of the unknown id %s returns 404',
  async (statusId) => {
    expect(await call('GET', `update-status/${statusId}`)).toMatchObject({
      status: 404,
      body: { detail: 'This deployment does not exist.' },
    })
  },
)
