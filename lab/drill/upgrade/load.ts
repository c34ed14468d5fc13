/**
 * Generates client load during an upgrade. The clients export whole projects page by page and as a
 * stream, record conversations, send the same ones again, and delete some. Failed requests are not
 * retried, because each failure counts.
 */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export type DrillProject = {
  readonly projectId: string
  readonly adminKey: string
  /** The ids that an export must return if it starts now. */
  readonly ids: Set<string>
}

type Phase = 'old alone' | 'migrating' | 'old on new schema' | 'side by side' | 'new alone'
type PhaseResult = { requests: number; longestMs: number }

export type LoadResult = {
  readonly phases: ReadonlyMap<Phase, PhaseResult>
  readonly failures: readonly string[]
  /** Exports that missed, repeated or reordered a row. */
  readonly wrongExports: readonly string[]
  readonly exports: number
  /**
   * The number of exports that started before the migration and got their last page from the new
   * version.
   */
  readonly exportsAcross: number
  readonly recorded: number
  readonly deleted: number
}

export type Load = {
  readonly setTargets: (...urls: readonly string[]) => void
  readonly setPhase: (phase: Phase) => void
  /** Stops the load; resolves when all running exports have reached their last page. */
  readonly stop: () => Promise<LoadResult>
}

type Reply = { readonly status: number; readonly body: string }
type Call = {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}
type Page = {
  readonly conversations: readonly { readonly id: string }[]
  readonly nextCursor: string | null
}

const REQUEST_MS_MAX = 30_000
const QUICK = { pages: 10, pauseMs: 20 }
/** An export that takes longer than the upgrade, like that of a slow client. */
const SLOW = { pages: 100, pauseMs: 1_000 }
const LIMIT_MAX = 1_000
const NDJSON = 'application/x-ndjson'
/** The pause keeps the load below the hourly import limit, even in a drill of several minutes. */
const RECORD_PAUSE_MS = 150
const RECORDED_AT_ONCE = 5
const DELETE_EVERY = 5

export function startLoad(projects: readonly DrillProject[], keepAlive: boolean): Load {
  const agent = new Agent({ keepAlive })
  const phases = new Map<Phase, PhaseResult>()
  const failures: string[] = []
  const wrongExports: string[] = []
  const counts = { exports: 0, exportsAcross: 0, recorded: 0, deleted: 0 }
  let targets: readonly string[] = []
  let turn = 0
  let phase: Phase = 'old alone'
  let isOver = false

  async function call(project: DrillProject, call: Call): Promise<Reply | undefined> {
    turn += 1
    const target = targets[turn % targets.length] ?? ''
    const url = `${target}/v1/analytics/${project.projectId}/assistant${call.path ?? ''}`
    const began = { phase, at: performance.now() }
    const reply = await send(agent, url, project.adminKey, call).catch((error: Error) => error)
    // A request that spans two phases is counted in the first one, but its time counts in both.
    for (const one of new Set([began.phase, phase])) {
      const result = phases.get(one) ?? { requests: 0, longestMs: 0 }
      const longestMs = Math.max(result.longestMs, performance.now() - began.at)
      const requests = result.requests + (one === began.phase ? 1 : 0)
      phases.set(one, { requests, longestMs })
    }
    if (!(reply instanceof Error) && reply.status < 300) return reply
    const text = reply instanceof Error ? reply.message : `${reply.status} ${reply.body}`
    failures.push(`${began.phase}: ${call.method ?? 'GET'} ${url}: ${text}`)
    return undefined
  }

  function checkExport(project: DrillProject, expected: readonly string[], got: readonly string[]) {
    counts.exports += 1
    const report = (text: string) => wrongExports.push(`${phase}: ${project.projectId} ${text}`)
    for (const [index, id] of got.entries())
      if (index > 0 && id <= (got[index - 1] ?? '')) report(`gives ${id} twice or too late`)
    const set = new Set(got)
    // Rows that were deleted in the meantime may be missing.
    const missing = expected.filter((id) => !set.has(id) && project.ids.has(id))
    if (missing.length > 0) report(`lacks ${missing.length} rows, such as ${missing[0]}`)
  }

  async function exportPages(project: DrillProject, { pages, pauseMs }: typeof QUICK) {
    const expected = [...project.ids]
    const limit = String(Math.min(LIMIT_MAX, Math.ceil(expected.length / pages)))
    const firstPhase = phase
    const got: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const query = new URLSearchParams(cursor === '' ? { limit } : { limit, cursor })
      const reply = await call(project, { path: `?${query}` })
      if (reply === undefined) return
      const page = JSON.parse(reply.body) as Page
      got.push(...page.conversations.map(({ id }) => id))
      cursor = page.nextCursor
      await sleep(phase === 'new alone' ? QUICK.pauseMs : pauseMs)
    }
    checkExport(project, expected, got)
    if (firstPhase === 'old alone' && phase === 'new alone') counts.exportsAcross += 1
  }

  async function exportStream(project: DrillProject) {
    const expected = [...project.ids]
    const reply = await call(project, { headers: { accept: NDJSON } })
    if (reply === undefined) return
    const got = reply.body
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id)
    checkExport(project, expected, got)
  }

  async function record(project: DrillProject, number: number) {
    const conversations = Array.from({ length: RECORDED_AT_ONCE }, (_, index) => ({
      questionId: `drill-${number}-${index}`,
      query: `What does question ${number} ask?`,
      response: 'What the drill asks.',
      sources: [],
      resolutionStatus: index % 2 === 0 ? 'answered' : 'unanswered',
    }))
    const send = async () => {
      const reply = await call(project, { method: 'POST', body: { conversations } })
      return reply && (JSON.parse(reply.body) as { ids: string[] }).ids
    }
    const ids = await send()
    if (ids === undefined) return
    for (const id of ids) project.ids.add(id)
    counts.recorded += ids.length
    // The same conversations are sent again. If two versions are running, each must return the same
    // ids as the other.
    const again = await send()
    if (again !== undefined && again.join() !== ids.join())
      failures.push(`${phase}: the same conversations got other ids`)
    const [first = ''] = ids
    if (number % DELETE_EVERY !== 0) return
    project.ids.delete(first)
    if (await call(project, { method: 'DELETE', path: `/${first}` })) counts.deleted += 1
  }

  async function repeat(work: (round: number) => Promise<unknown>, pauseMs = 0) {
    for (let round = 0; !isOver; round += 1) {
      await work(round)
      await sleep(pauseMs)
    }
  }
  const projectOf = (number: number) => projects[number % projects.length] ?? projects[0]
  let recordings = 0
  const withProject = (number: number, work: (project: DrillProject) => Promise<unknown>) => {
    const project = projectOf(number)
    return project === undefined ? Promise.resolve() : work(project)
  }

  let running: Promise<unknown> | undefined
  const start = () =>
    Promise.all([
      ...projects.map((project) => repeat(() => exportPages(project, SLOW))),
      repeat((round) => withProject(round, (project) => exportPages(project, QUICK))),
      repeat((round) => withProject(round, exportStream), 500),
      repeat(
        (round) => withProject(round, (project) => call(project, { path: '/backfills' })),
        100,
      ),
      ...[0, 1].map(() =>
        repeat(() => {
          const number = recordings++
          return withProject(number, (project) => record(project, number))
        }, RECORD_PAUSE_MS),
      ),
    ])

  return {
    setTargets(...urls) {
      targets = urls
      running ??= start()
    },
    setPhase(next) {
      phase = next
    },
    async stop() {
      isOver = true
      await running
      agent.destroy()
      return {
        phases,
        failures,
        wrongExports,
        ...counts,
      }
    },
  }
}

function send(agent: Agent, url: string, key: string, call: Call): Promise<Reply> {
  const text = call.body === undefined ? undefined : JSON.stringify(call.body)
  const headers = {
    authorization: `Bearer ${key}`,
    ...(text !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
    }),
    ...call.headers,
  }
  const method = call.method ?? 'GET'
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method, headers, timeout: REQUEST_MS_MAX }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () => {
        const body = Buffer.concat(parts).toString('utf8')
        resolve({ status: response.statusCode ?? 0, body })
      })
    })
    sent.on('timeout', () => sent.destroy(new Error('no answer in time')))
    sent.on('error', reject)
    sent.end(text)
  })
}
