/** A deployment whose search index is not what a build writes, next to a site of another tenant. */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type AssistantSite,
  GARDEN,
  newAssistantSite,
  outcomeOf,
  startAssistantService,
} from '../../../testing/assistant-site.ts'
import { builtSite } from '../../../testing/built-site.ts'
import { changedSite } from '../../../testing/changed-site.ts'
import type { TestSite } from '../../../testing/test-deployment.ts'
import type { TestService } from '../../../testing/test-service.ts'

const ROOT = '_octavo/search/all.bin'
const CANNOT_BE_READ = 'The search index of this deployment cannot be read.'
/** A page of another tenant takes no longer than this meanwhile. */
const VISIT_MS_MAX = 1_000

const PATIENCE = { interval: 50, timeout: 10_000 }

let service: TestService
let garden: TestSite
let neighbor: AssistantSite
beforeAll(async () => {
  service = await startAssistantService()
  garden = await builtSite(GARDEN)
  neighbor = await newAssistantSite(service, garden)
})
afterAll(() => service.stop())

const withRoot = (change: (root: Record<string, unknown>) => object) =>
  changedSite(garden, (files) => {
    const text = inflateRawSync(files.get(ROOT) ?? Buffer.of()).toString()
    files.set(ROOT, deflateRawSync(JSON.stringify(change(JSON.parse(text)))))
  })

/** A tool of the MCP server of a site, asked by an anonymous client. */
async function callTool(of: AssistantSite, name: string, args: object) {
  const { status, text } = await of.call('POST', '/mcp', {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args },
    }),
  })
  return { status, ...JSON.parse(text).result } as {
    readonly status: number
    readonly isError?: boolean
    readonly content: readonly { readonly text: string }[]
  }
}

const search = (of: AssistantSite) => callTool(of, 'search_docs', { query: 'hose' })

/** Asks for a page of the neighbor again and again until `work` is done. Returns the longest time. */
async function visitDuring<Result>(
  work: Promise<Result>,
): Promise<{ readonly result: Result; readonly slowestMs: number }> {
  let slowestMs = 0
  let isDone = false
  const visits = (async () => {
    while (!isDone) {
      const startedAt = performance.now()
      expect((await neighbor.call('GET', '/water')).status).toBe(200)
      slowestMs = Math.max(slowestMs, performance.now() - startedAt)
    }
  })()
  const result = await work.finally(() => {
    isDone = true
  })
  await visits
  return { result, slowestMs }
}

describe('a search index that no build writes', () => {
  test.each<[name: string, change: (root: Record<string, unknown>) => object]>([
    ['two billion pages', (root) => ({ ...root, runs: [[0, 2_000_000_000]] })],
    ['pages beyond any number', (root) => ({ ...root, runs: [[0, 1e308]] })],
    ['two billion sections', (root) => ({ ...root, sections: [2_000_000_000, 1] })],
    ['a negative page', (root) => ({ ...root, runs: [[-5, 2]] })],
    ['no lists', (root) => ({ ...root, runs: 7, sections: {} })],
    ['another folder', (root) => ({ ...root, folder: '/../secret' })],
    ['no object', () => []],
  ])(
    'an index with %s gets an error of its own site, and no other site notices',
    async (_, change) => {
      const site = await newAssistantSite(service, withRoot(change))
      const { result, slowestMs } = await visitDuring(search(site))
      expect(result).toMatchObject({ status: 200, isError: true })
      expect(result.content[0]?.text).toContain(CANNOT_BE_READ)
      expect(slowestMs).toBeQuick(VISIT_MS_MAX)
      expect((await search(neighbor)).content[0]?.text).toContain('hose on')
      expect((await site.call('GET', '/water')).status).toBe(200)
    },
  )

  test('an unreadable index is reported once for a deployment, with the project and the reason', async () => {
    const site = await newAssistantSite(
      service,
      withRoot((root) => ({ ...root, runs: [[0, 2_000_000_000]] })),
    )
    await search(site)
    await search(site)
    const lines = service.log.map((line) => JSON.parse(line))
    const reports = lines.filter(({ deployment }) => deployment === site.deployment)
    expect(reports).toMatchObject([
      {
        level: 'error',
        message: 'the search index of a deployment cannot be read',
        projectId: site.project.id,
        reason: expect.stringContaining('`runs`'),
      },
    ])
  })

  test('leaves its assistant without an answer, with the reason and what to do', async () => {
    const site = await newAssistantSite(
      service,
      withRoot((root) => ({ ...root, runs: [[0, 2_000_000_000]] })),
    )
    const reply = await site.ask('How do I turn on the hose?')
    expect(reply.status).toBe(503)
    expect(JSON.parse(reply.text)).toMatchObject({
      detail: `${CANNOT_BE_READ} The owner has to deploy the site again.`,
    })
  })

  test('an unreadable index is forgotten when the next deployment is fine', async () => {
    const site = await newAssistantSite(
      service,
      withRoot((root) => ({ ...root, runs: [[0, 2_000_000_000]] })),
    )
    expect((await search(site)).isError).toBe(true)
    await site.client.deploy(garden)
    await expect.poll(async () => (await search(site)).isError, PATIENCE).toBeUndefined()
    const reply = await site.ask('How do I turn on the hose?')
    expect(outcomeOf(reply)).toMatchObject({ status: 'answered' })
  })
})

describe('files of an index', () => {
  const fileOf = (files: Map<string, Buffer>, pattern: RegExp) =>
    [...files.keys()].find((path) => pattern.test(path)) ?? ''

  test('files that decompress to a thousand times their size are not read', async () => {
    const bomb = deflateRawSync(Buffer.alloc(60 * 1024 * 1024))
    const site = await newAssistantSite(
      service,
      changedSite(garden, (files) => files.set(ROOT, bomb)),
    )
    const { result, slowestMs } = await visitDuring(search(site))
    expect(result.content[0]?.text).toContain(CANNOT_BE_READ)
    expect(slowestMs).toBeQuick(VISIT_MS_MAX)
  })

  test('files with other sections than the index says are not read', async () => {
    const site = await newAssistantSite(
      service,
      changedSite(garden, (files) =>
        files.set(fileOf(files, /sections\/.*\.json$/), Buffer.from('[{"sections":[]},{}]')),
      ),
    )
    expect((await search(site)).content[0]?.text).toContain(CANNOT_BE_READ)
  })

  test('missing files are named to the operator only', async () => {
    const site = await newAssistantSite(
      service,
      changedSite(garden, (files) => files.delete(fileOf(files, /sections\/.*\.json$/))),
    )
    const { content } = await search(site)
    expect(content[0]?.text).toContain(CANNOT_BE_READ)
    expect(content[0]?.text).not.toContain('.json')
  })

  test('Markdown files that claim a billion parts are read as the parts that there are', async () => {
    const site = await newAssistantSite(
      service,
      changedSite(garden, (files) => {
        const claim = '<!-- continues: part 2 of 999999999 -->\n\nThe page continues.\n'
        files.set('water.md', Buffer.from(`# Water\n\nPlants need water.\n\n${claim}`))
      }),
    )
    const { result, slowestMs } = await visitDuring(callTool(site, 'read_page', { url: '/water' }))
    expect(result.content[0]?.text).toContain('Plants need water.')
    expect(slowestMs).toBeQuick(VISIT_MS_MAX)
  })
})
