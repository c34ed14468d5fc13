/**
 * The worker's side of a build process: starts the process in a sandbox, fetches URLs for it, and
 * reads its output.
 */
import { cpSync, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fetchOutbound, OUTBOUND_LIMITS, type OutboundOutcome } from '@octavo/outbound'
import { buildCodeFolders, buildProgramFile } from '../../platform/own-files.ts'
import type { Isolation } from '../../platform/sandbox/isolation.ts'
import {
  type SandboxEnd,
  type SandboxLimits,
  startInSandbox,
} from '../../platform/sandbox/start-in-sandbox.ts'
import {
  type BuilderLine,
  type BuildOrder,
  onLine,
  parseBuilderLine,
  type SentOutcome,
  writeLine,
} from './build-protocol.ts'

export type BuildProcess = {
  readonly isolation: Isolation
  readonly order: BuildOrder
  /** The folder for temporary files. */
  readonly temporaryFolder: string
  /** Node's compile cache of the service's own code. Builds can read it but not change it. */
  readonly codeFolder: string
  readonly isCodeWritable?: boolean
  readonly allowPrivateHosts: readonly string[]
  readonly limits?: Partial<SandboxLimits>
  /** Replaces the build program, to test what an attacker could do. */
  readonly program?: string
  readonly onProgress: (done: number, total: number) => void
  readonly signal: AbortSignal
}

export type Built = Extract<BuilderLine, { kind: 'built' }>

/** `message` is for the author, `detail` for the operator. */
export type BuildOutcome =
  | Built
  | { readonly kind: 'failed'; readonly message: string; readonly detail: string }

const BUILD_LIMITS: SandboxLimits = { memoryMb: 3_072, seconds: 15 * 60, fileMb: 1_024 }
const HEAP_MB = 1_024
/** Network limits of one build. */
const FETCH_LIMITS = { requests: 400, bytes: 400_000_000, atOnce: 8 } as const
/** The maximum length of a line. The real build program never writes a longer one. */
const LINE_LENGTH_MAX = 64 * 1024 * 1024
const DETAIL_LENGTH_MAX = 2_000

export async function runBuildProcess(input: BuildProcess): Promise<BuildOutcome> {
  const { order, isCodeWritable = false } = input
  const codeFolder = isCodeWritable ? input.codeFolder : protectCode(input)
  const { child, ended, kill } = startInSandbox({
    isolation: input.isolation,
    command: process.execPath,
    args: ['--no-warnings', `--max-old-space-size=${HEAP_MB}`, input.program ?? buildProgramFile()],
    readable: [
      ...buildCodeFolders(),
      dirname(process.execPath),
      order.folder,
      ...(isCodeWritable ? [] : [codeFolder]),
    ],
    writable: [
      order.output,
      order.cacheFolder,
      input.temporaryFolder,
      ...(isCodeWritable ? [codeFolder] : []),
    ],
    folder: order.folder,
    environment: { NODE_COMPILE_CACHE: codeFolder, TMPDIR: input.temporaryFolder },
    network: 'none',
    limits: { ...BUILD_LIMITS, ...input.limits },
    stdio: ['pipe', 'pipe', 'pipe'],
    signal: input.signal,
  })
  const { stdin, stdout, stderr } = child
  if (stdin === null || stdout === null || stderr === null)
    throw new Error('the child process has no pipes')
  // The process may exit before it has read all of its input.
  stdin.on('error', () => {})
  const fetcher = createFetcher(input, (id, outcome) =>
    writeLine(stdin, { kind: 'answer', id, outcome }),
  )
  let result: Extract<BuilderLine, { kind: 'built' | 'failed' }> | undefined
  let errors = ''
  stderr.on('data', (piece: Buffer) => {
    errors = (errors + piece.toString('utf8')).slice(-DETAIL_LENGTH_MAX)
  })
  limitLines(stdout, kill)
  const reading = onLine(stdout, (text) => {
    const line = parseBuilderLine(text)
    if (line === undefined) return kill()
    if (line.kind === 'progress') input.onProgress(line.done, line.total)
    else if (line.kind === 'fetch') fetcher(line)
    else result = line
  })
  writeLine(stdin, { kind: 'order', order })
  const [end] = await Promise.all([ended, reading])
  if (result?.kind === 'built' && end.code === 0) return result
  const detail = result?.kind === 'failed' ? result.message : errors
  return {
    kind: 'failed',
    message: explain(end, input),
    detail: detail.slice(0, DETAIL_LENGTH_MAX),
  }
}

/**
 * Bubblewrap mounts the code folder read-only. Without it, a process could write to the folder, so
 * it gets a temporary copy.
 */
function protectCode({ isolation, codeFolder, temporaryFolder }: BuildProcess): string {
  if (isolation.kind === 'bubblewrap') return codeFolder
  const copy = join(temporaryFolder, 'code')
  if (existsSync(codeFolder)) cpSync(codeFolder, copy, { recursive: true })
  return copy
}

function explain({ killedFor, code }: SandboxEnd, { limits }: BuildProcess): string {
  const { memoryMb, seconds } = { ...BUILD_LIMITS, ...limits }
  if (killedFor === 'seconds')
    return `The build took more than ${seconds / 60} minutes and was stopped. Split the site, or remove unneeded files from the documentation folder.`
  if (killedFor === 'memory')
    return `The build needed more than ${memoryMb} MB of memory and was stopped. Split large pages and specifications.`
  if (killedFor === 'signal') return 'The build was stopped.'
  return `The build ended unexpectedly (exit code ${code ?? 'unknown'}). This is a problem in Octavo: try again, and report it if it happens again.`
}

/** Kills a process that writes an endless line. */
function limitLines(stream: NodeJS.ReadableStream, kill: () => void): void {
  let length = 0
  stream.on('data', (piece: Buffer) => {
    const lineEnd = piece.lastIndexOf(10)
    length = lineEnd < 0 ? length + piece.length : piece.length - lineEnd
    if (length > LINE_LENGTH_MAX) kill()
  })
}

/** The headers that the builder sends. Others are removed, in case the process is compromised. */
const HEADERS = ['accept', 'if-none-match', 'if-modified-since']

function allowedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => HEADERS.includes(name)))
}

type FetchLine = Extract<BuilderLine, { kind: 'fetch' }>

/**
 * Fetches URLs for a build, within the build's limits. Passes the bytes on without parsing them.
 */
function createFetcher(
  { allowPrivateHosts, signal }: BuildProcess,
  answer: (id: number, outcome: SentOutcome) => void,
): (line: FetchLine) => void {
  let requests = 0
  let bytes = 0
  let running = 0
  const waiting: FetchLine[] = []

  async function run({ id, url, headers, bytesMax }: FetchLine): Promise<void> {
    const left = FETCH_LIMITS.bytes - bytes
    const outcome: OutboundOutcome =
      left <= 0
        ? { kind: 'failed', url, reason: 'too-large' }
        : await fetchOutbound({
            url,
            headers: allowedHeaders(headers),
            allowPrivateHosts,
            limits: { bytesMax: Math.min(bytesMax ?? OUTBOUND_LIMITS.bytesMax, left) },
            signal,
          })
    if (outcome.kind !== 'loaded') return answer(id, outcome)
    bytes += outcome.bytes.length
    const { bytes: body, ...rest } = outcome
    answer(id, { ...rest, base64: Buffer.from(body).toString('base64') })
  }

  function runNext(): void {
    const line = running < FETCH_LIMITS.atOnce ? waiting.shift() : undefined
    if (line === undefined) return
    running += 1
    void run(line)
      .catch(() => answer(line.id, { kind: 'failed', url: line.url, reason: 'connect' }))
      .finally(() => {
        running -= 1
        runNext()
      })
  }

  return (line) => {
    requests += 1
    if (requests > FETCH_LIMITS.requests)
      return answer(line.id, { kind: 'failed', url: line.url, reason: 'too-large' })
    waiting.push(line)
    runNext()
  }
}
