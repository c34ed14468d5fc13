/**
 * Sends requests to `octavo mock`: valid ones of an independent generator, and ones with one fault.
 *
 *   npm run lab corpus/mock -- [folder with OpenAPI documents …] [--requests 200] [--seed 1] \
 *     [--only name] [--list 3]
 *
 * Each valid request must be accepted, and each faulty one refused with the right place. Ajv decides
 * whether a generated body is valid. It also prints the time until the mock answers, and its memory.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { loadAll } from 'js-yaml'
import { Chance } from '../fuzz/openapi/change-specification.ts'
import { requireCorpus } from '../parts/corpus-folder.ts'
import { COMMAND } from '../parts/start-dev.ts'
import { DraftMaker } from './mock/draft-request.ts'
import { isFields } from './mock/json-schema.ts'
import { plantFault } from './mock/plant-fault.ts'
import { printDraft, type RawRequest, type Sent, send } from './mock/send-draft.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    requests: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    list: { type: 'string', default: '3' },
    octavo: { type: 'string', default: COMMAND },
  },
})
const REQUESTS = Number(options.requests)
const ATTEMPTS_MAX = REQUESTS * 20
const START_MS_MAX = 20_000

const NONE = { sent: 0, accepted: 0, refused: 0, right: 0 }
/** Sites have copies of the same specification. */
const texts = new Set<string>()
const reported = new Map<string, number>()
const planted = new Map<string, number>()
const totals = { started: 0, valid: 0, accepted: 0, faulty: 0, refused: 0, right: 0 }
console.log(
  columns('specification', 'operations', 'start ms', 'MB', 'accepted', 'refused', 'right place'),
)
for (const folder of positionals.length === 0 ? [requireCorpus(undefined)] : positionals) {
  for (const file of filesIn(requireCorpus(folder))) await tryFile(file, relative(folder, file))
}
const { started, valid, accepted, faulty, refused, right } = totals
console.log(`\n${started} specifications started.`)
console.log(`${accepted} of ${valid} valid requests accepted.`)
console.log(`${refused} of ${faulty} faulty requests refused, ${right} with the right place.`)
console.log([...planted].map(([kind, count]) => `${count} ${kind}`).join(', '))
process.exitCode = accepted === valid && right >= faulty * 0.99 ? 0 : 1

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:json|ya?ml)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/\/(?:node_modules|\.octavo)\//.test(path) && path.includes(options.only))
    .toSorted()
}

async function tryFile(file: string, name: string): Promise<void> {
  const text = readFileSync(file, 'utf8')
  if (texts.has(text)) return
  texts.add(text)
  if (!/^.{0,3000}?["']?openapi["']?\s*:\s*["']?3/s.test(text)) return
  const root = readValue(file, text)
  if (!isFields(root)) return
  const mock = await startMock(file)
  if (mock === undefined) {
    console.log(`${name}: refused to start`)
    return
  }
  totals.started += 1
  const chance = new Chance(Number(options.seed))
  const maker = new DraftMaker(root, chance)
  try {
    const good = maker.operationCount === 0 ? NONE : await sendValid(maker, mock.origin, name)
    const bad =
      maker.operationCount === 0 ? NONE : await sendFaulty({ maker, chance }, mock.origin, name)
    totals.valid += good.sent
    totals.accepted += good.accepted
    totals.faulty += bad.sent
    totals.refused += bad.refused
    totals.right += bad.right
    const peak = peakMb(mock.process.pid ?? 0)
    console.log(
      columns(
        name,
        maker.operationCount,
        Math.round(mock.startMs),
        peak,
        `${good.accepted}/${good.sent}`,
        `${bad.refused}/${bad.sent}`,
        bad.right,
        [...maker.skipped].map(([reason, count]) => `${count} ${reason}`).join(', '),
      ),
    )
  } finally {
    mock.process.kill()
  }
}

/** Returns the document as another parser reads it; undefined if that parser fails. */
function readValue(file: string, text: string): unknown {
  try {
    return file.endsWith('.json') ? JSON.parse(text) : loadAll(text)[0]
  } catch {
    return undefined
  }
}

async function sendValid(maker: DraftMaker, origin: string, name: string) {
  let sent = 0
  let acceptedHere = 0
  for (let attempt = 0; attempt < ATTEMPTS_MAX && sent < REQUESTS; attempt += 1) {
    const draft = maker.make()
    const request = draft && (await printDraft(draft))
    if (request === undefined) continue
    sent += 1
    const answer = await send(origin, request)
    if (answer.problems.length === 0) acceptedHere += 1
    else report(`${name} REFUSED`, request, answer)
  }
  return { sent, accepted: acceptedHere }
}

async function sendFaulty(
  { maker, chance }: { readonly maker: DraftMaker; readonly chance: Chance },
  origin: string,
  name: string,
) {
  const counts = { sent: 0, refused: 0, right: 0 }
  for (let attempt = 0; attempt < ATTEMPTS_MAX && counts.sent < REQUESTS; attempt += 1) {
    const draft = maker.make()
    const fault = draft && plantFault(draft, chance)
    const printed = fault && (await printDraft(fault.draft))
    if (fault === undefined || printed === undefined) continue
    const body =
      fault.rawBody === undefined ? printed.body : new TextEncoder().encode(fault.rawBody)
    const target = fault.target?.(printed.target) ?? printed.target
    const request = { ...printed, body, target }
    counts.sent += 1
    planted.set(fault.kind, (planted.get(fault.kind) ?? 0) + 1)
    const answer = await send(origin, request)
    const isRight = answer.problems.some(({ place }) => fault.places.includes(place))
    if (answer.problems.length > 0) counts.refused += 1
    if (isRight) counts.right += 1
    else report(`${name} MISSED ${fault.kind} at ${fault.places.join(' or ')}`, request, answer)
  }
  return counts
}

function report(
  title: string,
  { method, target, body }: RawRequest,
  { status, problems }: Sent,
): void {
  const key = title.split(' at ')[0] ?? title
  reported.set(key, (reported.get(key) ?? 0) + 1)
  if ((reported.get(key) ?? 0) > Number(options.list)) return
  const sent = body === undefined ? '' : new TextDecoder().decode(body).slice(0, 1_000)
  console.log(`  ${title}: ${method} ${target.slice(0, 300)} ${sent}`)
  console.log(
    `    ${status} ${problems
      .slice(0, 4)
      .map(({ place, reason }) => `${place}: ${reason}`)
      .join(' | ')
      .slice(0, 800)}`,
  )
}

async function startMock(
  file: string,
): Promise<{ origin: string; process: ChildProcess; startMs: number } | undefined> {
  const began = performance.now()
  const server = spawn(process.execPath, [options.octavo, 'mock', file, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const origin = await new Promise<string | undefined>((resolve) => {
    const timer = setTimeout(() => resolve(undefined), START_MS_MAX)
    let printed = ''
    server.stdout.on('data', (chunk) => {
      if (printed.includes('Ctrl+C')) return
      printed += chunk
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? []
      if (found === undefined || !printed.includes('Ctrl+C')) return
      clearTimeout(timer)
      resolve(found)
    })
    server.on('exit', () => resolve(undefined))
  })
  if (origin === undefined) {
    server.kill()
    return undefined
  }
  return { origin, process: server, startMs: performance.now() - began }
}

function peakMb(pid: number): number {
  const [, kb = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kb) / 1_000)
}

function columns(name: string, ...cells: readonly (string | number)[]): string {
  return [name.padEnd(60), ...cells.map((cell) => String(cell).padStart(11))].join(' ')
}
