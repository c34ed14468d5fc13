/** Tests that `octavo deploy` sends large files as their changes, with a real service. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CountingProxy, startCountingProxy } from '../../../service/testing/counting-proxy.ts'
import {
  type HostedProject,
  type Hosting,
  startHosting,
} from '../../../service/testing/start-hosting.ts'
import { visit } from '../../../service/testing/test-deployment.ts'
import { WrittenSite } from '../../testing/preview/running-preview.ts'
import { systemClock } from '../context/system-clock.ts'
import { run } from '../run.ts'

/** A large file of the author, in which a few bytes are changed, such as the time in a video. */
const FILM = 'film.mp4'
const bytes = randomBytes(1_000_000)

let hosting: Hosting
let project: HostedProject
let proxy: CountingProxy
let site: WrittenSite
let port: number

beforeAll(async () => {
  hosting = await startHosting()
  ;({ port } = await hosting.start('all'))
  project = hosting.createProject('plants')
  proxy = await startCountingProxy(port)
  site = new WrittenSite({
    'docs.json': JSON.stringify({ name: 'Plants', navigation: { pages: ['index'] } }),
    'index.mdx': '---\ntitle: Welcome\n---\n\nPlants need water.\n',
    [FILM]: bytes,
  })
}, 300_000)
afterAll(async () => {
  proxy?.stop()
  site?.[Symbol.dispose]()
  await hosting?.stop()
})

/**
 * Starts a server that passes requests on to the service, except those that end like `refused`, to
 * which it responds with 404 like a service that does not know them.
 */
async function startOlderService(refused: string) {
  const server = createServer((incoming, response) => {
    const { method, headers, url = '' } = incoming
    if (url.split('?')[0]?.endsWith(refused)) {
      incoming.resume()
      response.writeHead(404).end()
      return
    }
    const passed = request(new URL(url, proxy.url), { method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 500, reply.headers)
      reply.pipe(response)
    })
    incoming.pipe(passed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { url, [Symbol.dispose]: () => void server.close() }
}

/** Inserts a text into the film. Returns the new bytes. */
function edit(text: string): Buffer {
  const edited = Buffer.concat([
    bytes.subarray(0, 500_000),
    Buffer.from(text),
    bytes.subarray(500_000),
  ])
  writeFileSync(join(site.root, 'docs', FILM), edited)
  return edited
}

/** Deploys the site. Returns the output and the number of bytes that were sent. */
async function deploy(service = proxy.url) {
  const before = proxy.sent()
  let out = ''
  let err = ''
  const code = await run({
    args: ['deploy', 'docs', '--wait', '--project', project.projectId, '--service', service],
    cwd: site.root,
    env: { NO_COLOR: '1', FORCE_COLOR: undefined, OCTAVO_API_KEY: project.adminKey },
    clock: systemClock,
    out: { write: (text) => (out += text) },
    err: { write: (text) => (err += text) },
  })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return { out, sent: proxy.sent() - before }
}

const servedFilm = async () => (await visit(port, project.host, `/${FILM}`)).bytes

test('a large file is sent as a whole once, and then as its changes', async () => {
  expect((await deploy()).sent).toBeGreaterThan(bytes.length)
  const edited = edit('a few new bytes')
  const { out, sent } = await deploy()
  expect(sent).toBeLessThan(200_000)
  // The number that is printed is what was sent, without the heads of requests.
  const [, printed = ''] = /, ([\d.]+) kB\.\n$/.exec(out) ?? []
  expect(Number(printed) * 1_000).toBeLessThan(sent)
  expect((await servedFilm()).equals(edited)).toBe(true)
})

test.each(['/live-chunks', '/delta'])(
  'a service that does not know requests to %s gets the whole file',
  async (refused) => {
    using older = await startOlderService(refused)
    const edited = edit(refused)
    expect((await deploy(older.url)).sent).toBeGreaterThan(bytes.length)
    expect((await servedFilm()).equals(edited)).toBe(true)
  },
)
