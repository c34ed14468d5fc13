/**
 * Kills the service in the middle of 200 answers, and checks that each is published once.
 * The service is killed with SIGKILL and starts again. Every question whose stream had started must
 * be published once: finished answers completely, the others with the saved part. No reserved
 * tokens may remain.
 *
 *   npm run lab soak/assistant-kill
 */
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  DONE,
  finish,
  piece,
  startModelServer,
  startStream,
  usage,
} from '../../packages/assistant/testing/model-server.ts'
import { openDatabase } from '../../packages/service/src/platform/database/database.ts'
import { GARDEN, readerOf } from '../../packages/service/testing/assistant-site.ts'
import { builtSite } from '../../packages/service/testing/built-site.ts'
import { startHosting } from '../../packages/service/testing/start-hosting.ts'
import { clientOf } from '../../packages/service/testing/test-deployment.ts'
import { modelEnvironment } from '../parts/assistant/model-environment.ts'

const QUESTIONS = 200
const QUESTIONS_PER_TICKET = 20
/** The number of answers that finish before the kill. */
const FINISHED_BEFORE = 60
const PIECES_MAX = 60
const PIECE_MS = 250
const REAPED_MS_MAX = 180_000
const WATCH_MS = 1_000

type Question = { readonly text: string; hasBegun: boolean; hasFinished: boolean }

const model = await startModelServer()
model.behave(async (response) => {
  const pieces = 2 + Math.floor(Math.random() * PIECES_MAX)
  startStream(response, piece('Use `hose on` [1]. '))
  for (let count = 0; count < pieces && !response.destroyed; count += 1) {
    await sleep(PIECE_MS)
    startStream(response, piece(`More ${count}. `))
  }
  startStream(response, piece('\n{"answered": true, "sources": [1]}'), finish(), usage(900), DONE)
  response.end()
})
const hosting = await startHosting({
  environment: {
    ...modelEnvironment(model.url),
    OCTAVO_DATABASE_CONNECTIONS: '20',
  },
})
const owner = openDatabase({ url: hosting.postgres.url, connections: 2 })
let isRight = false
try {
  isRight = await soak()
} finally {
  await owner.end()
  await hosting.stop()
  model.stop()
}
process.exitCode = isRight ? 0 : 1

async function soak(): Promise<boolean> {
  const service = await hosting.start('all')
  const project = hosting.createProject('garden')
  const client = clientOf(hosting.url, { publicId: project.projectId, token: project.adminKey })
  const deployed = await client.deploy(await builtSite(GARDEN))
  if (deployed.status !== 200) throw new Error(JSON.stringify(deployed))
  const reader = readerOf(service.port, project.host)
  const questions = Array.from({ length: QUESTIONS }, (_, index): Question => {
    return { text: `How do I turn on the hose? ${index}`, hasBegun: false, hasFinished: false }
  })
  const full = Promise.withResolvers<void>()
  const streams = Array.from({ length: QUESTIONS / QUESTIONS_PER_TICKET }, async (_, group) => {
    const from = { 'x-forwarded-for': `192.0.2.${group + 1}` }
    const ticket = await reader.call('GET', '/_octavo/assistant/ticket', { headers: from })
    const own = questions.slice(group * QUESTIONS_PER_TICKET, (group + 1) * QUESTIONS_PER_TICKET)
    await Promise.all(
      own.map((one) => follow(one, { ticket: JSON.parse(ticket.text).ticket, headers: from })),
    )
  })

  async function follow(
    one: Question,
    options: { ticket: string; headers: Record<string, string> },
  ) {
    try {
      const { response } = await reader.begin(one.text, options)
      for await (const data of response) {
        if (String(data).includes('"type":"start"')) one.hasBegun = true
        if (String(data).includes('"type":"finish"')) one.hasFinished = true
        if (questions.filter(({ hasFinished }) => hasFinished).length >= FINISHED_BEFORE)
          full.resolve()
      }
    } catch {
      // The connection breaks because the service was killed.
    }
  }

  await full.promise
  const killedAt = Date.now()
  await service.kill()
  await Promise.all(streams)
  await service.restart()
  const isReaped = await waitUntilReaped()
  const seconds = Math.round((Date.now() - killedAt) / 1_000)
  return report(questions, { isReaped, seconds })
}

async function waitUntilReaped(): Promise<boolean> {
  const until = Date.now() + REAPED_MS_MAX
  while (Date.now() < until) {
    const open = await owner.query('select from question where conversation_id is null')
    if (open.length === 0) return true
    await sleep(WATCH_MS)
  }
  return false
}

async function report(
  questions: readonly Question[],
  { isReaped, seconds }: { readonly isReaped: boolean; readonly seconds: number },
): Promise<boolean> {
  const rows = await owner.query<{
    query: string
    status: string
    reason: string | null
    text: string
  }>(
    `select c.query, c.resolution_status as status, d.reason, c.response as text
       from conversation c join conversation_detail d using (project_id, id)`,
  )
  const [use] = await owner.query<{ reserved: string; used: string; counted: string }>(
    `select sum(reserved_tokens) as reserved, sum(used_tokens) as used,
            (select sum(used_tokens) from conversation_detail) as counted from assistant_usage`,
  )
  const of = ({ text }: Question) => rows.filter(({ query }) => query === text)
  const begun = questions.filter(({ hasBegun }) => hasBegun)
  const finished = questions.filter(({ hasFinished }) => hasFinished)
  const interrupted = rows.filter(({ reason }) => reason === 'interrupted')
  const facts = {
    questions: questions.length,
    begun: begun.length,
    finished: finished.length,
    published: rows.length,
    interrupted: interrupted.length,
    interruptedWithText: interrupted.filter(({ text }) => text !== '').length,
    lost: begun.filter((one) => of(one).length === 0).length,
    twice: questions.filter((one) => of(one).length > 1).length,
    finishedButNotAnswered: finished.filter((one) => of(one)[0]?.status !== 'answered').length,
    isReaped,
    reservedTokens: Number(use?.reserved),
    usedTokens: Number(use?.used),
    usedTokensOfConversations: Number(use?.counted),
    secondsFromKillToAllPublished: seconds,
  }
  process.stdout.write(`${JSON.stringify(facts, null, 1)}\n`)
  return (
    isReaped &&
    facts.lost + facts.twice + facts.finishedButNotAnswered + facts.reservedTokens === 0 &&
    facts.usedTokens === facts.usedTokensOfConversations &&
    facts.interrupted > 0
  )
}
