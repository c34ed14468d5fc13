/**
 * The client process of benches. It uses HTTP and PostgreSQL over bare sockets and only counts the
 * responses, so that it takes little CPU time from the measured processes.
 */
import { fork } from 'node:child_process'
import { connect, type Socket } from 'node:net'

type PagesJob = {
  readonly kind: 'pages'
  readonly port: number
  readonly connections: number
  readonly seconds: number
  /** Complete requests. Each turn sends a random one. */
  readonly requests: readonly string[]
  /** The status that every response must have. */
  readonly status: number
}

type EachJob = {
  readonly kind: 'each'
  readonly port: number
  readonly connections: number
  /** Complete requests. Each is sent once, in this order. */
  readonly requests: readonly string[]
  readonly status: number
}

type StreamJob = {
  readonly kind: 'stream'
  readonly port: number
  readonly request: string
  /** The pause in reading after the first bytes. */
  readonly pauseMs: number
}

type CopyJob = { readonly kind: 'copy'; readonly port: number; readonly statement: string }

export type Job = PagesJob | EachJob | StreamJob | CopyJob

export type JobResult = {
  readonly count: number
  readonly bytes: number
  readonly seconds: number
  readonly perSecond: number
  /** The number of responses with a different status. */
  readonly errors: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Runs a job in a new process. */
export function runJob(job: Job): Promise<JobResult> {
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename)
    child.once('message', (result) => resolve(result as JobResult))
    child.once('exit', (code) => {
      if (code !== 0) reject(new Error(`the load client ended with ${code}`))
    })
    child.send(job)
  })
}

// This condition is true only in the process that `runJob` forks.
if (process.argv[1] === import.meta.filename) {
  process.once('message', (job: Job) => {
    work(job).then((result) => process.send?.(result, () => process.exit(0)))
  })
}

function work(job: Job): Promise<JobResult> {
  switch (job.kind) {
    case 'pages':
      return loadPages(job, takeAtRandom(job))
    case 'each':
      return loadPages(job, takeEach(job))
    case 'stream':
      return readStream(job)
    case 'copy':
      return readCopy(job)
  }
}

const READ_BYTES = 256 * 1024

/** Returns the next request to send; undefined at the end. */
type TakeRequest = () => string | undefined

function takeAtRandom({ requests, seconds }: PagesJob): TakeRequest {
  const until = performance.now() + seconds * 1_000
  return () =>
    performance.now() < until ? requests[Math.floor(Math.random() * requests.length)] : undefined
}

function takeEach({ requests }: EachJob): TakeRequest {
  const rest = requests.values()
  return () => rest.next().value
}

/** Sends requests, with one pending on each socket, until all are answered. */
async function loadPages(job: PagesJob | EachJob, take: TakeRequest): Promise<JobResult> {
  const latencies: number[] = []
  let bytes = 0
  let errors = 0
  const started = performance.now()

  function run(): Promise<void> {
    return new Promise((resolve, reject) => {
      let sentAt = 0
      let missing = -1
      const socket = open(job.port, reject, (chunk) => {
        if (missing === -1) {
          const head = readHead(chunk)
          if (head.status !== job.status) errors += 1
          missing = head.length
        }
        missing -= chunk.length
        bytes += chunk.length
        if (missing > 0) return undefined
        latencies.push(performance.now() - sentAt)
        ask()
        return undefined
      })
      const ask = () => {
        const request = take()
        if (request === undefined) {
          resolve()
          socket.destroy()
          return
        }
        missing = -1
        sentAt = performance.now()
        socket.write(request)
      }
      socket.once('connect', ask)
    })
  }
  await Promise.all(Array.from({ length: job.connections }, run))
  return { ...total(latencies.length, bytes, started), errors, ...quantiles(latencies) }
}

/**
 * Returns the status and the total length of a response. The header is sent, and so arrives, in one
 * chunk.
 */
function readHead(chunk: Buffer): { readonly status: number; readonly length: number } {
  const end = chunk.indexOf('\r\n\r\n')
  const head = chunk.toString('latin1', 0, end)
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])
  if (end === -1 || Number.isNaN(length)) throw new Error(`not a reply with a length: ${head}`)
  return { status: Number(head.slice(9, 12)), length: end + 4 + length }
}

/** Reads a chunked response to its end. The few bytes of chunk headers are counted too. */
function readStream(job: StreamJob): Promise<JobResult> {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    let bytes = 0
    let tail = ''
    const socket = open(job.port, reject, (chunk) => {
      const isFirst = bytes === 0
      bytes += chunk.length
      tail = keepTail(tail, chunk)
      if (isFirst && !chunk.toString('latin1', 0, 13).startsWith('HTTP/1.1 200 ')) {
        reject(new Error('the stream does not begin with 200'))
      }
      if (tail.endsWith('\r\n0\r\n\r\n')) {
        resolve({ ...total(1, bytes, started), errors: 0, p50Ms: 0, p99Ms: 0 })
        socket.destroy()
      }
      if (!isFirst || job.pauseMs === 0) return undefined
      setTimeout(() => socket.resume(), job.pauseMs)
      return 'stop'
    })
    socket.once('connect', () => socket.write(job.request))
  })
}

/** The message `ReadyForQuery`: the server waits for a statement. */
const READY = 'Z\0\0\0\x05I'
/** The size of the message type and length before each row of COPY. */
const COPY_FRAME_BYTES = 5

/** Runs COPY … TO STDOUT over the wire protocol. */
function readCopy(job: CopyJob): Promise<JobResult> {
  return new Promise((resolve, reject) => {
    let started: number | undefined
    let bytes = 0
    let tail = ''
    const socket = open(job.port, reject, (chunk) => {
      bytes += chunk.length
      tail = keepTail(tail, chunk)
      if (!tail.endsWith(READY)) return undefined
      if (started === undefined) {
        started = performance.now()
        bytes = 0
        socket.write(message('Q', `${job.statement}\0`))
        return undefined
      }
      const rows = Number(/COPY (\d+)\0/.exec(tail)?.[1])
      if (Number.isNaN(rows)) reject(new Error('COPY failed'))
      const payload = bytes - rows * COPY_FRAME_BYTES
      resolve({ ...total(rows, payload, started), errors: 0, p50Ms: 0, p99Ms: 0 })
      socket.destroy()
      return undefined
    })
    socket.once('connect', () => {
      socket.write(message('', '\0\x03\0\0user\0postgres\0database\0postgres\0\0'))
    })
  })
}

const TAIL_BYTES = 64

/**
 * Returns the last bytes received so far, because the end marker can be split between two chunks.
 */
function keepTail(tail: string, chunk: Buffer): string {
  return (tail + chunk.subarray(-TAIL_BYTES).toString('latin1')).slice(-TAIL_BYTES)
}

function message(type: string, body: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(Buffer.byteLength(body) + 4)
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)])
}

/** Handles received bytes. Returns `stop` to pause reading. */
type OnBytes = (chunk: Buffer) => 'stop' | undefined

/** Opens a socket that reads into one buffer. */
function open(port: number, reject: (error: Error) => void, onBytes: OnBytes): Socket {
  const buffer = Buffer.allocUnsafe(READ_BYTES)
  const socket = connect({
    port,
    host: '127.0.0.1',
    noDelay: true,
    onread: { buffer, callback: (length) => onBytes(buffer.subarray(0, length)) !== 'stop' },
  })
  socket.once('error', reject)
  socket.once('close', () => reject(new Error('the connection was closed')))
  return socket
}

type Total = Pick<JobResult, 'count' | 'bytes' | 'seconds' | 'perSecond'>

function total(count: number, bytes: number, started: number): Total {
  const seconds = (performance.now() - started) / 1_000
  return { count, bytes, seconds, perSecond: count / seconds }
}

function quantiles(latencies: number[]): Pick<JobResult, 'p50Ms' | 'p99Ms'> {
  const sorted = latencies.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
  return { p50Ms: at(0.5), p99Ms: at(0.99) }
}
