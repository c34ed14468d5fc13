/** Opens a fixture site as a command does; `hosted.json` defines the responses of its server. */
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
import { copyFetcher, networkFetcher } from '../src/load/fetch-specifications.ts'
import type { LoadResult } from '../src/load/load-site.ts'
import { openSite } from '../src/load/open-site.ts'
import { readFolder } from '../src/source/read-folder.ts'
import { TestServer } from './test-server.ts'

export type OpenedFixture = LoadResult & {
  /** Replaces the server's origin by the fixture's placeholder. */
  readonly restore: (text: string) => string
}

/** The placeholder for the server in fixtures. */
const PLACEHOLDER = 'https://hosted.example'
const FIRST_RUN_MS = Date.UTC(2026, 0, 31, 9, 5)
const DAY_MS = 24 * 3_600_000

/** The successive responses by path: a status, a text, or JSON. */
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

/** Opens the site once per response, a day apart, with the copies of the previous time. */
async function openHosted(folder: string, root: string): Promise<OpenedFixture> {
  const answers: Answers = JSON.parse(readFileSync(join(folder, 'hosted.json'), 'utf8'))
  let run = 0
  await using server = await TestServer.start(({ url = '' }, response) => {
    const known = answers[url] ?? [404]
    const answer = known[Math.min(run, known.length - 1)]
    if (typeof answer === 'number') response.writeHead(answer).end()
    else response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
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
        now: () => FIRST_RUN_MS + run * DAY_MS,
      }),
    )
  let result = await open()
  const runs = Math.max(...Object.values(answers).map(({ length }) => length))
  for (run = 1; run < runs; run += 1) result = await open()
  return { ...result, restore: (text) => text.replaceAll(origin, PLACEHOLDER) }
}

function replaceInFiles(folder: string, from: string, to: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(?:json|mdx?|ya?ml)$/.test(entry.name)) continue
    const file = join(entry.parentPath, entry.name)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(from, to))
  }
}
