import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DocsSettingsReply, SCOPES } from '@octavo/contract'
import { DOCS_SETTINGS_PATH } from '@octavo/model'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientOf, siteOf } from '../../../testing/test-deployment.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'

let folder: string
let service: TestService
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-blobs-'))
  service = await startTestService({ blobStore: await openFolderStore(folder) })
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

/**
 * Deploys a site with these recorded settings, and returns what the API reports about docs.json.
 */
async function settingsAfter(text: string | undefined): Promise<DocsSettingsReply> {
  const client = clientOf(service.url, await service.createProject(SCOPES))
  const files = text === undefined ? {} : { [DOCS_SETTINGS_PATH]: { text, access: [] } }
  const site = siteOf({ 'index.html': 'Hello', ...files })
  await client.deploy(site, { commit: 'a41f9c2', branch: 'main' })
  const { status, body } = await client.call('GET', '/docs-settings')
  expect(status).toBe(200)
  return body
}

describe('settings of docs.json', () => {
  test('the API returns the settings of the live deployment with their lines and the commit', async () => {
    const name = { key: 'name', value: 'Plants', file: 'docs.json', line: 2 }
    expect(await settingsAfter(JSON.stringify([name]))).toEqual({
      deployment: expect.any(String),
      commit: 'a41f9c2',
      branch: 'main',
      settings: [name],
    })
  })

  test('the API returns no settings for a project without a live deployment', async () => {
    const client = clientOf(service.url, await service.createProject(SCOPES))
    const { body } = await client.call('GET', '/docs-settings')
    expect(body).toEqual({ deployment: null, settings: [] })
  })

  test.each([
    ['no file', undefined],
    ['invalid JSON', 'hello'],
    ['JSON of the wrong shape', '{"name":"Plants"}'],
    [
      'a value that is too long',
      JSON.stringify([{ key: 'name', value: 'x'.repeat(301), file: 'docs.json', line: 1 }]),
    ],
    ['a large file', JSON.stringify('x'.repeat(65_536))],
  ])('the API returns no settings for a deployment with %s', async (_, text) => {
    expect((await settingsAfter(text)).settings).toEqual([])
  })
})
