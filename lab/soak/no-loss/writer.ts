/**
 * A process that the fleet starts, with several writers. It publishes turn after turn as the
 * product does, and prints a turn only after the database has acknowledged it. It ends when its
 * input ends.
 */
import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConversationStore } from '../../../packages/service/src/answers/conversations/store.ts'
import {
  openDatabase,
  type Tenant,
} from '../../../packages/service/src/platform/database/database.ts'

export type WriterTask = {
  readonly databaseUrl: string
  readonly tenant: Tenant
  /**
   * Other projects that are written to now and then, so that the project under test is not alone.
   */
  readonly noiseTenants: readonly Tenant[]
  /** The writers, each with its first unacknowledged turn. */
  readonly writers: readonly {
    readonly name: string
    readonly next: number
    /** The id of the first turn, if it was accepted. */
    readonly accepted: string | undefined
  }[]
  /** The number of times that this process was started. */
  readonly generation: number
  readonly answerBytes: number
  readonly niceness: number
}

/** The maximum number of attempts. It is enough for a database that takes a minute to recover. */
const ATTEMPTS_MAX = 600
const RETRY_MS_MAX = 200
const NOISE_PAUSE_MS = 50

async function main(task: WriterTask): Promise<void> {
  setPriority(task.niceness)
  const database = openDatabase({
    url: task.databaseUrl,
    connections: task.writers.length + 1,
  })
  const answer = 'a'.repeat(task.answerBytes)
  const started = `${process.pid}-${Date.now()}`
  let isStopping = false
  process.stdin.on('end', () => {
    isStopping = true
  })
  process.stdin.resume()

  async function publish(tenant: Tenant, questionId: string, before?: string): Promise<void> {
    const conversations = new ConversationStore(database.forProject(tenant))
    const isTested = tenant.projectId === task.tenant.projectId
    let accepted = before
    for (let tried = 1; tried <= ATTEMPTS_MAX; tried += 1) {
      const attempt = `${task.generation}.${tried}`
      try {
        if (accepted === undefined) {
          accepted = await conversations.accept({ query: questionId })
          if (isTested) print(`accepted ${questionId} ${accepted}`)
        }
        const id = await conversations.publish(accepted, {
          response: `${attempt} ${answer}`,
          sources: [],
          resolutionStatus: 'answered',
        })
        if (isTested) print(`ack ${questionId} ${id} ${attempt}`)
        return
      } catch (error) {
        print(`error ${describe(error)}`)
        await sleep(Math.random() * RETRY_MS_MAX)
      }
    }
    throw new Error(`turn ${questionId} could not be published in ${ATTEMPTS_MAX} tries`)
  }
  async function writeTurns({
    name,
    next,
    accepted,
  }: WriterTask['writers'][number]): Promise<void> {
    for (let number = next; !isStopping; number += 1) {
      await publish(task.tenant, `${name}-${number}`, number === next ? accepted : undefined)
    }
  }
  async function writeNoise(): Promise<void> {
    for (let number = 0; !isStopping && task.noiseTenants.length > 0; number += 1) {
      const tenant = task.noiseTenants[number % task.noiseTenants.length] ?? task.tenant
      await publish(tenant, `noise-${started}-${number}`)
      await sleep(NOISE_PAUSE_MS)
    }
  }

  await Promise.all([...task.writers.map(writeTurns), writeNoise()])
  await database.end()
}

/**
 * Prints a line. Writes to a pipe are synchronous, so the parent gets every printed line even if
 * this process is killed.
 */
function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const code = 'code' in error ? String(error.code) : error.message
  return code.replaceAll(/\s+/g, '-').slice(0, 80)
}

await main(JSON.parse(process.argv[2] ?? '') as WriterTask)
