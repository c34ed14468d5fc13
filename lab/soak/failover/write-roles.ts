/**
 * Clients that write: readers who ask questions, processes that publish conversations, and an owner
 * who changes settings. Each records the acknowledged writes.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ConversationStore } from '../../../packages/service/src/answers/conversations/store.ts'
import type { Database, Tenant } from '../../../packages/service/src/platform/database/database.ts'
import { withTimeout } from '../../../packages/service/src/platform/with-timeout.ts'
import {
  outcomeOf,
  partsOf,
  type Reply,
  readerOf,
} from '../../../packages/service/testing/assistant-site.ts'
import type { HostedProject } from '../../../packages/service/testing/start-hosting.ts'
import { createRoleLog, type RoleLog } from './role-log.ts'

/**
 * Stops all roles once `isOver` is true. `pace` multiplies the pauses between requests; 1 is the
 * pace of the failover soak.
 */
export type Stop = { isOver: boolean; readonly pace: number }

/** The acknowledged conversations: the text of the question by id. */
export type Acknowledged = Map<string, string>

const ASK_PAUSE_MS = 400
const QUESTIONS_PER_TICKET = 20
/**
 * The number of questions per client address. It is below the limit of 60 tickets per hour, because
 * attempts count even without a leader.
 */
const ASKED_OF_ADDRESS = 40
const WRITE_PAUSE_MS = 25
const RETRY_PAUSE_MS = 200
const OWNER_PAUSE_MS = 100
/** The time after which a request counts as hanging: longer than any timeout of the service. */
const TIMEOUT_MS = 45_000

export type RunningRole = {
  readonly log: RoleLog
  readonly wrong: readonly string[]
  readonly done: Promise<unknown>
}

/**
 * Starts readers who ask the assistant of a site. An answer is acknowledged when its stream reports
 * the end.
 */
export function askQuestions(
  stop: Stop,
  ports: readonly number[],
  { project, acknowledged }: { project: HostedProject; acknowledged: Acknowledged },
): RunningRole {
  const log = createRoleLog('questions')
  const wrong: string[] = []

  async function ask(port: number, client: number): Promise<void> {
    const site = readerOf(port, project.host)
    let ticket = ''
    let left = 0
    for (let number = 0; !stop.isOver; number += 1) {
      const address = Math.floor(number / ASKED_OF_ADDRESS) % 250
      const headers = { 'x-forwarded-for': `192.0.${client}.${address}` }
      const text = `How do I turn on the hose? ${client} ${number}`
      const begun = performance.now()
      try {
        if (left === 0) {
          const reply = await site.call('GET', '/_octavo/assistant/ticket', { headers })
          ticket = reply.status === 200 ? JSON.parse(reply.text).ticket : ''
          if (ticket === '') refuse(reply, performance.now() - begun)
          left = ticket === '' ? 0 : QUESTIONS_PER_TICKET
        }
        if (left > 0) {
          left -= 1
          record(text, await withTimeout(site.ask(text, { ticket, headers }), TIMEOUT_MS), begun)
        }
      } catch (error) {
        log.fail(String(error), performance.now() - begun)
      }
      await sleep(ASK_PAUSE_MS * stop.pace)
    }
  }

  const refuse = ({ status, headers }: Reply, ms: number) =>
    log.refuse({ status, retryAfter: headers['retry-after'] }, ms)

  function record(text: string, reply: Reply, begun: number): void {
    const ms = performance.now() - begun
    if (reply.status !== 200) {
      refuse(reply, ms)
      return
    }
    const types = partsOf(reply).map(({ type }) => type)
    const id = outcomeOf(reply)?.conversation?.id
    if (types.includes('finish') && typeof id === 'string') {
      if (acknowledged.has(id)) wrong.push(`${id} was given to two questions`)
      acknowledged.set(id, text)
      log.succeed(ms)
    } else
      log.fail(types.includes('error') ? INTERRUPTED : `stream ended after ${types.at(-1)}`, ms)
  }
  return { log, wrong, done: Promise.all(ports.map(ask)) }
}

/** The outcome if the stream reports an interruption, after which the reader can ask again. */
export const INTERRUPTED = 'told of an interruption'

/** Publishes conversations with the product's SQL, over its own connections. */
export function publishConversations(
  stop: Stop,
  { database, tenant }: { readonly database: Database; readonly tenant: Tenant },
  { writers, acknowledged }: { readonly writers: number; readonly acknowledged: Acknowledged },
): RunningRole {
  const log = createRoleLog('conversations')
  const conversations = new ConversationStore(database.forProject(tenant))
  const wrong: string[] = []

  async function write(_: unknown, writer: number): Promise<void> {
    for (let number = 0; !stop.isOver; number += 1) {
      const text = `turn ${writer}-${number}`
      let accepted: string | undefined
      for (let isStored = false; !isStored && !stop.isOver; ) {
        const begun = performance.now()
        try {
          accepted ??= await conversations.accept({ query: text })
          const id = await conversations.publish(accepted, {
            response: 'Yes.',
            sources: [],
            resolutionStatus: 'answered',
          })
          // Another process has already published it, so there is nothing to acknowledge.
          if (id !== undefined) acknowledged.set(id, text)
          isStored = true
          log.succeed(performance.now() - begun)
        } catch (error) {
          log.fail(kindOf(error), performance.now() - begun)
          await sleep(RETRY_PAUSE_MS)
        }
      }
      await sleep(WRITE_PAUSE_MS * stop.pace)
    }
  }
  return { log, wrong, done: Promise.all(Array.from({ length: writers }, write)) }
}

/**
 * Starts an owner who changes settings and reads them back immediately. An older value than the
 * acknowledged one would come from a former leader.
 */
export function changeSettings(stop: Stop, url: string, project: HostedProject): RunningRole {
  const log = createRoleLog('owner')
  const wrong: string[] = []
  const address = `${url}/v1/projects/${project.projectId}/settings`
  const headers = {
    authorization: `Bearer ${project.adminKey}`,
    'content-type': 'application/json',
  }

  async function call(body?: object): Promise<{ readonly name: string } | undefined> {
    const begun = performance.now()
    try {
      const response = await fetch(address, {
        method: body === undefined ? 'GET' : 'PUT',
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      const text = await response.text()
      const ms = performance.now() - begun
      if (response.ok) {
        log.succeed(ms)
        return JSON.parse(text)
      }
      log.refuse({ status: response.status, retryAfter: response.headers.get('retry-after') }, ms)
    } catch (error) {
      log.fail(String(error), performance.now() - begun)
    }
    return undefined
  }

  async function change(): Promise<void> {
    let stored = 0
    for (let number = 1; !stop.isOver; number += 1) {
      if ((await call({ name: `Plants ${number}` })) !== undefined) stored = number
      const read = await call()
      const seen = Number(read?.name.split(' ')[1])
      // A change whose response was lost may or may not have been stored.
      if (read !== undefined && stored > 0 && !(seen >= stored && seen <= number))
        wrong.push(`the owner stored ${stored} and read ${read.name}`)
      await sleep(OWNER_PAUSE_MS * stop.pace)
    }
  }
  return { log, wrong, done: change() }
}

function kindOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
  return `${error instanceof Error ? error.message : error}${code}`.replace(/\d{4,}/g, '…')
}
