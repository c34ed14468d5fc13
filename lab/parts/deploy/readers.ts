/**
 * Reads a site while it is deployed. Each reader loads a page, then loads every style, script and
 * search file that the page uses from the other process, and compares all of them with the build.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type SiteResponse, visit } from '../../../packages/service/testing/test-deployment.ts'
import { markOf, type SiteVersion, sha256Of } from './site-versions.ts'

export type ReadersOptions = {
  readonly count: number
  readonly host: string
  /** The ports of the processes that serve the site. */
  readonly ports: readonly number[]
  /** The versions that may be live. More are added during the run. */
  readonly versions: ReadonlyMap<number, SiteVersion>
  /** True while processes are killed: broken connections and 503 are then allowed. */
  readonly allowsOutages: boolean
  /** The pause between two loads of one reader. */
  readonly pauseMs?: number
  /** Called with the duration of each response. */
  readonly onReply?: (ms: number) => void
}

export type ReadersResult = {
  readonly loads: number
  readonly files: number
  /** The number of loads that an outage interrupted. */
  readonly outages: number
  readonly seen: ReadonlySet<number>
  readonly wrong: readonly string[]
}

const TIMEOUT_MS = 30_000
const PAUSE_AFTER_OUTAGE_MS = 50
const WRONG_MAX = 50
const NAMED = /(?:href|src)="(\/(?:_octavo\/(?:styles|scripts|icons)|own)[^"#]*)/g
const IMPORTED = /["']\.\/((?:chunk|[a-z-]+)-[\da-f]{8}\.js)["']/g
const SEARCH = '_octavo/search/all.bin'
const SEARCH_DATA = '_octavo/search-data/'
const SEARCH_DATA_FILES = 4
const ATTEMPTS_MAX = 4

class Outage extends Error {}

export function startReaders(options: ReadersOptions) {
  const { host, ports, versions, allowsOutages } = options
  const result = { loads: 0, files: 0, outages: 0 }
  const seen = new Set<number>()
  const wrong: string[] = []
  let isOver = false
  const report = (line: string) => wrong.length < WRONG_MAX && wrong.push(line)

  async function get(port: number, path: string): Promise<SiteResponse> {
    let reply: SiteResponse
    const begun = performance.now()
    try {
      reply = await visit(port, host, path, { timeoutMs: TIMEOUT_MS })
    } catch (error) {
      if (allowsOutages) throw new Outage()
      throw error
    }
    if (reply.status === 503 && allowsOutages) throw new Outage()
    options.onReply?.(performance.now() - begun)
    return reply
  }

  async function load(page: number, assets: number): Promise<void> {
    const reply = await get(page, '/')
    const html = reply.bytes.toString('utf8')
    const version = versions.get(markOf(html) ?? -1)
    if (reply.status !== 200 || version === undefined) {
      report(`the page: ${reply.status} ${html.slice(0, 80)}`)
      return
    }
    seen.add(version.number)
    if (sha256Of(reply.bytes) !== version.files.get('index.html'))
      report(`the page of ${version.number} has other bytes`)
    const named = [...html.matchAll(NAMED)].map(([, path = '']) => path.slice(1))
    for (const ending of ['.css', '.js']) {
      const found = named.filter((path) => path.endsWith(ending))
      if (found.length < 2 || !found.some((path) => path.startsWith('own/')))
        report(`the page of ${version.number} does not name our ${ending} and the author's`)
    }
    const paths = new Set(named)
    for (const path of paths) {
      const bytes = await expectFile(assets, path, version)
      if (!path.endsWith('.js')) continue
      for (const [, name] of bytes.toString('utf8').matchAll(IMPORTED))
        paths.add(`_octavo/scripts/${name}`)
    }
    await search(assets, page)
    result.loads += 1
  }

  /** Checks that the file exists and belongs to the version that refers to it. */
  async function expectFile(port: number, path: string, version: SiteVersion): Promise<Buffer> {
    const reply = await get(port, `/${path}`)
    result.files += 1
    checkFile(path, version, reply)
    return reply.bytes
  }

  function checkFile(
    path: string,
    version: SiteVersion,
    { status, bytes }: Pick<SiteResponse, 'status' | 'bytes'>,
  ): void {
    if (status !== 200) report(`${version.number} names ${path}: ${status}`)
    else if (sha256Of(bytes) !== version.files.get(path))
      report(`${version.number} names ${path}: other bytes`)
  }

  /**
   * Checks the search index, which has the same name in all versions: it must belong to a complete
   * version, and the files of that version must be served while it is live.
   */
  async function search(port: number, otherPort: number): Promise<void> {
    const version = await findIndex(port)
    if (version === undefined) return
    const data = [...version.files.keys()].filter((path) => path.startsWith(SEARCH_DATA))
    // A reader's search needs only some of the data files.
    for (const path of data.slice(0, SEARCH_DATA_FILES)) {
      let reply = await get(otherPort, `/${path}`)
      // The page text of an earlier deployment is never served, so the search reloads the index.
      // Every second version has the same index, so a version with the requested file may be live
      // again by then.
      for (let attempts = 1; reply.status === 404 && attempts < ATTEMPTS_MAX; attempts += 1) {
        if ((await findIndex(otherPort)) !== version) return
        reply = await get(otherPort, `/${path}`)
      }
      result.files += 1
      checkFile(path, version, reply)
    }
  }

  /** Requests the search index, and returns the version that it belongs to. */
  async function findIndex(port: number): Promise<SiteVersion | undefined> {
    const { status, bytes } = await get(port, `/${SEARCH}`)
    const digest = sha256Of(bytes)
    const version = [...versions.values()].find(({ files }) => files.get(SEARCH) === digest)
    if (status !== 200 || version === undefined)
      report(`the search index: ${status}, of no version`)
    return version
  }

  async function reader(number: number): Promise<void> {
    for (let turn = number; !isOver; turn += 1) {
      const page = ports[turn % ports.length] ?? 0
      const assets = ports[(turn + 1) % ports.length] ?? 0
      try {
        await load(page, assets)
        if (options.pauseMs !== undefined) await sleep(options.pauseMs)
      } catch (error) {
        if (!(error instanceof Outage)) report(String(error))
        else result.outages += 1
        await sleep(PAUSE_AFTER_OUTAGE_MS)
      }
    }
  }

  const readers = Array.from({ length: options.count }, (_, number) => reader(number))
  return {
    async stop(): Promise<ReadersResult> {
      isOver = true
      await Promise.all(readers)
      return { ...result, seen, wrong }
    },
  }
}
