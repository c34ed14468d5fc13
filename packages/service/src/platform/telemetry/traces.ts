/**
 * Sends spans to a collector: OTLP over HTTP, as JSON. Nobody waits for it and nothing fails with it: spans wait in a
 * queue of fixed length, one batch is under way at a time, and what does not fit is dropped and counted.
 *
 * Attributes are ids, route templates and numbers. Headers of requests are not read, `traceparent` neither: readers are
 * strangers, and what is recorded is not theirs to decide.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { requestOutbound } from '@octavo/outbound'
import { inTime } from '../in-time.ts'
import type { Log } from './log.ts'
import type { TraceSettings } from './trace-settings.ts'

/** A span is a part of a trace: a request, a job, or a build in a job. */
export type SpanContext = { readonly traceId: string; readonly spanId: string }

export type Span = {
  readonly name: string
  readonly kind: keyof typeof KINDS
  /** How long it took, until now. */
  readonly ms: number
  readonly isError: boolean
  readonly attributes: Readonly<Record<string, string | number>>
  readonly context?: SpanContext
  readonly parent?: SpanContext | undefined
}

export type Traces = {
  readonly record: (span: Span) => void
  /** Spans that the collector does not have and will not get. */
  readonly countDropped: () => number
  readonly flush: () => Promise<void>
  /** Tries once more to send what waits. */
  readonly stop: () => Promise<void>
}

export type TracesDeps = {
  readonly settings: TraceSettings
  readonly role: string
  readonly log: Log
  readonly now: () => number
}

export const TRACE_LIMITS = { queued: 2_048, batch: 512, everyMs: 5_000 } as const
const REQUEST_LIMITS = { totalMsMax: 10_000, bytesMax: 100_000 }
const STOP_MS_MAX = 2_000
/** The numbers of OTLP. */
const KINDS = { internal: 1, server: 2, consumer: 5 } as const
const ERROR_CODE = 2

type EndedSpan = Span & { readonly context: SpanContext; readonly endMs: number }

/** `later`: the collector is away or busy. `refused`: it would not take the same spans later. */
type Outcome =
  | { readonly kind: 'sent'; readonly rejected: number }
  | { readonly kind: 'later' | 'refused'; readonly reason: string }

export function createTraces({ settings, role, log, now }: TracesDeps): Traces {
  const queue: EndedSpan[] = []
  let dropped = 0
  let isFailing = false
  let sending: Promise<void> | undefined
  const resource = {
    attributes: printAttributes({
      'service.name': settings.serviceName,
      'service.instance.id': randomUUID(),
      'octavo.role': role,
    }),
  }

  function limitQueue(): void {
    // The newest spans are those that somebody will look for.
    const excess = queue.length - TRACE_LIMITS.queued
    if (excess <= 0) return
    queue.splice(0, excess)
    dropped += excess
  }

  async function post(spans: readonly EndedSpan[]): Promise<Outcome> {
    const scopeSpans = [{ scope: { name: 'octavo' }, spans: spans.map(printSpan) }]
    const reply = await requestOutbound({
      url: settings.url,
      method: 'POST',
      headers: { ...settings.headers, 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] })),
      // The operator has named it.
      allowPrivateHosts: [new URL(settings.url).hostname],
      limits: REQUEST_LIMITS,
    })
    if (reply.kind !== 'response') return { kind: 'later', reason: reply.reason }
    const { status } = reply
    if (status >= 200 && status < 300) return { kind: 'sent', rejected: readRejected(reply.bytes) }
    const isPassing = status === 429 || status >= 500
    return { kind: isPassing ? 'later' : 'refused', reason: `status ${status}` }
  }

  async function sendBatch(): Promise<boolean> {
    const batch = queue.splice(0, TRACE_LIMITS.batch)
    const outcome = await post(batch).catch((): Outcome => ({ kind: 'later', reason: 'error' }))
    if (outcome.kind === 'sent') {
      dropped += outcome.rejected
      if (isFailing) log.info('traces are sent again', { dropped })
      isFailing = false
      return true
    }
    if (outcome.kind === 'later') queue.unshift(...batch)
    else dropped += batch.length
    limitQueue()
    if (!isFailing) log.error('traces are not sent', { reason: outcome.reason })
    isFailing = true
    return false
  }

  /** Goes on while at least so many spans wait. */
  async function send(countMin: number): Promise<void> {
    while (queue.length >= countMin && (await sendBatch()));
  }

  function start(countMin: number): Promise<void> {
    sending ??= send(countMin).finally(() => {
      sending = undefined
    })
    return sending
  }

  const timer = setInterval(() => void start(1), TRACE_LIMITS.everyMs).unref()

  return {
    record(span) {
      queue.push({ ...span, context: span.context ?? newSpanContext(), endMs: now() })
      limitQueue()
      // A collector that is away is asked again by the clock alone.
      if (queue.length >= TRACE_LIMITS.batch && !isFailing) void start(TRACE_LIMITS.batch)
    },
    countDropped: () => dropped,
    async flush() {
      await sending
      await start(1)
    },
    async stop() {
      clearInterval(timer)
      const last = async () => {
        await sending
        await send(1)
      }
      await inTime(last(), STOP_MS_MAX).catch(() => {})
    },
  }
}

export function newSpanContext(traceId = randomBytes(16).toString('hex')): SpanContext {
  return { traceId, spanId: randomBytes(8).toString('hex') }
}

function printSpan({ name, kind, ms, isError, attributes, context, parent, endMs }: EndedSpan) {
  return {
    ...context,
    ...(parent !== undefined && { parentSpanId: parent.spanId }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: printNanoseconds(endMs - ms),
    endTimeUnixNano: printNanoseconds(endMs),
    attributes: printAttributes(attributes),
    status: isError ? { code: ERROR_CODE } : {},
  }
}

/** A number of JSON has not enough digits. */
function printNanoseconds(ms: number): string {
  const whole = Math.floor(ms)
  return `${whole}${String(Math.floor((ms - whole) * 1e6)).padStart(6, '0')}`
}

function printAttributes(attributes: Span['attributes']) {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }))
}

/** How many spans of a batch the collector did not take. */
function readRejected(bytes: Uint8Array): number {
  try {
    const reply = JSON.parse(Buffer.from(bytes).toString('utf8'))
    return Number(reply?.partialSuccess?.rejectedSpans ?? 0) || 0
  } catch {
    return 0
  }
}
