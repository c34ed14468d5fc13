/**
 * Writes conversations through the edge. Each writer retries a turn until it is accepted, and
 * records how long a project rejected it. If a response is lost, the turn is sent again with the
 * same name, which is idempotent.
 */
import { setTimeout as sleep } from 'node:timers/promises'

export type WrittenProject = { readonly projectId: string; readonly adminKey: string }

const RETRY_MS = 50
const ERRORS_MAX = 20
const REFUSED = 503
const LIMITED = 429

export function startEdgeWriters(options: {
  readonly port: number
  readonly projects: readonly WrittenProject[]
  readonly count: number
  readonly pauseMs: number
}) {
  const { port, projects, count, pauseMs } = options
  /** The names of the turns that each project has accepted. */
  const accepted = new Map<string, string[]>()
  /** The longest time for which a turn was rejected, by project. */
  const refusedMs = new Map<string, number>()
  const errors: string[] = []
  let refusals = 0
  let withoutHint = 0
  let isOver = false

  async function send({ projectId, adminKey }: WrittenProject, questionId: string): Promise<void> {
    let firstRefusal: number | undefined
    for (;;) {
      const reply = await post(port, { projectId, adminKey, questionId }).catch(
        (error: Error) => error,
      )
      if (reply instanceof Error) {
        if (errors.length < ERRORS_MAX) errors.push(`${projectId}: ${reply.message}`)
      } else if (reply.status === 200 || reply.status === 201) {
        const names = accepted.get(projectId) ?? []
        accepted.set(projectId, [...names, questionId])
        if (firstRefusal !== undefined)
          refusedMs.set(
            projectId,
            Math.max(refusedMs.get(projectId) ?? 0, performance.now() - firstRefusal),
          )
        return
      } else if (reply.status === REFUSED) {
        refusals += 1
        if (reply.headers.get('retry-after') === null) withoutHint += 1
        firstRefusal ??= performance.now()
      } else if (reply.status === LIMITED) return
      else if (errors.length < ERRORS_MAX)
        errors.push(`${projectId}: ${reply.status} ${(await reply.text()).slice(0, 200)}`)
      await sleep(RETRY_MS)
    }
  }

  async function write(writer: number): Promise<void> {
    for (let index = writer; !isOver; index += count) {
      const project = projects[index % projects.length]
      if (project === undefined) return
      await send(project, `turn-${index}`)
      await sleep(pauseMs)
    }
  }

  const all = Promise.all(Array.from({ length: count }, (_, writer) => write(writer)))
  return {
    /**
     * Sends a turn to one project until it is accepted, and records how long the project rejects
     * it.
     */
    probe: (project: WrittenProject, name: string) => send(project, name),
    stop: async () => {
      isOver = true
      await all
      return { accepted, refusedMs, refusals, withoutHint, errors }
    },
  }
}

function post(
  port: number,
  { projectId, adminKey, questionId }: WrittenProject & { readonly questionId: string },
): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}/v1/analytics/${projectId}/assistant`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      conversations: [
        { questionId, query: questionId, response: 'r', sources: [], resolutionStatus: 'answered' },
      ],
    }),
  })
}
