/**
 * Builds untrusted repositories that attack the sandbox, and checks that none of them escapes it.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { ATTACKS } from '../../../../builder/testing/attack-pages.ts'
import { PAGE, SITE, startBuildBench } from '../../../testing/build-bench.ts'

const asked: string[] = []
const canary = createServer((request, response) => {
  asked.push(request.url ?? '')
  response.end('canary')
})
await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve))
const { port } = canary.address() as AddressInfo
const bench = await startBuildBench({ limits: { seconds: 90 } })
afterAll(async () => {
  canary.close()
  await bench.stop()
})

describe('builds of untrusted repositories', () => {
  test('a build of every attack in the corpus ends without network access', async () => {
    const project = await bench.createProject()
    const names = ATTACKS.map(({ format }, index) => `attack-${index}.${format}`)
    const files = Object.fromEntries(
      ATTACKS.map(({ source }, index) => [
        names[index] ?? '',
        source.replaceAll('https://canary.example', `http://127.0.0.1:${port}`),
      ]),
    )
    const pages = names.map((name) => name.replace(/\.\w+$/, ''))
    const build = await project.build({
      ...files,
      'docs.json': JSON.stringify({ name: 'Attacks', navigation: { pages } }),
    })
    expect(['failed', 'finished']).toContain(build.state)
    expect(build.reason).not.toContain('ended unexpectedly')
    expect(asked).toEqual([])
  })

  test('a hosted specification cannot reach this machine, the metadata address or the database', async () => {
    const project = await bench.createProject()
    const database = new URL(bench.service.databaseUrl)
    const urls = [
      `http://127.0.0.1:${port}/openapi.json`,
      'http://169.254.169.254/latest/meta-data/',
      `http://${database.hostname}:${database.port}/`,
      `http://[::1]:${port}/`,
      'file:///etc/passwd',
    ]
    const build = await project.build({
      ...SITE,
      'docs.json': JSON.stringify({
        name: 'Site',
        navigation: {
          groups: [
            { group: 'Pages', pages: ['index', 'second'] },
            ...urls.map((openapi, index) => ({ group: `API ${index}`, openapi, pages: [] })),
          ],
        },
      }),
    })
    const reply = await project.get(`/builds/${build.id}/diagnostics`)
    expect(await reply.text()).toMatch(/private|not allowed|refused|address/i)
    expect(asked).toEqual([])
  })

  test('a page that exhausts time or memory is reported and does not delay builds of other projects', async () => {
    const [project, other] = [await bench.createProject(), await bench.createProject()]
    const slow = `${'['.repeat(20_000)}a${']('.repeat(20_000)}`
    const large = `{"${'x'.repeat(2_000_000)}".repeat(1_000_000)}`
    const hostile = project.push(
      project.repository.commit({
        ...SITE,
        'index.mdx': PAGE(slow),
        'second.mdx': PAGE(large),
      }),
    )
    const built = await other.build(SITE)
    expect(built.state).toBe('finished')
    const ended = await project.ended(await hostile, 120_000)
    expect(ended).toMatchObject({ state: 'failed', errors: 2 })
    const reply = await project.get(`/builds/${ended.id}/diagnostics`)
    expect(await reply.json()).toMatchObject({
      diagnostics: expect.arrayContaining([
        expect.objectContaining({
          code: 'content/limit',
          place: expect.objectContaining({ file: 'index.mdx' }),
        }),
        expect.objectContaining({
          code: 'content/limit',
          place: expect.objectContaining({ file: 'second.mdx' }),
        }),
      ]),
    })
  })
})

describe('builds that exceed a limit', () => {
  test.each([
    ['time', { seconds: 0.3 }, /^The build took more than/],
    ['memory', { memoryMb: 40 }, /^The build needed more than 40 MB/],
  ])(
    'a build that exceeds its limit of %s is stopped with the reason',
    async (_, limits, reason) => {
      const tight = await startBuildBench({ limits })
      try {
        const project = await tight.createProject()
        const build = await project.build(SITE)
        expect(build).toMatchObject({ state: 'failed', reason: expect.stringMatching(reason) })
        expect((await project.read('/')).status).toBe(404)
      } finally {
        await tight.stop()
      }
    },
  )
})
