/**
 * Runs one measurement in its own process: imports and reads the text first, then starts the clock.
 * Called by `lab/bench/openapi.ts` and `lab/bench/openapi-growth.ts` as `node --expose-gc
 * --trace-gc … <job> <file>`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import {
  frameData,
  listOperations,
  OperationPages,
  operationListings,
  parseSpecification,
  SharedParts,
} from '@octavo/openapi'

export type Figures = {
  readonly cpuMs: number
  /** The peak of resident memory, relative to that after loading libraries and text. */
  readonly peakBytes: number
  /**
   * V8's heap at the start and the end, and the growth of memory outside of it. The peak of the
   * heap is in the trace.
   */
  readonly heapStart: number
  readonly heapEnd: number
  readonly outside: number
  /** The memory that the result still occupies at the end. */
  readonly heldBytes: number
  readonly operations: number
  readonly dataBytes: number
  readonly largestPage: number
}

type Made = Pick<Figures, 'operations' | 'dataBytes' | 'largestPage'> & { readonly kept: unknown }
const NOTHING = { operations: 0, dataBytes: 0, largestPage: 0 }

const [job = '', file = ''] = process.argv.slice(2)
const text = readFileSync(file, 'utf8')
const work = await prepare()
const collectGarbage = globalThis.gc ?? (() => {})
collectGarbage()
const before = process.memoryUsage()
const resident = startPeak()
const cpu = process.cpuUsage()
const { kept, ...made } = await work()
const { user, system } = process.cpuUsage(cpu)
const peakBytes = peakNow() - resident
const after = process.memoryUsage()
collectGarbage()
const held = process.memoryUsage()
const figures: Figures = {
  cpuMs: (user + system) / 1_000,
  peakBytes,
  heapStart: before.heapUsed,
  heapEnd: after.heapUsed,
  outside: after.external - before.external,
  heldBytes: held.heapUsed + held.external - before.heapUsed - before.external,
  ...made,
}
if (kept === undefined) throw new Error('the result is gone')
console.log(`RESULT ${JSON.stringify(figures)}`)

async function prepare(): Promise<() => Made | Promise<Made>> {
  switch (job) {
    case 'ours':
      return ours
    case 'scalar':
    case 'scalar, parsed before': {
      const scalar = await import('@scalar/openapi-parser')
      const input = job === 'scalar' ? text : (scalar.normalize(text) ?? text)
      return async () => {
        await scalar.validate(input)
        const { specification } = scalar.upgrade(input)
        return { ...NOTHING, kept: scalar.dereference(specification ?? {}) }
      }
    }
    case 'redocly bundle': {
      const redocly = await import('@redocly/openapi-core')
      const config = await redocly.createConfig({})
      return async () => {
        const kept = await redocly.bundleFromString({ source: text, absoluteRef: file, config })
        return { ...NOTHING, kept }
      }
    }
    default:
      throw new Error(`no job ${job}`)
  }
}

/**
 * Loads and checks the specification, and creates the data of all pages, each of which is
 * serialized as JSON and then dropped.
 */
function ours(): Made {
  const { specification } = parseSpecification(file, text)
  if (specification === undefined) throw new Error('the specification was refused')
  const options = { pillFields: [] }
  const reader = new OperationPages(specification, options)
  const operations = listOperations(specification)
  let dataBytes = 0
  let largestPage = 0
  const write = (data: unknown) => {
    const bytes = Buffer.byteLength(JSON.stringify(data))
    dataBytes += bytes
    return bytes
  }
  for (const operation of operations)
    largestPage = Math.max(largestPage, write(reader.page(operation)))
  for (const part of new SharedParts(specification, options).all()) write(part)
  write(operationListings(specification))
  write(frameData(specification))
  return { operations: operations.length, dataBytes, largestPage, kept: specification }
}

/**
 * Resets the peak memory of the process, so that imports do not count. Only Linux supports this.
 */
function startPeak(): number {
  try {
    writeFileSync('/proc/self/clear_refs', '5')
  } catch {
    // Other systems only report the peak since the start of the process.
  }
  return process.memoryUsage.rss()
}

function peakNow(): number {
  try {
    const [, kilobytes = '0'] =
      /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    return Number(kilobytes) * 1024
  } catch {
    return process.resourceUsage().maxRSS * 1024
  }
}
