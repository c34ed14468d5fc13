/**
 * Sends spans to a collector: OTLP over HTTP, as JSON. Callers never wait for the collector or fail
 * because of it: spans are queued up to a fixed number, one batch is sent at a time, and spans that
 * do not fit are dropped and counted.
 *
 * Attributes are ids, route templates and numbers. Request headers are not read, not even
 * `traceparent`: readers are untrusted and must not decide what is recorded.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { requestOutbound } from '@octavo/outbound'
import { withTimeout } from '../with-timeout.ts'
import type { Log } from './log.ts'
import type { TraceSettings } from './trace-settings.ts'

/** Identifies a span and its trace. Spans are recorded for requests, jobs, and builds in jobs. */
export type SpanContext = { readonly traceId: string; readonly spanId: string }

export type Span = {
  readonly name: string
  readonly kind: keyof typeof KINDS
  /** The duration of the span, which ends when it is recorded. */
  readonly ms: number
  readonly isError: boolean
  readonly attributes: Readonly<Record<string, string | number>>
  readonly context?: SpanContext
  readonly parent?: SpanContext | undefined
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
/** The numeric values of span kinds in OTLP. */
const KINDS = { internal: 1, server: 2, consumer: 5 } as const
const ERROR_CODE = 2

type EndedSpan = Span & { readonly context: SpanContext; readonly endMs: number }

/** `later`: the collector is unreachable or busy. `refused`: a retry would fail too. */
type Outcome =
  | { readonly kind: 'sent'; readonly rejected: number }
  | { readonly kind: 'later' | 'refused'; readonly reason: string }

export class Traces {
  readonly #settings: TraceSettings
  readonly #log: Log
  readonly #now: () => number
  readonly #resource: object
  readonly #queue: EndedSpan[] = []
  readonly #timer: NodeJS.Timeout
  #dropped = 0
  #isFailing = false
  #sending: Promise<void> | undefined

  constructor({ settings, role, log, now }: TracesDeps) {
    this.#settings = settings
    this.#log = log
    this.#now = now
    this.#resource = {
      attributes: printAttributes({
        'service.name': settings.serviceName,
        'service.instance.id': randomUUID(),
        'octavo.role': role,
      }),
    }
    this.#timer = setInterval(() => void this.#start(1), TRACE_LIMITS.everyMs).unref()
  }

  record(span: Span): void {
    const context = span.context ?? newSpanContext()
    this.#queue.push({ ...span, context, endMs: this.#now() })
    this.#limitQueue()
    // While the collector is failing, only the timer retries.
    if (this.#queue.length >= TRACE_LIMITS.batch && !this.#isFailing)
      void this.#start(TRACE_LIMITS.batch)
  }

  /** Returns the number of spans that the collector did not get and will not get. */
  countDropped(): number {
    return this.#dropped
  }

  async flush(): Promise<void> {
    await this.#sending
    await this.#start(1)
  }

  /** Makes a last attempt to send the queued spans. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    const last = async () => {
      await this.#sending
      await this.#send(1)
    }
    await withTimeout(last(), STOP_MS_MAX).catch(() => {})
  }

  #limitQueue(): void {
    // Keeps the newest spans, which are the most useful.
    const excess = this.#queue.length - TRACE_LIMITS.queued
    if (excess <= 0) return
    this.#queue.splice(0, excess)
    this.#dropped += excess
  }

  #start(countMin: number): Promise<void> {
    this.#sending ??= this.#send(countMin).finally(() => {
      this.#sending = undefined
    })
    return this.#sending
  }

  /** Sends batches while at least this many spans are queued. */
  async #send(countMin: number): Promise<void> {
    while (this.#queue.length >= countMin && (await this.#sendBatch()));
  }

  async #sendBatch(): Promise<boolean> {
    const batch = this.#queue.splice(0, TRACE_LIMITS.batch)
    const outcome = await this.#post(batch).catch(
      (): Outcome => ({ kind: 'later', reason: 'error' }),
    )
    if (outcome.kind === 'sent') {
      this.#dropped += outcome.rejected
      if (this.#isFailing) this.#log.info('traces are sent again', { dropped: this.#dropped })
      this.#isFailing = false
      return true
    }
    if (outcome.kind === 'later') this.#queue.unshift(...batch)
    else this.#dropped += batch.length
    this.#limitQueue()
    if (!this.#isFailing) this.#log.error('traces are not sent', { reason: outcome.reason })
    this.#isFailing = true
    return false
  }

  async #post(spans: readonly EndedSpan[]): Promise<Outcome> {
    const { url, headers } = this.#settings
    const scopeSpans = [{ scope: { name: 'octavo' }, spans: spans.map(printSpan) }]
    const resourceSpans = [{ resource: this.#resource, scopeSpans }]
    const reply = await requestOutbound({
      url,
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ resourceSpans })),
      // The operator configured this host.
      allowPrivateHosts: [new URL(url).hostname],
      limits: REQUEST_LIMITS,
    })
    if (reply.kind !== 'response') return { kind: 'later', reason: reply.reason }
    const { status } = reply
    if (status >= 200 && status < 300) return { kind: 'sent', rejected: readRejected(reply.bytes) }
    const isPassing = status === 429 || status >= 500
    return { kind: isPassing ? 'later' : 'refused', reason: `status ${status}` }
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

/** Returns a string, because a JSON number is not precise enough. */
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

/** Returns how many spans of a batch the collector rejected. */
function readRejected(bytes: Uint8Array): number {
  try {
    const reply = JSON.parse(Buffer.from(bytes).toString('utf8'))
    return Number(reply?.partialSuccess?.rejectedSpans ?? 0) || 0
  } catch {
    return 0
  }
}
