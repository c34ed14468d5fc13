/** Tests libraries that are slow, and library processes that are stopped or killed. */
import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
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
import { REFUSED_MS } from './lane-limits.ts'

const ROOT = '_octavo/search/all.bin'
const PAGES_PER_FILE = 16
const FOLDERS = 10
/** One-letter words with an accent, which take the most time relative to their length. */
const TEXT = 'é '.repeat(160_000)
const VISIT_EVERY_MS = 100
const QUESTION = 'How do I turn on the hose?'
const CANNOT_BE_READ = 'The search index of this deployment cannot be read.'

let now = Date.now()
let service: TestService
let garden: TestSite
let neighbor: AssistantSite
beforeAll(async () => {
  service = await startAssistantService({ now: () => now })
  garden = await builtSite(GARDEN)
  neighbor = await newAssistantSite(service, garden)
})
afterAll(() => service.stop())

/**
 * Creates a valid index of 77 MB. All of its files have the same content, so only 8 MB are
 * uploaded.
 */
const heavy = () =>
  changedSite(garden, (files) => {
    const folder = [...files.keys()].find((path) => /sections\/.*\.json$/.test(path)) ?? ''
    const pages = Array.from({ length: PAGES_PER_FILE }, (_, at) => ({
      path: 'water',
      url: `/water-${at}`,
      title: 'Water',
      sections: [{ id: '', headings: [], text: TEXT }],
    }))
    const bytes = Buffer.from(JSON.stringify(pages))
    for (let at = 0; at < FOLDERS; at += 1)
      files.set(folder.replace(/\d+\.json$/, `${at}.json`), bytes)
    // A deployment must have at least as many files as its index has pages.
    const count = FOLDERS * PAGES_PER_FILE
    for (let at = 0; at < count; at += 1) files.set(`more/${at}.txt`, Buffer.from('.'))
    const root = JSON.parse(inflateRawSync(files.get(ROOT) ?? Buffer.of()).toString())
    const sections = Array.from({ length: count }, () => 1)
    files.set(ROOT, deflateRawSync(JSON.stringify({ ...root, runs: [[0, count]], sections })))
  })

async function callTool(of: AssistantSite, name: string, args: object): Promise<string> {
  const params = { name, arguments: args }
  const { text } = await of.call('POST', '/mcp', {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  return JSON.parse(text).result.content[0].text
}

const processes = () =>
  execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)])
    .toString()
    .split('\n')
    .filter((line) => line.includes('library-program'))
    .map((line) => Number.parseInt(line, 10))

/** Asks a question, and visits the neighbor until the answer ends. */
async function askBeside(site: AssistantSite) {
  let isDone = false
  const attack = site.ask(QUESTION).finally(() => {
    isDone = true
  })
  let slowestMs = 0
  while (!isDone) {
    const startedAt = performance.now()
    expect((await neighbor.call('GET', '/water')).status).toBe(200)
    expect(await callTool(neighbor, 'search_docs', { query: 'hose' })).toContain('hose on')
    // The pause leaves the CPU to the slow library. The service runs in this process, so a pause
    // that is longer than requested means that it was blocked.
    await sleep(VISIT_EVERY_MS)
    slowestMs = Math.max(slowestMs, performance.now() - startedAt)
  }
  return { outcome: outcomeOf(await attack), slowestMs }
}

describe('a slow library', () => {
  test('a library that takes as much time as possible does not slow down other sites', async () => {
    const { outcome, slowestMs } = await askBeside(await newAssistantSite(service, heavy()))
    expect(outcome).toMatchObject({ status: 'unanswered' })
    expect(slowestMs).toBeQuick(2_000)
  })

  test('a library that does not respond is refused for a while and does not slow down other sites', async () => {
    const site = await newAssistantSite(service, heavy())
    // Opens the library in the process for large ones, which is started after the other.
    expect(await callTool(site, 'list_pages', {})).toContain('/water-0')
    process.kill(Math.max(...processes()), 'SIGSTOP')
    const { outcome, slowestMs } = await askBeside(site)
    expect(outcome).toMatchObject({ status: 'unanswered', reason: 'interrupted' })
    expect(slowestMs).toBeQuick(2_000)
    const startedAt = performance.now()
    expect(await callTool(site, 'list_pages', {})).toContain(CANNOT_BE_READ)
    expect(performance.now() - startedAt).toBeQuick(500)
    now += REFUSED_MS.first + 1
    expect(await callTool(site, 'list_pages', {})).toContain('/water-0')
  })
})

describe('a killed library process', () => {
  test('a killed library process is restarted and its libraries still work', async () => {
    expect(outcomeOf(await neighbor.ask(QUESTION))).toMatchObject({ status: 'answered' })
    const before = processes()
    expect(before).not.toEqual([])
    for (const pid of before) process.kill(pid, 'SIGKILL')
    const [asked, searched] = await Promise.all([
      neighbor.ask('How can I turn on the hose?'),
      callTool(neighbor, 'search_docs', { query: 'hose' }),
    ])
    expect(outcomeOf(asked)).toMatchObject({ status: 'answered' })
    expect(searched).toContain('hose on')
    expect(processes().some((pid) => before.includes(pid))).toBe(false)
  })
})
