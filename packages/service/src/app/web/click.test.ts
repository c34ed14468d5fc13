/** Counts the database transactions of one click in the dashboard. */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { KEY_SCOPES } from '@octavo/contract'
import { SCREENS } from '@octavo/dashboard'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DASHBOARD_ORIGIN, openPage, postForm } from '../../../testing/dashboard-visit.ts'
import { fastTempFolder } from '../../../testing/quick-folder.ts'
import { clientOf, siteOf } from '../../../testing/test-deployment.ts'
import { createPerson, type TestPerson } from '../../../testing/test-people.ts'
import {
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'

const PATHS = SCREENS.filter(({ method, path }) => method === 'GET' && !/:id|\*/.test(path)).map(
  ({ path }) => path,
)
/** Screens that open more than two transactions, and why. */
const MORE: Readonly<Record<string, number>> = {
  // Conversations are streamed on a separate connection, and a download is logged.
  conversations: 3,
  'conversations.ndjson': 4,
  'conversations.csv': 4,
  // The filter names the members of the organization; a download is logged.
  audit: 3,
  'audit.ndjson': 3,
  'audit.csv': 3,
  // The members of the project and those of its organization are read in separate requests.
  members: 3,
  // The usage of the project and that of its organization are read in separate requests.
  usage: 3,
  // The live site is looked up in the same way as for a reader, once for the listed pages and once
  // for the unread ones.
  analytics: 4,
}

const blobs = mkdtempSync(join(fastTempFolder(), 'octavo-click-'))
let service: TestService
let project: TestProject
let owner: TestPerson
let taken: number

beforeAll(async () => {
  service = await startTestService({
    url: DASHBOARD_ORIGIN,
    blobStore: await openFolderStore(blobs),
    blobs: { blobs },
  })
  project = await service.createProject(KEY_SCOPES)
  const client = clientOf(service.url, project)
  await client.deploy(siteOf({ 'index.html': 'A page' }))
  // The overview compares the live deployment with the previous one.
  await client.deploy(siteOf({ 'index.html': 'A page', 'next.html': 'Another' }))
  owner = await createPerson(service, project, 'owner')
  service.service.database.pool.on('acquire', () => {
    taken += 1
  })
})
afterAll(async () => {
  await service.stop()
  rmSync(blobs, { recursive: true, force: true })
})

test.each(PATHS)(
  'the screen %s opens at most two transactions, unless a higher limit is listed for it',
  async (screen) => {
    const path = screen.replace(':projectId', project.publicId)
    const counts: number[] = []
    // The service also runs its own queries, so the minimum of three visits counts.
    for (const _ of [1, 2, 3]) {
      taken = 0
      const { status } = await openPage(service, owner, path)
      expect(status).toBeLessThan(400)
      counts.push(taken)
    }
    expect(Math.min(...counts)).toBeLessThanOrEqual(MORE[path.split('/').at(-1) ?? ''] ?? 2)
  },
)

test('saving a form opens three transactions: for the session, the screen and the change', async () => {
  const path = `/projects/${project.publicId}/settings`
  const before = (await openPage(service, owner, path)).text
  const slug = /name="slug"[^>]* value="([^"]+)"/.exec(before)?.[1] ?? ''
  const token = /name="token" value="([^"]+)"/.exec(before)?.[1] ?? ''
  const counts: number[] = []
  for (const name of ['First', 'Second', 'Renamed']) {
    taken = 0
    const sent = await postForm(service, owner, { path, form: { token, name, slug } })
    expect(sent).toMatchObject({ status: 303, location: `${path}?saved` })
    counts.push(taken)
  }
  expect(Math.min(...counts)).toBe(3)
  expect((await openPage(service, owner, path)).text).toContain('value="Renamed"')
})
