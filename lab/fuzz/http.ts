/**
 * Sends mutated requests to a service and to HAProxy in front of it, and compares the results.
 * A grammar generates the requests, which are sent as raw bytes. HAProxy has the recipe of
 * deploy/haproxy. It compares how each request is read by the service directly, the service behind
 * HAProxy, and HAProxy. HAProxy and the service behind it must agree on the number of requests and
 * on method, host, path and body length of each. So must the service with and without HAProxy if
 * both responses are successful. The service must never crash or respond with 500, and must respond
 * or close the connection in time.
 *
 *   npm run lab fuzz/http -- [--runs 3000] [--seed 1]
 *
 * A run is repeated by its seed and number; `--only <number>` sends one request and prints it.
 */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { startHosting } from '../../packages/service/testing/start-hosting.ts'
import { clientOf, siteOf } from '../../packages/service/testing/test-deployment.ts'
import { startEdge } from '../parts/start-edge.ts'
import { requestBytes } from './http/http-grammar.ts'
import type { ObservedRequest } from './http/observe-requests.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '3000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
})
const RUNS = Number(values.runs)
const SEED = Number(values.seed)
const AT_ONCE = 8
/**
 * The time limit for a response. The server expects no more data, since the client has closed its
 * half of the connection.
 */
const REPLY_MS_MAX = 10_000
/**
 * The time to wait for log lines, which HAProxy and the service write a moment after the response.
 */
const SETTLE_MS = 1_500
const SHOWN_MAX = 10
const URL_SHOWN_MAX = 200
/** The highest number of runs: each has its own client address, which identifies its log lines. */
const RUNS_MAX = 2 ** 16
const OBSERVER = pathToFileURL(`${import.meta.dirname}/http/observe-requests.ts`).href

type Reading = {
  readonly method: string
  readonly host: string
  readonly url: string
  readonly length: string
  readonly status: number
}
type Sent = { readonly text: string; readonly isClosed: boolean; readonly ms: number }

if (RUNS > RUNS_MAX) throw new Error(`--runs is at most ${RUNS_MAX}.`)
const observed: ObservedRequest[] = []
/** The log entries of HAProxy by client address. */
const edgeReadings = new Map<string, Reading[]>()
const wrong: string[] = []
const counts = { success: 0, both: 0, forwarded: 0, slowestMs: 0 }

const hosting = await startHosting({ onLine: readServiceLine })
try {
  await fuzz()
} finally {
  await hosting.stop()
}
for (const line of wrong.slice(0, SHOWN_MAX)) console.log(`WRONG ${line}`)
console.log(
  `${RUNS} requests at the service and at HAProxy, seed ${SEED}: ${counts.success} with success, ${counts.forwarded} sent on by HAProxy, ${counts.both} with success at both, slowest ${Math.round(counts.slowestMs)} ms, ${wrong.length} wrong`,
)
process.exitCode = wrong.length === 0 ? 0 : 1

async function fuzz(): Promise<void> {
  const project = hosting.createProject('plants')
  const service = await hosting.start('all', { NODE_OPTIONS: `--import=${OBSERVER}` })
  const pid = service.pid()
  const client = clientOf(hosting.url, { publicId: project.projectId, token: project.adminKey })
  const site = siteOf({
    'index.html': '<!doctype html><title>Plants</title>',
    'guide/index.html': 'Guide',
  })
  const deployed = await client.deploy(site)
  if (deployed.body.state !== 'live') throw new Error(`The deployment is ${deployed.status}.`)
  const ports = { api: [service.port], sites: [service.port] }
  const edge = await startEdge(hosting.folder, [ports], {
    global: ['log stdout len 65535 format raw local0', 'nbthread 1', 'tune.http.logurilen 20000'],
    frontend: [
      'log global',
      'log-format "%ci|%ST|%s|%HM|%[var(txn.asked_length)]|%[var(txn.asked_host)]|%HU"',
      'http-request set-header X-Edge-Client %[src]',
      'http-request set-var(txn.asked_host) req.fhdr(host)',
      'http-request set-var(txn.asked_length) req.fhdr(content-length)',
      'http-request set-var(txn.asked_length) req.fhdr(transfer-encoding) if { req.fhdr(transfer-encoding) -m found }',
    ],
    onLine: readEdgeLine,
  })
  try {
    const requests = fc.sample(
      requestBytes({
        siteHost: project.host,
        serviceHost: '127.0.0.1',
        apiPath: `/v1/analytics/${project.projectId}/assistant`,
        key: project.adminKey,
      }),
      { numRuns: RUNS, seed: SEED },
    )
    const first = values.only === undefined ? 0 : Number(values.only)
    const end = values.only === undefined ? RUNS : first + 1
    let next = first
    observed.length = 0
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let run = next++; run < end; run = next++) {
          const bytes = requests[run] ?? ''
          const direct = await send(service.port, bytes, run)
          const proxied = await send(edge.port, bytes, run)
          if (values.only !== undefined) console.log({ bytes, direct, proxied })
          check(run, 'directly', direct)
          check(run, 'through HAProxy', proxied)
        }
      }),
    )
    await sleep(SETTLE_MS)
    for (let run = first; run < end; run += 1) compare(run)
    const orphans = observed.filter(({ from, client }) => from === '127.0.0.1' && !isRun(client))
    for (const one of orphans) wrong.push(`HAProxy does not know of ${JSON.stringify(one)}`)
    if (service.pid() !== pid) wrong.push('the service is another process')
    const [unexpected] = service.errors.filter((line) => line.includes('unexpected error'))
    if (unexpected !== undefined) wrong.push(`logged: ${unexpected}`)
  } finally {
    await edge.stop()
  }
}

function addressOf(run: number): string {
  return `127.1.${run >> 8}.${run & 255}`
}

function isRun(address: string | undefined): boolean {
  return address?.startsWith('127.1.') === true
}

/**
 * Writes the bytes, closes this half of the connection, and reads until the other half is closed.
 */
function send(port: number, bytes: string, run: number): Promise<Sent> {
  return new Promise((resolve) => {
    let text = ''
    const begun = performance.now()
    const socket = connect({ port, host: '127.0.0.1', localAddress: addressOf(run) })
    const done = (isClosed: boolean) => {
      socket.destroy()
      resolve({ text, isClosed, ms: performance.now() - begun })
    }
    const timer = setTimeout(() => done(false), REPLY_MS_MAX)
    socket.setEncoding('latin1')
    socket.on('data', (piece) => {
      text += piece
    })
    // A peer that closes with unread bytes resets the connection.
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      done(true)
    })
    socket.end(Buffer.from(bytes, 'latin1'))
  })
}

function check(run: number, how: string, { text, isClosed, ms }: Sent): void {
  counts.slowestMs = Math.max(counts.slowestMs, ms)
  if (!isClosed) wrong.push(`run ${run}, ${how}: not closed after ${REPLY_MS_MAX} ms`)
  if (/^HTTP\/1\.1 500/m.test(text)) wrong.push(`run ${run}, ${how}: 500`)
}

function compare(run: number): void {
  const address = addressOf(run)
  const direct = observed.filter(({ from }) => from === address)
  const behind = observed.filter(({ from, client }) => from === '127.0.0.1' && client === address)
  const edge = edgeReadings.get(address) ?? []
  counts.forwarded += behind.length
  if (direct.some(isSuccess)) counts.success += 1
  for (const { status } of [...direct, ...behind]) if (status === 500) wrong.push(`run ${run}: 500`)
  let place = 0
  for (const one of edge) {
    const got = behind[place]
    if (got !== undefined && print(got) === print(one)) place += 1
    // A request that Node's parser rejects does not reach the service.
    else if (one.status >= 200 && one.status < 400)
      wrong.push(`run ${run}: HAProxy sent on ${print(one)}, the service got ${got && print(got)}`)
  }
  for (const got of behind.slice(place))
    wrong.push(`run ${run}: the service got ${print(got)}, which HAProxy did not send`)
  for (const [place, one] of direct.entries()) {
    const other = behind[place]
    if (other === undefined || !isSuccess(one) || !isSuccess(other)) continue
    counts.both += 1
    if (print(one) !== print(other))
      wrong.push(`run ${run}: directly ${print(one)}, through HAProxy ${print(other)}`)
  }
}

function isSuccess({ status }: Reading): boolean {
  return status >= 200 && status < 400
}

/** Formats a request as a server read it. */
function print({ method, host, url, length }: Reading): string {
  const name = host.toLowerCase().replace(/:\d*$/, '')
  const path = url.length > URL_SHOWN_MAX ? `(${url.length} characters)` : url
  return `${method} ${name} ${path} ${length === '' ? '0' : length.toLowerCase()}`
}

function readServiceLine(line: string): void {
  if (line.startsWith('{"observed":')) observed.push(JSON.parse(line).observed)
}

/** Reads a log line of HAProxy, which writes unusual bytes as `#` and two digits. */
function readEdgeLine(line: string): void {
  const [address = '', status, server, method = '', length = '', host = '', ...url] = line
    .replaceAll(/#([\dA-F]{2})/g, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    )
    .split('|')
  // HAProxy itself rejected the request.
  if (!isRun(address) || server === '<NOSRV>') return
  const empty = (text: string) => (text === '-' ? '' : text)
  const reading = {
    method,
    host: empty(host),
    url: url.join('|'),
    length: empty(length),
    status: Number(status),
  }
  edgeReadings.set(address, [...(edgeReadings.get(address) ?? []), reading])
}
