/** Sends MCP requests at a fixed rate from its own process, and reports how long each took. */
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export type CallOrder = {
  readonly port: number
  readonly host: string
  readonly perSecond: number
  readonly seconds: number
}

export type CallReport = {
  readonly statuses: Readonly<Record<string, number>>
  readonly times: Readonly<Record<string, readonly number[]>>
  /** The time from the first request to the last response. */
  readonly seconds: number
}

const MODERN = '2026-07-28'
const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const WORDS =
  `deploy build page search assistant redirect navigation version language key export theme openapi
  icon image check error domain webhook preview cache policy limit table code`.split(/\s+/)
const PATHS = [
  '/reference/cli',
  '/start/first-site',
  '/guides/openapi',
  '/deploy/git',
  '/agents/mcp',
]
const TICK_MS = 20

let sent = 0

process.on('message', async (order: CallOrder) => process.send?.(await callMany(order)))
process.on('disconnect', () => process.exit(0))
process.send?.('ready')

async function callMany(order: CallOrder): Promise<CallReport> {
  const statuses: Record<string, number> = {}
  const times: Record<string, number[]> = {}
  const calls: Promise<void>[] = []
  // Each round gets a new agent, because the service closes idle connections between rounds.
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const started = performance.now()
  const total = order.perSecond * order.seconds
  for (let count = 0; count < total; ) {
    const due = Math.min(
      total,
      Math.floor(((performance.now() - started) / 1_000) * order.perSecond),
    )
    for (; count < due; count += 1) calls.push(call(order, { agent, statuses, times }))
    await sleep(TICK_MS)
  }
  await Promise.all(calls)
  agent.destroy()
  return { statuses, times, seconds: (performance.now() - started) / 1_000 }
}

/**
 * Returns the next call. As with real agents, half of the calls search; the others read, grep,
 * list, or request the tools.
 */
function nextCall(): { readonly method: string; readonly params: object; readonly name: string } {
  const word = (offset: number) => WORDS[(sent * 7 + offset * 3) % WORDS.length] ?? ''
  const tool = (name: string, input: object) => ({
    method: 'tools/call',
    name,
    params: { name, arguments: input },
  })
  const kind = sent % 10
  if (kind < 5)
    return tool('search_docs', { query: `how do I ${word(1)} a ${word(2)} ${sent % 97}` })
  if (kind < 8) return tool('read_page', { url: PATHS[sent % PATHS.length] })
  if (kind === 8) return tool('grep_docs', { text: word(3) })
  return { method: 'tools/list', name: 'tools/list', params: {} }
}

type Sending = {
  readonly agent: Agent
  readonly statuses: Record<string, number>
  readonly times: Record<string, number[]>
}

async function call({ port, host }: CallOrder, { agent, statuses, times }: Sending): Promise<void> {
  sent += 1
  const { method, params, name } = nextCall()
  const isModern = sent % 2 === 0
  const message = {
    jsonrpc: '2.0',
    id: sent,
    method,
    params: { ...params, ...(isModern && { _meta: META }) },
  }
  const body = JSON.stringify(message)
  const started = performance.now()
  const out = request({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: '/mcp',
    agent,
    headers: {
      host,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      accept: 'application/json, text/event-stream',
      'x-forwarded-for': `203.0.${(sent >> 8) & 255}.${sent & 255}`,
      ...(isModern && {
        'mcp-protocol-version': MODERN,
        'mcp-method': method,
        ...(method === 'tools/call' && { 'mcp-name': name }),
      }),
    },
  })
  out.end(body)
  const [response] = (await once(out, 'response')) as [IncomingMessage]
  let text = ''
  for await (const piece of response.setEncoding('utf8')) text += piece
  const status = text.includes('"error"')
    ? `${response.statusCode} error`
    : `${response.statusCode}`
  statuses[status] = (statuses[status] ?? 0) + 1
  times[name] ??= []
  times[name].push(performance.now() - started)
}
