/** Tests two hosts on one database. One listens for new deployments, and the other polls. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Client, clientOf, siteOf, visit } from '../../../testing/test-deployment.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { createService, type Service } from '../../app/roles/service.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'

const NAMES = { url: 'http://127.0.0.1:8080', sitesDomain: 'sites.localhost' }
const BACKENDS = `from pg_stat_activity where query = 'listen octavo_sites' and datname = current_database()`

let folder: string
let polling: TestService
let listening: Service
let listeningPort: number
let host: string
let client: Client

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-listener-'))
  const blobs = await openFolderStore(folder)
  polling = await startTestService({ blobStore: blobs, ...NAMES })
  // Connects without the pooler, because a session that listens cannot be shared.
  const { username, password } = new URL(polling.settings.databaseUrl)
  const directUrl = Object.assign(new URL(polling.databaseUrl), { username, password }).href
  listening = createService({
    settings: { ...polling.settings, directUrl },
    blobs,
    role: 'host',
    writeLog: () => {},
    now: Date.now,
  })
  listening.server.listen(0, '127.0.0.1')
  await once(listening.server, 'listening')
  listeningPort = (listening.server.address() as AddressInfo).port
  const project = await polling.createProject(SCOPES)
  const [row] = await polling.owner.query<{ slug: string }>(
    'select slug from project where id = $1',
    [project.id],
  )
  host = `${row?.slug}.sites.localhost`
  client = clientOf(polling.url, project)
  await deploy('zero')
  await untilShown(polling.port, 'zero')
  await untilShown(listeningPort, 'zero')
  await untilListening()
})
afterAll(async () => {
  listening.server.closeAllConnections()
  await listening.stop()
  await polling.stop()
  rmSync(folder, { recursive: true, force: true })
})

const deploy = (text: string) => client.deploy(siteOf({ 'index.html': text }))

async function untilShown(port: number, text: string, timeout = 10_000): Promise<void> {
  await vi.waitFor(async () => expect((await visit(port, host, '/')).bytes.toString()).toBe(text), {
    interval: 10,
    timeout,
  })
}

const listeners = () => polling.owner.query<{ pid: number }>(`select pid ${BACKENDS}`)
const untilListening = () =>
  vi.waitFor(async () => expect(await listeners()).toHaveLength(1), { timeout: 10_000 })

describe('published deployments', () => {
  test('a host that listens shows each deployment immediately', async () => {
    for (const text of ['one', 'two', 'three', 'four', 'five']) {
      await deploy(text)
      await untilShown(listeningPort, text, 500)
    }
  })

  test('a host that does not listen shows a deployment after the next poll', async () => {
    await deploy('polled')
    await untilShown(polling.port, 'polled', 6_000)
  })

  test('a host shows a deployment although its connection broke, and listens again afterwards', async () => {
    const [before] = await listeners()
    await polling.owner.query(`select pg_terminate_backend(pid) ${BACKENDS}`)
    await deploy('meanwhile')
    await untilShown(listeningPort, 'meanwhile', 6_000)
    await untilListening()
    expect((await listeners())[0]?.pid).not.toBe(before?.pid)
    await deploy('after')
    await untilShown(listeningPort, 'after', 500)
  })
})
