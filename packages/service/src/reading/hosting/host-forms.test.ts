/**
 * Tests that each value of the Host header either selects exactly one site or gets a 4xx response.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendRaw } from '../../../testing/send-raw.ts'
import { clientOf, siteOf } from '../../../testing/test-deployment.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'

const DOMAIN = 'sites.localhost'
let folder: string
let service: TestService
const slugs: string[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-hosts-'))
  service = await startTestService({
    blobStore: await openFolderStore(folder),
    url: 'http://127.0.0.1:8080',
    sitesDomain: DOMAIN,
  })
  for (const name of ['first', 'second']) {
    const project = await service.createProject(SCOPES)
    await clientOf(service.url, project).deploy(siteOf({ 'index.html': `The ${name} site` }))
    const [row] = await service.owner.query<{ slug: string }>(
      'select slug from project where id = $1',
      [project.id],
    )
    slugs.push(row?.slug ?? '')
  }
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Values of the Host header. `A` and `B` are replaced by the names of two sites. */
const FORMS: readonly (readonly [host: string, status: number])[] = [
  ['A.sites.localhost', 200],
  ['A.sites.localhost:80', 200],
  ['A.sites.localhost:65535', 200],
  ['A.SITES.LOCALHOST', 200],
  ['A.sites.localhost.', 421],
  ['A.sites.localhost..', 421],
  ['A.sites.localhost:', 400],
  ['A.sites.localhost:0x50', 400],
  ['A.sites.localhost:-1', 400],
  ['A.sites.localhost:65536', 400],
  ['A.sites.localhost:80:80', 400],
  ['A..sites.localhost', 421],
  ['A.B.sites.localhost', 421],
  ['B.A.sites.localhost', 421],
  ['A.sites.localhost.B.sites.localhost', 421],
  ['A,B.sites.localhost', 400],
  ['A.sites.localhost,B.sites.localhost', 400],
  ['A.sites.localhost, B.sites.localhost', 400],
  ['A.sites.localhost B.sites.localhost', 400],
  ['A.sites.localhost;B', 400],
  ['B@A.sites.localhost', 400],
  ['B:x@A.sites.localhost', 400],
  ['http://A.sites.localhost', 400],
  ['//A.sites.localhost', 400],
  ['A.sites.localhost/B', 400],
  ['A.sites.localhost?B', 400],
  ['A.sites.localhost#B', 400],
  ['A.sites.localhost\\B', 400],
  ['A%2esites.localhost', 400],
  ['%41.sites.localhost', 400],
  ['A\t.sites.localhost', 400],
  ['A\u0001.sites.localhost', 400],
  ['\u00e4.sites.localhost', 400],
  ['\uff21.sites.localhost', 400],
  ['xn--4ca.sites.localhost', 404],
  ['xn--a.sites.localhost', 404],
  [`${'a'.repeat(63)}.sites.localhost`, 421],
  [`${'a'.repeat(64)}.sites.localhost`, 421],
  [`${'a.'.repeat(100)}sites.localhost`, 421],
  [`${'a'.repeat(300)}.sites.localhost`, 421],
  ['sites.localhost', 421],
  ['.sites.localhost', 421],
  ['*.sites.localhost', 400],
  ['A.sites.localhost.example.com', 421],
  ['A-sites.localhost', 421],
  ['Asites.localhost', 421],
  ['A.localhost', 421],
  ['A', 421],
  ['localhost', 421],
  ['10.0.0.1', 421],
  ['2130706433', 421],
  ['0x7f000001', 421],
  ['127.1', 421],
  ['[::1]', 421],
  ['[::1', 400],
  ['[::ffff:127.0.0.1]', 421],
  ['[fe80::1%25eth0]', 400],
  ['-', 421],
  ['"A.sites.localhost"', 400],
]

test.each(FORMS)('a request with the host %s gets the status %i', async (form, status) => {
  const [a = '', b = ''] = slugs
  const host = form.replaceAll(/\bA/g, a).replaceAll(/\bB\b/g, b)
  const [reply] = await sendRaw(
    service.port,
    `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
  )
  expect(reply?.status).toBe(status)
  if (status === 200) expect(reply?.body).toBe('The first site')
})

test.each([
  ['two hosts', 'GET / HTTP/1.1\r\nHost: A.sites.localhost\r\nHost: B.sites.localhost'],
  ['the same host twice', 'GET / HTTP/1.1\r\nHost: A.sites.localhost\r\nHost: A.sites.localhost'],
  ['no host', 'GET / HTTP/1.1'],
  ['an empty host', 'GET / HTTP/1.1\r\nHost:'],
  [
    "another site's host in the target",
    'GET http://B.sites.localhost/ HTTP/1.1\r\nHost: A.sites.localhost',
  ],
  [
    'its own host in the target',
    'GET http://A.sites.localhost/ HTTP/1.1\r\nHost: A.sites.localhost',
  ],
  ['a target of two slashes', 'GET //B.sites.localhost/ HTTP/1.1\r\nHost: A.sites.localhost'],
  ['a target without a slash', 'GET B.sites.localhost HTTP/1.1\r\nHost: A.sites.localhost'],
  ['the CONNECT method', 'CONNECT B.sites.localhost:80 HTTP/1.1\r\nHost: A.sites.localhost'],
  ['a folded host', 'GET / HTTP/1.1\r\nHost: A.sites.localhost\r\n B.sites.localhost'],
  ['a space before the colon', 'GET / HTTP/1.1\r\nHost : A.sites.localhost'],
])('a request with %s gets a 4xx response', async (_, lines) => {
  const [a = '', b = ''] = slugs
  const text = lines.replaceAll(/\bA\./g, `${a}.`).replaceAll(/\bB\./g, `${b}.`)
  const [reply] = await sendRaw(service.port, `${text}\r\nConnection: close\r\n\r\n`)
  expect(reply?.status).toBeGreaterThanOrEqual(400)
  expect(reply?.status).toBeLessThan(500)
  expect(reply?.body).not.toContain('site')
})

test.each([
  ['X-Forwarded-Host: B.sites.localhost'],
  ['Forwarded: host=B.sites.localhost'],
  ['X-Original-Host: B.sites.localhost'],
  ['X-Host: B.sites.localhost'],
  ['X-Rewrite-URL: http://B.sites.localhost/'],
  ['X-Original-URL: /B'],
  [':authority: B.sites.localhost'],
  ['Cookie: site=B; project=B'],
  ['Referer: http://B.sites.localhost/'],
  ['Origin: http://B.sites.localhost'],
])('the header "%s" does not select another site', async (line) => {
  const [a = '', b = ''] = slugs
  const [reply] = await sendRaw(
    service.port,
    `GET / HTTP/1.1\r\nHost: ${a}.${DOMAIN}\r\n${line.replaceAll(/\bB\b/g, b)}\r\nConnection: close\r\n\r\n`,
  )
  if (reply?.status === 200) expect(reply.body).toBe('The first site')
  else expect(reply?.status).toBe(400)
})
