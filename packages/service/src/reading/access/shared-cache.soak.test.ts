/**
 * Tests a shared cache in front of a private site: Varnish with its default rules. A member reads
 * all pages, then an anonymous reader requests the same paths. Requires `apt-get install varnish`.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newAssistantSite, startAssistantService } from '../../../testing/assistant-site.ts'
import { builtSite } from '../../../testing/built-site.ts'
import { createTestReader } from '../../../testing/private-readers.ts'
import { CANARIES, manifestOf, PRIVATE_FILES } from '../../../testing/private-site.ts'
import { visit } from '../../../testing/test-deployment.ts'
import type { TestService } from '../../../testing/test-service.ts'

const POLL = { timeout: 20_000, interval: 100 }
const VARNISH = '/usr/sbin/varnishd'
const folder = mkdtempSync(join(tmpdir(), 'octavo-varnish-'))
let service: TestService
let cache: ChildProcess
let port: number

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0))
    })
  })

beforeAll(async () => {
  if (!existsSync(VARNISH)) throw new Error('Varnish is missing: apt-get install varnish.')
  service = await startAssistantService()
  port = await freePort()
  const to = ['-b', `127.0.0.1:${service.port}`, '-a', `127.0.0.1:${port}`]
  cache = spawn(VARNISH, ['-j', 'none', '-F', '-n', folder, '-s', 'malloc,64m', ...to], {
    stdio: 'ignore',
  })
  await vi.waitFor(() => visit(port, 'nobody.sites.localhost', '/'), POLL)
})
afterAll(async () => {
  cache.kill()
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('an anonymous reader gets nothing that a shared cache stored for a member', async () => {
  const built = await builtSite(PRIVATE_FILES, 'https://docs.example.com')
  const site = await newAssistantSite(service, built)
  const { project, host } = site
  const access = { mode: 'password', password: 'a password for tests' }
  expect((await site.client.call('PUT', '/access', access)).status).toBe(200)
  const groups = ['staff', 'partners']
  const { headers: cookie, token } = await createTestReader(service, host, { project, groups })
  const bearer = { authorization: `Bearer ${token}` }
  const { entries } = manifestOf(built)
  const paths = entries.flatMap(({ path }) => [
    `/${path}`,
    `/${path.replace(/(?:^|\/)index\.html$/, '')}`,
  ])
  const anonymous = (path: string) => visit(port, host, path)
  await vi.waitFor(
    async () => expect((await anonymous(`/guides/${CANARIES.default[4]}`)).status).toBe(404),
    POLL,
  )
  const secret = Object.entries(CANARIES)
    .filter(([name]) => name !== 'open')
    .flatMap(([, words]) => words)
  let hits = 0
  for (const round of [1, 2])
    for (const path of paths) {
      const member = await visit(port, host, path, { headers: cookie })
      await visit(port, host, path, { headers: bearer })
      const reply = await anonymous(path)
      if (round === 2 && Number(String(reply.headers['x-varnish']).split(' ').length) > 1) hits += 1
      const text = JSON.stringify(reply.headers) + reply.bytes.toString('latin1')
      const leaks = secret.filter((word) => text.includes(word) && !path.includes(word))
      expect([path, reply.status, leaks]).toEqual([path, reply.status, []])
      if (member.status === 200 && reply.status === 200 && !member.bytes.equals(reply.bytes))
        expect([path, reply.headers['cache-control']]).toEqual([path, 'private, no-cache'])
    }
  // The cache is actually used: scripts, styles and fonts are cache hits.
  expect(hits).toBeGreaterThan(20)
})
