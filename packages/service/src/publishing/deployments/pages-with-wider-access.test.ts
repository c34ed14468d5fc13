import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SCOPES } from '@octavo/contract'
import type { Access, ManifestEntry } from '@octavo/model'
import { afterAll, describe, expect, test } from 'vitest'
import { clientOf, siteOf } from '../../../testing/test-deployment.ts'
import { startTestService } from '../../../testing/test-service.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import { pagesWithWiderAccess } from './pages-with-wider-access.ts'

const entry = (access: Access, path = 'guide.md'): ManifestEntry => ({
  path,
  sha256: '',
  size: 0,
  type: '',
  access,
})

test.each<[Access, Access, protectedSite: boolean, boolean]>([
  [['staff'], 'public', true, true],
  [['staff'], 'default', true, true],
  ['default', 'public', true, true],
  [['staff'], ['partners', 'staff'], true, true],
  [['staff'], ['partners'], true, true],
  [[], ['staff'], true, true],
  [['staff'], 'default', false, true],
  [['staff'], ['staff'], true, false],
  [['partners', 'staff'], ['staff'], true, false],
  ['public', ['staff'], true, false],
  ['public', 'default', true, false],
  ['default', ['staff'], true, false],
  // The two labels mean the same thing as long as the project requires no sign-in.
  ['default', 'public', false, false],
])(
  'a change of access from %j to %j (sign-in required: %s) is reported as wider: %s',
  (live, next, isProtected, isWider) => {
    const found = pagesWithWiderAccess([entry(live)], [entry(next)], isProtected)
    expect(found).toEqual(isWider ? ['/guide'] : [])
  },
)

test('only pages of both deployments are reported, by their address', () => {
  const live = [entry(['a'], 'index.md'), entry(['a'], 'b/index.md'), entry(['a'], 'c.svg')]
  const next = [...live, entry('public', 'new.md')].map((one) => entry('public', one.path))
  expect(pagesWithWiderAccess(live, next, true)).toEqual(['/', '/b'])
})

describe('rollbacks that widen access', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-rollback-'))
  const service = await startTestService({ blobStore: await openFolderStore(folder) })
  afterAll(async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const siteWith = (access: Access) => siteOf({ 'a.md': { text: String(access), access } })

  test('a rollback that widens access is rejected unless confirmed, and the error lists the pages', async () => {
    const client = clientOf(service.url, await service.createProject(SCOPES))
    const { id: open } = await client.deploy(siteWith('public'))
    const { id: live } = await client.deploy(siteWith(['staff']))
    const publish = (more: object = {}) =>
      client.call('POST', `/deployments/${open}/publish`, { expectedLive: live, ...more })
    const refused = await publish()
    expect(refused).toMatchObject({
      status: 409,
      body: { param: 'acceptLooser', errors: [{ path: '/a' }] },
    })
    expect(refused.body.detail).toContain('could read one page')
    expect(await publish({ acceptLooser: true })).toMatchObject({
      status: 200,
      body: { live: open },
    })
    // Publishing a newer deployment is not checked, since it has the labels that the author wants.
    const again = await client.call('POST', `/deployments/${live}/publish`, { expectedLive: open })
    expect(again.status).toBe(200)
  })
})
