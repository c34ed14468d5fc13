import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VERSION } from '@octavo/model'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRaw } from '../../../testing/send-raw.ts'
import { ORIGIN } from '../../../testing/test-browser.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import { createCommandLine, isCommandLineFileRequest } from './command-line-file.ts'

const PATH = `/cli/octavo-${VERSION}.tgz`
const folder = mkdtempSync(join(tmpdir(), 'octavo-command-line-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the command line of this version', () => {
  const file = join(folder, 'octavo.tgz')
  writeFileSync(file, 'package')
  const { answer, url } = createCommandLine({ origin: ORIGIN, findFile: () => file })
  const ask = (path: string, init?: RequestInit) => answer(new Request(ORIGIN + path, init))

  test('the command line file is served as immutable', async () => {
    const reply = await ask(PATH)
    expect(reply.status).toBe(200)
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'application/gzip',
      'content-length': '7',
      'cache-control': 'public, max-age=31536000, immutable',
      etag: expect.stringMatching(/^"[\da-f]{64}"$/),
    })
    expect(await reply.text()).toBe('package')
    expect(url()).toBe(ORIGIN + PATH)
  })

  test('a HEAD request, or one with a matching ETag, gets no body', async () => {
    const head = await ask(PATH, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), head.body]).toEqual([200, '7', null])
    const headers = { 'if-none-match': head.headers.get('etag') ?? '' }
    expect((await ask(PATH, { headers })).status).toBe(304)
    expect((await ask(PATH, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  })

  test.each(['/cli/octavo-0.0.1.tgz', '/cli/', '/cli/octavo.tgz', `/cli/x/..%2Foctavo.tgz`])(
    'the path %s does not exist, and the response names the current file',
    async (path) => {
      const reply = await ask(path)
      expect(reply.status).toBe(404)
      expect(await reply.text()).toContain(ORIGIN + PATH)
    },
  )

  test('if the service has a host name below localhost, the URL for npx has a loopback address', async () => {
    const local = createCommandLine({
      origin: 'http://octavo.localhost:4880',
      findFile: () => file,
    })
    expect(local.url()).toBe(`http://127.0.0.1:4880${PATH}`)
    const url = 'http://octavo.localhost:4880/'
    expect(isCommandLineFileRequest(url, '127.0.0.1:4880', PATH)).toBe(true)
    expect(isCommandLineFileRequest(url, '127.0.0.1:4880', '/sign-in')).toBe(false)
    expect(isCommandLineFileRequest(url, '127.0.0.1:4881', PATH)).toBe(false)
    expect(isCommandLineFileRequest('https://octavo.example.com', '127.0.0.1', PATH)).toBe(false)
  })

  test('if the command line was not built, the response names the build command', async () => {
    const empty = createCommandLine({ origin: ORIGIN, findFile: () => undefined })
    const reply = await empty.answer(new Request(ORIGIN + PATH))
    expect([reply.status, await reply.text()]).toEqual([
      404,
      'The command line was not built. Run: npm run build\n',
    ])
    expect(empty.url()).toBeUndefined()
  })
})

describe('the service with a command line file', () => {
  let service: TestService
  beforeAll(async () => {
    const blobStore = await openFolderStore(join(folder, 'blobs'))
    const sitesDomain = 'sites.localhost'
    service = await startTestService({ url: 'http://octavo.localhost', sitesDomain, blobStore })
  })
  afterAll(() => service.stop())

  async function ask(method: string, path: string, host: string) {
    const request = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`
    const [reply] = await sendRaw(service.port, request)
    return { status: reply?.status, type: reply?.headers.get('content-type'), text: reply?.body }
  }

  test('the files below /cli/ need no sign-in and accept no POST requests', async () => {
    const other = await ask('GET', '/cli/octavo-0.0.1.tgz', 'octavo.localhost')
    expect(other).toMatchObject({ status: 404, type: 'text/plain; charset=utf-8' })
    expect(await ask('POST', PATH, 'octavo.localhost')).toMatchObject({ status: 405 })
  })

  test("the command line file does not exist on a site's host", async () => {
    const { slug = '' } =
      (
        await service.owner.query<{ slug: string }>('select slug from project where id = $1', [
          (await service.createProject()).id,
        ])
      )[0] ?? {}
    const site = await ask('GET', PATH, `${slug}.sites.localhost`)
    expect(site.status).toBe(404)
    expect(site.text).not.toContain('npm run build')
  })
})
