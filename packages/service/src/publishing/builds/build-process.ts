/**
 * The program that builds an untrusted site, in its own process without network access or
 * environment variables. It reads one order from stdin, writes progress and results as lines to
 * stdout, and exits. It loads no other part of the service.
 */
import { readdirSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import process from 'node:process'
import type { SendOutbound, SourceTree } from '@octavo/builder'
import type { OutboundOutcome } from '@octavo/outbound'
import type { BuildOrder, BuiltLine, SentOutcome, WorkerLine } from './build-protocol.ts'

// Most of the startup time goes into loading our own code, so its compiled form is cached.
enableCompileCache()
const { buildTree, describeRepository, networkFetcher, OutputFolder, readFolder } = await import(
  '@octavo/builder'
)
const { createInterface } = await import('node:readline')

const DIAGNOSTICS_SENT_MAX = 1_000
const UNREAD_MAX = 50_000
const PROGRESS_MS = 500
const LEAVE_MS = 500

const answers = new Map<number, (outcome: OutboundOutcome) => void>()
let requestCount = 0
const send = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)

const lines = createInterface({ input: process.stdin })
lines.on('line', (text) => {
  const line = JSON.parse(text) as WorkerLine
  if (line.kind === 'order') void run(line.order)
  else answers.get(line.id)?.(readOutcome(line.outcome))
})
// The input ends when the worker exits.
lines.on('close', () => process.exit(1))

async function run(order: BuildOrder): Promise<void> {
  try {
    const built = await build(order)
    process.stdout.write(`${JSON.stringify(built)}\n`, leave)
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.stdout.write(`${JSON.stringify({ kind: 'failed', message })}\n`, () => process.exit(1))
  }
}

/**
 * Exits when the page workers have ended, or after a short delay, so that their resource usage is
 * counted.
 */
function leave(): void {
  lines.removeAllListeners('close')
  process.stdin.destroy()
  setTimeout(() => process.exit(0), LEAVE_MS).unref()
}

async function build(order: BuildOrder): Promise<BuiltLine> {
  const { folder, output, cacheFolder, version, siteUrl, failOn, workersMax } = order
  const dates = new Map(order.changedAt)
  const read = new Set<string>()
  const tree = recordReads(
    readFolder(folder, {
      changedAt: (path) => dates.get(path),
      repository: () => describeRepository(order.repository),
    }),
    read,
  )
  let shownAt = 0
  const result = await buildTree(tree, () => new OutputFolder(output), {
    cacheFolder,
    version,
    workersMax,
    // The folder of the compile cache is read-only or a copy for this build, so writing to it does
    // no harm.
    mayWriteCompileCache: true,
    fetcher: networkFetcher({
      cacheFolder,
      allowPrivateHosts: [],
      now: () => order.nowMs,
      send: fetchThroughWorker,
    }),
    onProgress: ({ done, total }) => {
      const now = performance.now()
      if (now - shownAt < PROGRESS_MS) return
      shownAt = now
      send({ kind: 'progress', done, total })
    },
    ...(siteUrl === undefined ? {} : { siteUrl }),
    failOn,
  })
  const counts = { error: 0, warning: 0, note: 0 }
  for (const { severity } of result.diagnostics) counts[severity] += 1
  return {
    kind: 'built',
    hasSite: result.isLoaded,
    pageCount: result.pageCount,
    compiledCount: result.compiledCount,
    counts,
    stoppingCount: result.stoppingCount,
    knownCount: result.knownCount,
    diagnostics: result.diagnostics.slice(0, DIAGNOSTICS_SENT_MAX),
    unread: unreadFiles(folder, read),
  }
}

/**
 * Asks the worker to fetch a URL, since only the worker has network access and decides which
 * addresses are allowed.
 */
const fetchThroughWorker: SendOutbound = ({ url, headers = {}, limits }) => {
  requestCount += 1
  const id = requestCount
  const { promise, resolve } = Promise.withResolvers<OutboundOutcome>()
  answers.set(id, resolve)
  const bytesMax = limits?.bytesMax
  send({ kind: 'fetch', id, url, headers, ...(bytesMax !== undefined && { bytesMax }) })
  return promise
}

function readOutcome(outcome: SentOutcome): OutboundOutcome {
  if (!('base64' in outcome)) return outcome
  const { base64, ...rest } = outcome
  return { ...rest, bytes: Buffer.from(base64, 'base64') }
}

/** Records which files a build reads. A later change to any other file cannot change the site. */
function recordReads(tree: SourceTree, read: Set<string>): SourceTree {
  const noted =
    <Rest extends readonly unknown[], Result>(call: (path: string, ...rest: Rest) => Result) =>
    (path: string, ...rest: Rest) => {
      read.add(path)
      return call(path, ...rest)
    }
  return {
    ...tree,
    read: noted(tree.read),
    readBytes: noted(tree.readBytes),
    readHead: noted(tree.readHead),
  }
}

/** Files that decide which other files are read. The builder reads them without `SourceTree`. */
const RULES = new Set(['.mintignore', '.octavoignore'])

/**
 * Returns all files in the folder that the build did not read, including unsupported ones;
 * undefined if there are too many.
 */
function unreadFiles(folder: string, read: ReadonlySet<string>): string[] | undefined {
  const unread: string[] = []
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = `${entry.parentPath}/${entry.name}`.slice(folder.length + 1)
    // Packages are never listed as unread: the builder looks up fonts in them.
    if (read.has(path) || RULES.has(path) || /(?:^|\/)node_modules\//.test(path)) continue
    if (unread.length >= UNREAD_MAX) return undefined
    unread.push(path)
  }
  return unread
}
