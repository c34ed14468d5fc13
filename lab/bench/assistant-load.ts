/**
 * Measures how much the assistant slows down other readers of the same process.
 * Phases with and without load alternate, and the median of their ratios is the result, because
 * other load on the machine varies.
 *
 *   npm run lab bench/assistant-load -- [--streams | --abuse] [--rounds 5] [--answers 200]
 *
 *   streams   answers that start at the same moment: if all get their text, time to first text
 *             beyond the model's, memory per stream, and readers of pages meanwhile
 *   abuse     10,000 questions with 500 tickets on one site: readers and questions of another site
 *
 * On a machine with other load, run it with a high priority (`nice -n -15`): otherwise a busy
 * process waits longer for the CPU than an idle one.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openDatabase } from '../../packages/service/src/platform/database/database.ts'
import { GARDEN, readerOf } from '../../packages/service/testing/assistant-site.ts'
import { builtSite } from '../../packages/service/testing/built-site.ts'
import { type HostedProject, startHosting } from '../../packages/service/testing/start-hosting.ts'
import { clientOf } from '../../packages/service/testing/test-deployment.ts'
import {
  type AskOrder,
  type AskReport,
  MODEL_FIRST_MS,
  MODEL_PIECE_MS,
} from '../parts/assistant/ask-order.ts'
import { startPageReader } from '../parts/assistant/page-reader.ts'
import { median, type Percentiles, percentiles, round } from '../parts/assistant/percentiles.ts'
import { cpuMs } from '../parts/export/cpu-time.ts'

const { values: options } = parseArgs({
  options: {
    streams: { type: 'boolean', default: false },
    abuse: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    answers: { type: 'string', default: '200' },
  },
})
const ROUNDS = Number(options.rounds)
const STREAMS = Number(options.answers)
const TICKETS = 500
const QUESTIONS = 10_000
const QUESTIONS_OF_ROUND = QUESTIONS / 10
const AT_ONCE = 50
const ALONE_MS = 5_000
const BUDGET = 2_000_000
const ABUSE_PIECES = 2
const QUIET_EVERY_MS = 100
const REFUSED_MS = 99_999
let questionCount = 0

const asker = fork(new URL('../parts/assistant/ask-many.ts', import.meta.url), {
  execArgv: ['--no-warnings'],
})
const [{ url: modelUrl }] = (await once(asker, 'message')) as [{ readonly url: string }]
const hosting = await startHosting({
  environment: {
    OCTAVO_ASSISTANT_URL: modelUrl,
    OCTAVO_ASSISTANT_MODEL: 'scripted',
    OCTAVO_ASSISTANT_TOOLS: 'false',
    OCTAVO_ASSISTANT_CONTEXT_TOKENS: '8000',
    OCTAVO_TRUSTED_PROXIES: '127.0.0.1',
    OCTAVO_DATABASE_CONNECTIONS: '20',
    ...(process.env.BENCH_NODE_OPTIONS && { NODE_OPTIONS: process.env.BENCH_NODE_OPTIONS }),
  },
})
try {
  await measure()
} finally {
  await hosting.stop()
  asker.disconnect()
}

async function measure(): Promise<void> {
  const service = await hosting.start('all')
  const built = await builtSite(GARDEN)
  // The command blocks this process, so it runs before there are connections that could time out.
  const [first, second, third] = [
    hosting.createProject('busy'),
    hosting.createProject('quiet'),
    hosting.createProject('streaming'),
  ] as const
  const busy = await deploySite(first)
  const quiet = await deploySite(second)
  const streaming = await deploySite(third)
  hosting.command('assistant', 'set', busy.project, '--tokens-per-day', String(BUDGET))
  const reader = startPageReader({ port: service.port, host: quiet.host })
  await reader.during(() => sleep(2 * ALONE_MS))
  const both = options.streams === options.abuse
  if (both || options.streams) print('streams', await measureStreams())
  if (both || options.abuse) print('abuse', await measureAbuse())
  reader.end()

  async function deploySite(project: HostedProject) {
    const client = clientOf(hosting.url, { publicId: project.projectId, token: project.adminKey })
    const { status } = await client.deploy(built)
    if (status !== 200) throw new Error(`The deployment of ${project.slug} failed: ${status}`)
    return { host: project.host, project: project.projectId }
  }

  async function order(what: AskOrder): Promise<AskReport> {
    asker.send(what)
    const [report] = (await once(asker, 'message')) as [AskReport]
    return report
  }

  async function measureStreams() {
    const rounds = []
    for (let number = 0; number < ROUNDS; number += 1) {
      const alone = await reader.during(() => sleep(ALONE_MS))
      const before = { memory: memoryMb(service.pid()), cpu: cpuMs(service.pid()) }
      const peak = sleep(4_000).then(() => memoryMb(service.pid()))
      const { port } = service
      const load = await reader.during(() =>
        order({ kind: 'streams', port, host: streaming.host, streams: STREAMS, pieces: 20 }),
      )
      const { firsts, statuses, whole } = load.result
      rounds.push({
        statuses,
        whole,
        firstTextBeyondModelMs: percentiles(firsts),
        memoryPerStreamKb: Math.round((((await peak) - before.memory) / STREAMS) * 1_024),
        cpuPerStreamMs: round((cpuMs(service.pid()) - before.cpu) / STREAMS),
        ...compare(alone.pages, load.pages),
      })
      console.error(JSON.stringify(rounds.at(-1)))
    }
    return {
      rounds: ROUNDS,
      medianRatio: median(rounds.map(({ ratio }) => ratio)),
      last: rounds.at(-1),
    }
  }

  /**
   * Asks questions on the quiet site at a fixed rate. Returns the response times in milliseconds
   * without the model's time.
   */
  async function askQuietly(work: Promise<unknown>): Promise<readonly number[]> {
    const site = readerOf(service.port, quiet.host)
    const times: number[] = []
    const asking: Promise<void>[] = []
    let isOver = false
    void work.finally(() => {
      isOver = true
    })
    while (!isOver) {
      questionCount += 1
      const headers = { 'x-forwarded-for': `203.0.${questionCount >> 8}.${questionCount & 255}` }
      const ask = async (question: string) => {
        const { text } = await site.call('GET', '/_octavo/assistant/ticket', { headers })
        const started = performance.now()
        const { ticket } = JSON.parse(text)
        const { status } = await site.ask(question, { headers, ticket })
        // A rejected question counts as a very slow response.
        if (status !== 200) times.push(REFUSED_MS)
        else
          times.push(performance.now() - started - MODEL_FIRST_MS - ABUSE_PIECES * MODEL_PIECE_MS)
      }
      asking.push(ask(`How much compost for tomatoes? ${questionCount}`))
      await sleep(QUIET_EVERY_MS)
    }
    await Promise.all(asking)
    return times
  }

  function askBusily(questions: number): Promise<AskReport> {
    return order({
      kind: 'abuse',
      port: service.port,
      host: busy.host,
      questions,
      atOnce: AT_ONCE,
      tickets: TICKETS,
      pieces: ABUSE_PIECES,
    })
  }

  async function measureAbuse() {
    const statuses: Record<string, number> = {}
    const rounds = []
    let modelAsked = 0
    // The warm-up requests tickets and one full-length answer.
    await askBusily(0)
    for (let number = 0; number < QUESTIONS / QUESTIONS_OF_ROUND; number += 1) {
      const alone = await reader.during(() => askQuietly(sleep(ALONE_MS)))
      const load = await reader.during(async () => {
        const abuse = askBusily(QUESTIONS_OF_ROUND)
        const others = await askQuietly(abuse)
        return { ...(await abuse), others }
      })
      const { result } = load
      for (const [status, count] of Object.entries(result.statuses))
        statuses[status] = (statuses[status] ?? 0) + count
      modelAsked += result.modelAsked
      rounds.push({
        statuses: result.statuses,
        pages: compare(alone.pages, load.pages),
        questions: compare(percentiles(alone.result), percentiles(result.others)),
      })
      console.error(JSON.stringify(rounds.at(-1)))
    }
    return {
      statuses,
      modelAsked,
      budget: { limit: BUDGET, ...(await useOf(busy.project)) },
      medianRatioOfPages: median(rounds.map(({ pages }) => pages.ratio)),
      medianRatioOfQuestions: median(rounds.map(({ questions }) => questions.ratio)),
    }
  }
}

function compare(alone: Percentiles, load: Percentiles) {
  return { alone, load, ratio: round(load.p99 / alone.p99), machineLoad: round(loadavg()[0] ?? 0) }
}

async function useOf(project: string) {
  const owner = openDatabase({ url: hosting.postgres.url, connections: 1 })
  const [use] = await owner.query<{ used: string; reserved: string }>(
    `select sum(used_tokens) as used, sum(reserved_tokens) as reserved from assistant_usage u
       join project p on p.id = u.project_id where p.public_id = $1`,
    [project],
  )
  await owner.end()
  return { used: Number(use?.used), reserved: Number(use?.reserved) }
}

function memoryMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024
}

function print(name: string, facts: object): void {
  process.stdout.write(`${name} ${JSON.stringify(facts, null, 1)}\n`)
}
