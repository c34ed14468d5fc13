import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SCOPES } from '@octavo/contract'
import { afterAll, describe, expect, test } from 'vitest'
import { clientOf, siteOf } from '../../../testing/test-deployment.ts'
import { startTestService } from '../../../testing/test-service.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'

describe('sites whose docs.json asks for sign-in (requirement Y7b)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-sign-in-'))
  const service = await startTestService({
    blobStore: await openFolderStore(folder),
    url: 'http://127.0.0.1:8080',
    sitesDomain: 'sites.localhost',
    previewsDomain: 'previews.localhost',
  })
  afterAll(async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const site = siteOf({ 'a.md': 'private words' }, { asksForSignIn: true })

  test.each([
    { target: 'production' },
    { target: 'production', draft: true },
    { target: 'preview', branch: 'next' },
  ])(
    'a site that asks for sign-in is rejected while everyone can read the project: %j',
    async (fields) => {
      const client = clientOf(service.url, await service.createProject(SCOPES))
      const send = (more: object) =>
        client.call('POST', '/deployments', { root: site.root, ...fields, ...more })
      const refused = await send({})
      expect(refused).toMatchObject({ status: 409, body: { param: 'acceptPublic' } })
      expect(refused.body.detail).toContain('octavo deploy --public')
      expect((await send({ acceptPublic: false })).status).toBe(409)
      expect((await client.call('GET', '/deployments')).body.deployments).toEqual([])
      expect((await send({ acceptPublic: true })).status).toBe(201)
    },
  )

  test('a site that asks for sign-in is accepted after the project requires sign-in', async () => {
    const client = clientOf(service.url, await service.createProject(SCOPES))
    await client.call('PUT', '/access', { mode: 'password', password: 'correct horse' })
    expect((await client.deploy(site)).body.state).toBe('live')
  })
})
