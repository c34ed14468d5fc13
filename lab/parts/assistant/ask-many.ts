/**
 * A low-priority process that asks questions, so that the cost of asking is separate from the cost
 * of the service. It is also the model that the service calls, which writes at a fixed rate. Orders
 * arrive over IPC, one at a time.
 */
import { setPriority } from 'node:os'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  DONE,
  finish,
  piece,
  startModelServer,
  startStream,
  usage,
} from '../../../packages/assistant/testing/model-server.ts'
import { readerOf } from '../../../packages/service/testing/assistant-site.ts'
import {
  type AbuseOrder,
  type AskOrder,
  type AskReport,
  MODEL_FIRST_MS,
  MODEL_PIECE_MS,
  type StreamsOrder,
} from './ask-order.ts'

const QUESTIONS_PER_TICKET = 20
const PRIORITY_LOW = 10

type Client = { readonly ticket: string; readonly headers: Readonly<Record<string, string>> }

let pieces = 0
let modelAsked = 0
let run = 0
const clients = new Map<string, Client[]>()

setPriority(PRIORITY_LOW)
const model = await startModelServer()
model.behave(async (response) => {
  modelAsked += 1
  const count = pieces
  await sleep(MODEL_FIRST_MS)
  startStream(response, piece('Use `hose on` [1]. '))
  for (let index = 0; index < count && !response.destroyed; index += 1) {
    await sleep(MODEL_PIECE_MS)
    startStream(response, piece(`More ${index}. `))
  }
  startStream(response, piece('\n{"answered": true, "sources": [1]}'), finish(), usage(900), DONE)
  response.end()
})
process.on('message', async (order: AskOrder) => {
  pieces = order.pieces
  run += 1
  const report = await (order.kind === 'streams' ? askAtOnce(order) : askInTurn(order))
  process.send?.({ ...report, modelAsked } satisfies AskReport)
  modelAsked = 0
})
process.on('disconnect', () => process.exit())
process.send?.({ url: model.url })

async function askAtOnce({ port, host, streams }: StreamsOrder) {
  const site = readerOf(port, host)
  const firsts: number[] = []
  const statuses: Record<string, number> = {}
  let whole = 0
  // Every run gets new tickets, because each is valid for a limited number of questions.
  const tickets = await Promise.all(
    Array.from({ length: Math.ceil(streams / QUESTIONS_PER_TICKET) }, (_, index) =>
      newClient(site, `192.0.${run % 250}.${index + 1}`),
    ),
  )
  await Promise.all(
    Array.from({ length: streams }, async (_, index) => {
      const started = performance.now()
      const client = tickets[Math.floor(index / QUESTIONS_PER_TICKET)]
      const question = `How do I turn on the hose? ${run} ${index}`
      const { response } = await site.begin(question, client)
      const { statusCode = 0 } = response
      statuses[statusCode] = (statuses[statusCode] ?? 0) + 1
      let text = ''
      for await (const data of response) {
        if (text === '' && String(data).includes('text-delta'))
          firsts.push(performance.now() - started - MODEL_FIRST_MS)
        if (text !== '' || String(data).includes('text-delta')) text += String(data)
      }
      if (text.includes(`More ${pieces - 1}.`) && text.includes('"type":"finish"')) whole += 1
    }),
  )
  return { firsts, statuses, whole }
}

async function askInTurn({ port, host, ...order }: AbuseOrder) {
  const site = readerOf(port, host)
  const all = clients.get(host) ?? []
  clients.set(host, all)
  for (let count = all.length; count < order.tickets; count += 1)
    all.push(await newClient(site, `198.51.${count >> 8}.${count & 255}`))
  const statuses: Record<string, number> = {}
  let next = 0
  const send = async () => {
    while (next < order.questions) {
      const number = next
      next += 1
      const client = all[number % all.length]
      const { status } = await site.ask(`How do I turn on the hose? ${run} ${number}`, client)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: order.atOnce }, send))
  return { firsts: [], statuses, whole: 0 }
}

async function newClient(site: ReturnType<typeof readerOf>, address: string): Promise<Client> {
  const headers = { 'x-forwarded-for': address }
  const { text } = await site.call('GET', '/_octavo/assistant/ticket', { headers })
  return { ticket: JSON.parse(text).ticket as string, headers }
}
