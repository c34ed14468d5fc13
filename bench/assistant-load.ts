/**
 * `npm run bench:assistant`: what the assistant costs others in the same process.
 *   streams   200 answers at once: time to first byte beyond the provider's, memory per stream, and
 *             readers of pages meanwhile
 *   abuse     10,000 questions with 500 tickets on one site: readers and questions of another site
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { openDatabase } from '../packages/service/src/database/database.ts'
import { GARDEN, readerOf } from '../packages/service/src/testing/assistant-site.ts'
import { builtSite } from '../packages/service/src/testing/built-site.ts'
import {
  DONE,
  finish,
  piece,
  startModelServer,
  startStream,
  usage,
} from '../packages/service/src/testing/model-server.ts'
import { clientOf } from '../packages/service/src/testing/test-deployment.ts'
import { startHosting } from '../scripts/start-hosting.ts'

const STREAMS = 200
const TICKETS = 500
const QUESTIONS = 10_000
const AT_ONCE = 50
const QUESTIONS_PER_TICKET = 20
const PROVIDER_MS = 300
const PIECE_MS = 250
const BUDGET = 2_000_000

let pieces = 20
let answered = 0
const model = await startModelServer()
model.behave(async (response) => {
  await sleep(PROVIDER_MS)
  startStream(response, piece('Use `hose on` [1]. '))
  for (let count = 0; count < pieces && !response.destroyed; count += 1) {
    await sleep(PIECE_MS)
    startStream(response, piece(`More ${count}. `))
  }
  answered += 1
  startStream(response, piece('\n{"answered": true, "sources": [1]}'), finish(), usage(900), DONE)
  response.end()
})
const hosting = await startHosting({
  environment: {
    OCTAVO_ASSISTANT_URL: model.url,
    OCTAVO_ASSISTANT_MODEL: 'scripted',
    OCTAVO_ASSISTANT_TOOLS: 'false',
    OCTAVO_ASSISTANT_CONTEXT_TOKENS: '8000',
    OCTAVO_TRUSTED_PROXIES: '127.0.0.1',
    OCTAVO_DATABASE_CONNECTIONS: '20',
  },
})
const owner = openDatabase({ url: hosting.postgres.url, connections: 2 })
try {
  await measure()
} finally {
  await owner.end()
  await hosting.stop()
  model.stop()
}

async function measure(): Promise<void> {
  const service = await hosting.start('all')
  const site = await builtSite(GARDEN)
  const [busy, quiet] = await Promise.all(['busy', 'quiet'].map((slug) => newSite(slug)))
  if (busy === undefined || quiet === undefined) throw new Error('no sites')
  hosting.command('assistant', 'set', busy.project, '--tokens-per-day', String(BUDGET))

  async function newSite(slug: string) {
    const project = hosting.createProject(slug)
    const client = clientOf(hosting.url, { publicId: project.projectId, token: project.adminKey })
    const { status } = await client.deploy(site)
    if (status !== 200) throw new Error(`The deployment of ${slug} failed: ${status}`)
    return {
      ...readerOf(service.port, project.host),
      host: project.host,
      project: project.projectId,
    }
  }

  const ticketFrom = async (from: typeof busy, address: string) => {
    const headers = { 'x-forwarded-for': address }
    const { text } = await from.call('GET', '/_octavo/assistant/ticket', { headers })
    return { ticket: JSON.parse(text).ticket as string, headers }
  }
  const memoryMb = () => {
    const status = readFileSync(`/proc/${service.pid()}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024
  }

  /** Reads a page of the quiet site, again and again, until the work is done; in a thread of its own. */
  async function pagesWhile(work: Promise<unknown>) {
    const workerData = { port: service.port, host: quiet?.host }
    const file = new URL('./assistant/read-pages.ts', import.meta.url)
    const worker = new Worker(file, { workerData, execArgv: ['--no-warnings'] })
    await work
    worker.postMessage('stop')
    const [times] = (await once(worker, 'message')) as [number[]]
    return percentiles(times)
  }

  await pagesWhile(sleep(2_000))
  const alone = await pagesWhile(sleep(8_000))

  const before = memoryMb()
  const firsts: number[] = []
  const streams = Promise.all(
    Array.from({ length: STREAMS / QUESTIONS_PER_TICKET }, async (_, group) => {
      const options = await ticketFrom(quiet, `192.0.2.${group + 1}`)
      await Promise.all(
        Array.from({ length: QUESTIONS_PER_TICKET }, async (_, index) => {
          const started = performance.now()
          const { response } = await quiet.begin(
            `How do I turn on the hose? ${group} ${index}`,
            options,
          )
          let isFirst = true
          for await (const data of response) {
            if (!isFirst || !String(data).includes('text-delta')) continue
            isFirst = false
            firsts.push(performance.now() - started - PROVIDER_MS)
          }
        }),
      )
    }),
  )
  const peak = sleep(4_000).then(memoryMb)
  const duringStreams = await pagesWhile(streams)
  const perStreamKb = Math.round((((await peak) - before) / STREAMS) * 1_024)

  pieces = 2
  answered = 0
  const statuses = new Map<number, number>()
  const others: number[] = []
  const abuse = (async () => {
    const tickets: Awaited<ReturnType<typeof ticketFrom>>[] = []
    for (let count = 0; count < TICKETS; count += 1)
      tickets.push(await ticketFrom(busy, `198.51.${count >> 8}.${count & 255}`))
    let next = 0
    const send = async () => {
      for (; next < QUESTIONS; ) {
        const number = next
        next += 1
        const options = tickets[number % TICKETS]
        const { status } = await busy.ask(`How do I turn on the hose? ${number}`, options)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, send))
  })()
  let isAbuseOver = false
  void abuse.finally(() => {
    isAbuseOver = true
  })
  const asking = (async () => {
    for (let count = 0; !isAbuseOver; count += 1) {
      const options = await ticketFrom(quiet, `203.0.113.${count % 250}`)
      const started = performance.now()
      await quiet.ask(`How much compost for tomatoes? ${count}`, options)
      others.push(performance.now() - started - PROVIDER_MS - pieces * PIECE_MS)
      await sleep(200)
    }
  })()
  const duringAbuse = await pagesWhile(abuse)
  await asking
  const [use] = await owner.query<{ used: string; reserved: string }>(
    `select sum(used_tokens) as used, sum(reserved_tokens) as reserved from assistant_use u
       join project p on p.id = u.project_id where p.public_id = $1`,
    [busy.project],
  )
  const facts = {
    pagesAlone: alone,
    streams: STREAMS,
    firstTextBeyondProviderMs: percentiles(firsts),
    memoryPerStreamKb: perStreamKb,
    pagesDuringStreams: duringStreams,
    abuse: { questions: QUESTIONS, tickets: TICKETS, statuses: Object.fromEntries(statuses) },
    providerAsked: answered,
    budget: { limit: BUDGET, used: Number(use?.used), reserved: Number(use?.reserved) },
    pagesDuringAbuse: duringAbuse,
    questionsOfOtherSiteBeyondProviderMs: percentiles(others),
  }
  process.stdout.write(`${JSON.stringify(facts, null, 1)}\n`)
}

function percentiles(times: readonly number[]) {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) =>
    Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10
  return { count: times.length, p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}
