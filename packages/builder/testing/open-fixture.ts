/**
 * Opens a fixture site as a command does. `hosted.json` in the fixture defines the responses of its
 * server.
 */
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyFetcher, networkFetcher } from '../src/load/fetchers.ts'
import type { LoadResult } from '../src/load/load-site.ts'
import { openSite } from '../src/load/open-site.ts'
import { readFolder } from '../src/source/read-folder.ts'
import { TestServer } from './test-server.ts'

export type OpenedFixture = LoadResult & {
  /** Replaces the server's origin with the placeholder that fixtures contain. */
  readonly restore: (text: string) => string
}

/** The placeholder that fixtures contain instead of the server's origin. */
const PLACEHOLDER = 'https://hosted.example'
const FIRST_RUN_MS = Date.UTC(2026, 0, 31, 9, 5)
const DAY_MS = 24 * 3_600_000

/** The successive responses to requests for each path: a status, text, bytes or JSON. */
type Answers = Readonly<Record<string, readonly unknown[]>>

export async function openFixture(folder: string): Promise<OpenedFixture> {
  const file = join(folder, 'hosted.json')
  const root = mkdtempSync(join(tmpdir(), 'octavo-fixture-'))
  try {
    if (existsSync(file)) return await openHosted(folder, root)
    const result = await openSite(readFolder(folder), copyFetcher(root))
    return { ...result, restore: (text) => text }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/**
 * Opens the site once for each response. Each run is a day after the previous one and can use its
 * copies.
 */
async function openHosted(folder: string, root: string): Promise<OpenedFixture> {
  const answers: Answers = JSON.parse(readFileSync(join(folder, 'hosted.json'), 'utf8'))
  let run = 0
  await using server = await TestServer.start(({ url = '' }, response) => {
    const known = answers[url] ?? [404]
    const answer = known[Math.min(run, known.length - 1)]
    if (typeof answer === 'number') response.writeHead(answer).end()
    else response.end(bodyOf(answer))
  })
  const { origin } = server
  const site = join(root, 'site')
  cpSync(folder, site, { recursive: true })
  replaceInFiles(site, PLACEHOLDER, origin)
  const open = () =>
    openSite(
      readFolder(site),
      networkFetcher({
        cacheFolder: join(root, 'cache'),
        allowPrivateHosts: [new URL(origin).hostname],
        registry: origin,
        now: () => FIRST_RUN_MS + run * DAY_MS,
      }),
    )
  let result = await open()
  const runs = Math.max(...Object.values(answers).map(({ length }) => length))
  for (run = 1; run < runs; run += 1) result = await open()
  return { ...result, restore: (text) => text.replaceAll(origin, PLACEHOLDER) }
}

function bodyOf(answer: unknown): string | Buffer {
  if (typeof answer === 'string') return answer
  if (typeof answer === 'object' && answer !== null && 'base64' in answer)
    return Buffer.from(String(answer.base64), 'base64')
  return JSON.stringify(answer)
}

function replaceInFiles(folder: string, from: string, to: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(?:json|mdx?|ya?ml)$/.test(entry.name)) continue
    const file = join(entry.parentPath, entry.name)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(from, to))
  }
}
