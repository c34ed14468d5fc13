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
    // A collector that is away is asked again by the clock alone.
    if (this.#queue.length >= TRACE_LIMITS.batch && !this.#isFailing)
      void this.#start(TRACE_LIMITS.batch)
  }

  /** Spans that the collector does not have and will not get. */
  countDropped(): number {
    return this.#dropped
  }

  async flush(): Promise<void> {
    await this.#sending
    await this.#start(1)
  }

  /** Tries once more to send what waits. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    const last = async () => {
      await this.#sending
      await this.#send(1)
    }
    await inTime(last(), STOP_MS_MAX).catch(() => {})
  }

  #limitQueue(): void {
    // The newest spans are those that somebody will look for.
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

  /** Goes on while at least so many spans wait. */
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
      // The operator has named it.
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
