/**
 * Tests deployments with invalid search indexes that no build would write, and their effect on
 * another tenant's site.
 */
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
/** The maximum time that a page of another tenant may take to load during the test. */
const VISIT_MS_MAX = 1_000

const POLL = { interval: 50, timeout: 10_000 }

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

/** Calls a tool on the MCP server of a site as an anonymous client. */
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

/**
 * Requests a page of the neighbor repeatedly until `work` is done. Also returns the duration of the
 * slowest request.
 */
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
    ['1e308 pages', (root) => ({ ...root, runs: [[0, 1e308]] })],
    ['two billion sections', (root) => ({ ...root, sections: [2_000_000_000, 1] })],
    ['a negative page', (root) => ({ ...root, runs: [[-5, 2]] })],
    ['wrong types instead of lists', (root) => ({ ...root, runs: 7, sections: {} })],
    ['another folder', (root) => ({ ...root, folder: '/../secret' })],
    ['a list instead of an object', () => []],
  ])('an index with %s only affects the site that contains it', async (_, change) => {
    const site = await newAssistantSite(service, withRoot(change))
    const { result, slowestMs } = await visitDuring(search(site))
    expect(result).toMatchObject({ status: 200, isError: true })
    expect(result.content[0]?.text).toContain(CANNOT_BE_READ)
    expect(slowestMs).toBeQuick(VISIT_MS_MAX)
    expect((await search(neighbor)).content[0]?.text).toContain('hose on')
    expect((await site.call('GET', '/water')).status).toBe(200)
  })

  test('an unreadable index is logged once per deployment, with its project and the reason', async () => {
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

  test('a question to a site with an unreadable index gets 503 with the reason and a solution', async () => {
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

  test('a new deployment with a valid index replaces one with an unreadable index', async () => {
    const site = await newAssistantSite(
      service,
      withRoot((root) => ({ ...root, runs: [[0, 2_000_000_000]] })),
    )
    expect((await search(site)).isError).toBe(true)
    await site.client.deploy(garden)
    await expect.poll(async () => (await search(site)).isError, POLL).toBeUndefined()
    const reply = await site.ask('How do I turn on the hose?')
    expect(outcomeOf(reply)).toMatchObject({ status: 'answered' })
  })
})

describe('files of an index', () => {
  const fileOf = (files: Map<string, Buffer>, pattern: RegExp) =>
    [...files.keys()].find((path) => pattern.test(path)) ?? ''

  test('an index is rejected if its files decompress to a thousand times their size', async () => {
    const bomb = deflateRawSync(Buffer.alloc(60 * 1024 * 1024))
    const site = await newAssistantSite(
      service,
      changedSite(garden, (files) => files.set(ROOT, bomb)),
    )
    const { result, slowestMs } = await visitDuring(search(site))
    expect(result.content[0]?.text).toContain(CANNOT_BE_READ)
    expect(slowestMs).toBeQuick(VISIT_MS_MAX)
  })

  test('an index is rejected if the sections in its files are different from those it lists', async () => {
    const site = await newAssistantSite(
      service,
      changedSite(garden, (files) =>
        files.set(fileOf(files, /sections\/.*\.json$/), Buffer.from('[{"sections":[]},{}]')),
      ),
    )
    expect((await search(site)).content[0]?.text).toContain(CANNOT_BE_READ)
  })

  test('the names of missing index files are shown only to the operator', async () => {
    const site = await newAssistantSite(
      service,
      changedSite(garden, (files) => files.delete(fileOf(files, /sections\/.*\.json$/))),
    )
    const { content } = await search(site)
    expect(content[0]?.text).toContain(CANNOT_BE_READ)
    expect(content[0]?.text).not.toContain('.json')
  })

  test('a Markdown file that claims to have a billion parts is read with its actual parts', async () => {
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
