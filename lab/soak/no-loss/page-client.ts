import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConversationPage } from '@octavo/contract'

export type PageReply = {
  readonly status: string
  readonly retryAfter: string | undefined
  readonly ms: number
}

export type PageClient = {
  /** Requests one page, with retries while the service is unavailable. */
  readonly get: (query: Readonly<Record<string, string>>) => Promise<ConversationPage>
  /** The number of responses by status or connection error. */
  readonly statuses: ReadonlyMap<string, number>
  readonly close: () => void
}

const RETRY_PAUSE_MS = 100
/** The time for which a request is retried. It is longer than the database takes to recover. */
const GIVE_UP_MS = 120_000
const REQUEST_MS_MAX = 30_000

type Fetched = {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly body: string
}

export function createPageClient(target: {
  readonly exportUrl: string
  readonly token: string
  /**
   * Called for every request with its duration, and with the status or the code of the connection
   * error.
   */
  readonly onReply?: (reply: PageReply) => void
}): PageClient {
  const agent = new Agent({ keepAlive: true })
  const statuses = new Map<string, number>()

  function fetchOnce(url: string): Promise<Fetched> {
    const headers = { authorization: `Bearer ${target.token}` }
    return new Promise((resolve, reject) => {
      const sent = request(url, { agent, headers, timeout: REQUEST_MS_MAX }, (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('error', reject)
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            retryAfter: response.headers['retry-after'],
            body: Buffer.concat(parts).toString('utf8'),
          })
        })
      })
      sent.on('timeout', () => sent.destroy(new Error('no answer in time')))
      sent.on('error', reject)
      sent.end()
    })
  }

  return {
    statuses,
    close: () => agent.destroy(),
    async get(query) {
      const url = `${target.exportUrl}?${new URLSearchParams(query)}`
      const started = performance.now()
      for (;;) {
        const begun = performance.now()
        const reply = await fetchOnce(url).catch((error: NodeJS.ErrnoException) => error)
        const status = reply instanceof Error ? (reply.code ?? reply.message) : `${reply.status}`
        const retryAfter = reply instanceof Error ? undefined : reply.retryAfter
        target.onReply?.({ status, retryAfter, ms: performance.now() - begun })
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (!(reply instanceof Error)) {
          if (reply.status === 200) return JSON.parse(reply.body) as ConversationPage
          if (reply.status < 500) throw new Error(`${url}: ${reply.status} ${reply.body}`)
        }
        if (performance.now() - started > GIVE_UP_MS) throw new Error(`${url}: ${status}, again`)
        await sleep(RETRY_PAUSE_MS)
      }
    },
  }
}
