/** Downloads an export into a part file, with as many requests as needed. */

import type { ProblemReply } from '@octavo/contract'
import { printable } from '@octavo/model'
import type { CommandContext } from '../context/command-context.ts'
import { ExportError } from './export-error.ts'
import type { ExportProgress } from './export-progress.ts'
import type { PartFile } from './partial-file.ts'

export type DownloadRequest = {
  /** The URL of the endpoint with the dates. The download adds the cursor. */
  readonly address: URL
  readonly accept: string
  readonly apiKey: string
}

/** The maximum number of consecutive requests without a new row. */
const ATTEMPTS_MAX = 6
/** The first delay if the response has no `Retry-After`; it doubles each time. */
const WAIT_MS = 1_000
/** The longest wait. The window of the rate limit is one hour. */
const WAIT_MS_MAX = 3_600_000
/** The time without data after which a connection counts as broken. */
const SILENCE_MS_MAX = 60_000
/**
 * Statuses of a service that limits requests or is temporarily unavailable, possibly behind a
 * proxy.
 */
const TEMPORARY = [429, 502, 503, 504]

/** The outcome of one request. */
type Try =
  | { readonly kind: 'done' }
  | { readonly kind: 'broken'; readonly reason: string; readonly waitMs?: number | undefined }

/**
 * Downloads the rows into the part file. Throws an ExportError for failures that a retry cannot
 * fix.
 */
export async function download(
  world: CommandContext,
  request: DownloadRequest,
  into: { readonly part: PartFile; readonly progress: ExportProgress },
): Promise<void> {
  let failures = 0
  for (;;) {
    const rowCountBefore = into.part.rowCount
    const result = await tryOnce(world, request, into)
    into.progress.clear()
    if (result.kind === 'done') return
    failures = into.part.rowCount > rowCountBefore ? 0 : failures + 1
    const waitMs = result.waitMs ?? WAIT_MS * 2 ** Math.max(0, failures - 1)
    if (failures >= ATTEMPTS_MAX)
      throw new ExportError(`${result.reason} The export stopped after ${ATTEMPTS_MAX} attempts.`)
    if (waitMs > WAIT_MS_MAX)
      throw new ExportError(
        `${result.reason} The service asks you to wait ${Math.ceil(waitMs / 60_000)} minutes.`,
      )
    world.err.write(`${result.reason} Retrying in ${Math.ceil(waitMs / 1_000)} s.\n`)
    await world.clock.sleep(waitMs)
  }
}

async function tryOnce(
  world: CommandContext,
  request: DownloadRequest,
  { part, progress }: { readonly part: PartFile; readonly progress: ExportProgress },
): Promise<Try> {
  const address = new URL(request.address)
  const cursor = await part.prepare()
  if (cursor !== undefined) address.searchParams.set('cursor', cursor)
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), SILENCE_MS_MAX)
  try {
    const response = await catchNetworkError(
      fetch(address, {
        headers: { accept: request.accept, authorization: `Bearer ${request.apiKey}` },
        // The key is meant for this URL only, so redirects are not followed.
        redirect: 'manual',
        signal: silence.signal,
      }),
    )
    if ('kind' in response) return response
    if (TEMPORARY.includes(response.status)) {
      const detail = await readDetail(response)
      const waitMs = readRetryAfter(response.headers.get('retry-after'), world.clock.now())
      return { kind: 'broken', reason: detail, waitMs }
    }
    if (response.status !== 200) throw new ExportError(await explain(response))
    checkFormat(response, request.accept)
    const reader = response.body?.getReader()
    while (reader !== undefined) {
      const read = await catchNetworkError(reader.read())
      if ('kind' in read) return read
      if (read.value === undefined) break
      timer.refresh()
      await part.append(read.value)
      progress.show(part.rowCount, part.byteCount)
    }
    if (part.isAtRowEnd) return { kind: 'done' }
    return { kind: 'broken', reason: 'The response ended in the middle of a row.' }
  } finally {
    clearTimeout(timer)
    silence.abort()
  }
}

/**
 * Runs a request, and returns network errors as a value. Other errors, such as a full disk, are
 * thrown, so that they are not retried.
 */
async function catchNetworkError<Result>(
  work: Promise<Result>,
): Promise<Result | (Try & { kind: 'broken' })> {
  try {
    return await work
  } catch (error) {
    return { kind: 'broken', reason: `The connection failed (${findCode(error)}).` }
  }
}

function findCode(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'AbortError') return `no data for ${SILENCE_MS_MAX / 1_000} s`
  if (error.cause instanceof Error) return findCode(error.cause)
  return 'code' in error ? String(error.code) : error.message
}

/** Parses `Retry-After`, which is a number of seconds or a date. */
function readRetryAfter(text: string | null, nowMs: number): number | undefined {
  if (text === null) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : Math.max(0, ms - nowMs)
}

function checkFormat(response: Response, accept: string): void {
  const type = response.headers.get('content-type') ?? 'none'
  if (type.split(';')[0]?.trim() === accept) return
  throw new ExportError(
    `The response is ${type}, not ${accept}. Is --service the URL of an Octavo service?`,
  )
}

/** Advice for the user by status. */
const ADVICE: Readonly<Record<number, string>> = {
  401: 'Set OCTAVO_API_KEY to a valid key of the project; `octavo-service key create` creates one.',
  403: 'Use a key with the scope analytics:read, from an IP address that it allows.',
  404: 'Check --project and --service. A key works only for its own project.',
}

async function explain(response: Response): Promise<string> {
  const location = response.headers.get('location')
  if (location !== null) return `The service has moved to ${location}. Change --service.`
  return `${await readDetail(response)} ${ADVICE[response.status] ?? ''}`.trimEnd()
}

const OPTION_OF: Readonly<Record<string, string>> = { dateFrom: '--from', dateTo: '--to' }

/** Returns the detail of a problem response, or a fallback for a response from a proxy. */
async function readDetail(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined)
  const detail = readField(body, 'detail')
  if (detail === '') return `The service responded with ${response.status} ${response.statusText}.`
  const param = readField(body, 'param')
  const where = param === '' ? '' : `${OPTION_OF[param] ?? param}: `
  const request = response.status < 500 ? '' : ` (request ${readField(body, 'requestId')})`
  return printable(`${where}${detail}${request}`)
}

/**
 * Reads a field of a problem without the contract's schemas, whose import would slow every
 * `octavo check` by 0.1 s.
 */
function readField(body: unknown, name: keyof (typeof ProblemReply)['_output']): string {
  if (typeof body !== 'object' || body === null || !(name in body)) return ''
  const value = (body as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : ''
}
