import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendRaw } from '../../../testing/send-raw.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { openFolderStore } from '../blobs/folder-store.ts'

const BROWSER = 'Accept: text/html,application/xhtml+xml\r\n'
let service: TestService
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-point-'))
  service = await startTestService({
    blobStore: await openFolderStore(folder),
    url: 'http://127.0.0.1:8080/',
    sitesDomain: 'sites.localhost',
  })
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function get(host: string, headers: string) {
  const [reply] = await sendRaw(
    service.port,
    `GET / HTTP/1.1\r\nHost: ${host}\r\n${headers}Connection: close\r\n\r\n`,
  )
  return {
    status: reply?.status,
    type: reply?.headers.get('content-type'),
    text: reply?.body ?? '',
  }
}

test.each(['localhost', 'localhost:8080', '[::1]:8080'])(
  "a browser on this machine that opens %s gets the service's URL",
  async (host) => {
    const { status, type, text } = await get(host, BROWSER)
    expect([status, type]).toEqual([421, 'text/html; charset=utf-8'])
    expect(text).toContain('Open <a href="http://127.0.0.1:8080">http://127.0.0.1:8080</a>')
  },
)

test.each([
  ['a program', 'localhost:8080', 'Accept: application/json\r\n'],
  ['a program without an Accept header', 'localhost:8080', ''],
  ['a client behind a proxy', 'localhost:8080', `${BROWSER}X-Forwarded-For: 192.0.2.1\r\n`],
  ['a client behind a proxy that sends Via', 'localhost:8080', `${BROWSER}Via: 1.1 proxy\r\n`],
  ['a browser that uses another host name', 'evil.example.com', BROWSER],
])("%s does not get the service's URL", async (_, host, headers) => {
  const { status, type, text } = await get(host, headers)
  expect([status, type]).toEqual([421, 'application/problem+json'])
  expect(text).not.toContain('127.0.0.1:8080')
})
