/**
 * Client load during a fault: records conversations, exports them and reads pages. It tracks what
 * was acknowledged, how long responses took, and which error responses were not acceptable.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type {
  HostedProject,
  Hosting,
  ServiceProcess,
} from '../../../packages/service/testing/start-hosting.ts'
import { clientOf, siteOf, visit } from '../../../packages/service/testing/test-deployment.ts'

/**
 * The time after which a response counts as hanging. The service limits a query to 20 s, and a
 * request may need two queries.
 */
const REPLY_MS_MAX = 45_000
const RECOVERY_MS_MAX = 45_000
const PAUSE_MS = 30
/** The pause between imports, since a key may import only 1,200 times per hour. */
const RECORD_PAUSE_MS = 300
const PAGE_LIMIT = 1_000

export type Outcome = { readonly status: number; readonly retryAfter: string | null }

export type Phase = {
  readonly name: string
  readonly requests: number
  readonly statuses: ReadonlyMap<string, number>
  readonly longestMs: number
}

export type Workload = Awaited<ReturnType<typeof startWorkload>>

export async function startWorkload(
  hosting: Hosting,
  service: ServiceProcess,
  project: HostedProject,
) {
  const { projectId, adminKey } = project
  const wrong: string[] = []
  const acknowledged = new Map<string, string>()
  const pid = service.pid()
  const path = `${hosting.url}/v1/analytics/${projectId}/assistant`
  const headers = { authorization: `Bearer ${adminKey}` }
  let total = 0
  let count = 0
  let responseBytes = 20
  const client = clientOf(hosting.url, { publicId: projectId, token: adminKey })
  const deployed = await client.deploy(
    siteOf({ 'index.html': '<!doctype html><title>Plants</title>' }),
  )
  if (deployed.body.state !== 'live') throw new Error(`The deployment is ${deployed.status}.`)

  const send = async (more: RequestInit = {}, search = ''): Promise<Outcome & { text: string }> => {
    const response = await fetch(path + search, {
      ...more,
      headers: { ...headers, ...more.headers },
      signal: AbortSignal.timeout(REPLY_MS_MAX),
    })
    const text = await response.text()
    return { status: response.status, retryAfter: response.headers.get('retry-after'), text }
  }

  async function record(): Promise<Outcome> {
    count += 1
    const questionId = `turn-${count}`
    const conversation = {
      questionId,
      query: `Question ${count}`,
      response: randomBytes(responseBytes).toString('base64'),
      sources: [],
      resolutionStatus: 'answered',
    }
    const reply = await send({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ conversations: [conversation] }),
    })
    if (reply.status === 200 || reply.status === 201)
      acknowledged.set(questionId, JSON.parse(reply.text).ids[0])
    return reply
  }

  const readPage = async (): Promise<Outcome> => {
    const reply = await visit(service.port, project.host, '/', { timeoutMs: REPLY_MS_MAX })
    return { status: reply.status, retryAfter: String(reply.headers['retry-after'] ?? '') || null }
  }

  const acts: Readonly<Record<string, () => Promise<Outcome>>> = {
    record,
    export: () => send({}, '?limit=10'),
    page: readPage,
  }

  /** Runs all actions for some time, and checks each response: 2xx, or 503 with Retry-After. */
  async function run(
    name: string,
    seconds: number,
    options: {
      readonly mustServe?: readonly string[]
      /** Actions that must fail at least once, because otherwise the fault had no effect. */
      readonly mustRefuse?: readonly string[]
    } = {},
  ): Promise<Phase> {
    const statuses = new Map<string, number>()
    const end = performance.now() + seconds * 1_000
    let requests = 0
    let longestMs = 0
    await Promise.all(
      Object.entries(acts).flatMap(([act, work]) =>
        Array.from({ length: 3 }, async () => {
          while (performance.now() < end) {
            const begun = performance.now()
            const outcome = await work().catch((error: unknown) => error)
            const ms = performance.now() - begun
            longestMs = Math.max(longestMs, ms)
            requests += 1
            judge(act, outcome, `${name}, ${Math.round(ms)} ms`)
            await sleep(act === 'record' ? RECORD_PAUSE_MS : PAUSE_MS)
          }
        }),
      ),
    )
    total += requests
    for (const act of options.mustRefuse ?? [])
      if (!statuses.has(`${act} 503`)) wrong.push(`${name}: ${act} was never refused`)
    function judge(act: string, outcome: unknown, where: string): void {
      const isReply = typeof outcome === 'object' && outcome !== null && 'status' in outcome
      const { status, retryAfter } = isReply
        ? (outcome as Outcome)
        : { status: 0, retryAfter: null }
      const key = `${act} ${status}`
      statuses.set(key, (statuses.get(key) ?? 0) + 1)
      if (status >= 200 && status < 300) return
      if (options.mustServe?.includes(act) === true) wrong.push(`${where}: ${key} instead of 2xx`)
      else if (status === 0) wrong.push(`${where}: ${act} got no reply: ${outcome}`)
      else if (status !== 503) wrong.push(`${where}: ${key} instead of 503`)
      else if (retryAfter === null) wrong.push(`${where}: ${key} without Retry-After`)
    }
    return print({ name, requests, statuses, longestMs })
  }

  /** Measures the time until everything works again without a restart. */
  async function recover(name: string): Promise<void> {
    const begun = performance.now()
    for (;;) {
      const outcomes = await Promise.all(
        Object.values(acts).map((work) => work().catch(() => undefined)),
      )
      if (outcomes.every((one) => one !== undefined && one.status < 300)) break
      if (performance.now() - begun > RECOVERY_MS_MAX) {
        wrong.push(`${name}: did not recover`)
        return
      }
      await sleep(100)
    }
    console.log(`  recovered after ${((performance.now() - begun) / 1_000).toFixed(1)} s`)
    if (service.pid() !== pid) wrong.push(`${name}: the process is another one`)
  }

  /** Checks that every acknowledged conversation is in the export exactly once. */
  async function checkNothingLost(): Promise<void> {
    const seen = new Map<string, number>()
    let cursor: string | null = ''
    while (cursor !== null) {
      const search: string = `?limit=${PAGE_LIMIT}${cursor === '' ? '' : `&cursor=${cursor}`}`
      const { status, text } = await send({}, search)
      if (status !== 200) throw new Error(`The export ended with ${status}.`)
      const page: { conversations: { id: string }[]; nextCursor: string | null } = JSON.parse(text)
      for (const { id } of page.conversations) seen.set(id, (seen.get(id) ?? 0) + 1)
      cursor = page.nextCursor
    }
    const lost = [...acknowledged.values()].filter((id) => seen.get(id) !== 1)
    if (lost.length > 0) wrong.push(`${lost.length} acknowledged conversations are lost or doubled`)
    console.log(`  ${acknowledged.size} acknowledged conversations, ${lost.length} lost`)
  }

  return {
    run,
    recover,
    /**
     * Sets the size of each recorded conversation. It contains random bytes, which the database
     * cannot compress.
     */
    setResponseBytes: (bytes: number) => {
      responseBytes = bytes
    },
    checkNothingLost,
    wrong,
    client,
    total: () => total,
    acknowledged: () => acknowledged.size,
  }
}

function print(phase: Phase): Phase {
  const list = [...phase.statuses].toSorted().map(([key, number]) => `${key} × ${number}`)
  console.log(
    `  ${phase.name}: ${phase.requests} requests, longest ${(phase.longestMs / 1_000).toFixed(1)} s; ${list.join(', ')}`,
  )
  return phase
}
