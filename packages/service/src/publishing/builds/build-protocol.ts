/**
 * What a worker and the process that builds a site say to one another: a line of JSON each, over
 * pipes, so that it works through any sandbox. The process has read strangers' files, so each of its
 * lines is checked.
 */
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { Diagnostic, FailOn } from '@octavo/model'
import type { OutboundOutcome } from '@octavo/outbound'
import { z } from 'zod'

/** All that the process needs to know; it can look nothing up. */
export type BuildOrder = {
  readonly folder: string
  readonly output: string
  readonly cacheFolder: string
  /** Of the builder. */
  readonly version: string
  readonly siteUrl: string | undefined
  /** Findings that stop a deployment, if the project decides this and not docs.json. */
  readonly failOn: FailOn | undefined
  /** When files last changed, by path. */
  readonly changedAt: readonly (readonly [path: string, at: string])[]
  /** For links to edit a page. */
  readonly repository: {
    readonly remote: string
    readonly prefix: string
    readonly branch: string
  }
  readonly workersMax: number
  /** Hosts are checked by the worker; these are for messages. */
  readonly nowMs: number
}

export type WorkerLine =
  | { readonly kind: 'order'; readonly order: BuildOrder }
  | { readonly kind: 'answer'; readonly id: number; readonly outcome: SentOutcome }

/** Bytes in base64. */
export type SentOutcome =
  | Exclude<OutboundOutcome, { kind: 'loaded' }>
  | (Omit<Extract<OutboundOutcome, { kind: 'loaded' }>, 'bytes'> & { readonly base64: string })

/** The first thousand are kept. */
const DIAGNOSTICS_MAX = 1_000

const Count = z.number().int().min(0)
const Text = z.string().transform(asStoredText)

const FoundDiagnostic = z.looseObject({
  code: z.string().max(100),
  severity: z.enum(['error', 'warning', 'note']),
  message: z.string(),
  hint: z.string(),
  place: z.looseObject({
    file: z.string(),
    line: z.number(),
    column: z.number(),
    pointer: z.string().exactOptional(),
  }),
})
export type FoundDiagnostic = z.infer<typeof FoundDiagnostic>

const BuilderLine = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('progress'), done: Count, total: Count }),
  z.object({
    kind: z.literal('fetch'),
    id: Count,
    url: z.string().max(10_000),
    headers: z.record(z.string(), z.string()),
    bytesMax: Count.optional(),
  }),
  z.object({
    kind: z.literal('built'),
    /** False without a docs.json that can be read. */
    hasSite: z.boolean(),
    pageCount: Count,
    compiledCount: Count,
    counts: z.object({ error: Count, warning: Count, note: Count }),
    /** Findings that stop the deployment. */
    stoppingCount: Count,
    /** Findings that the baseline file has. */
    knownCount: Count,
    diagnostics: z.array(FoundDiagnostic).max(DIAGNOSTICS_MAX),
    /** Of the whole folder on disk; nothing if there are too many. */
    unread: z.array(z.string()).optional(),
  }),
  z.object({ kind: z.literal('failed'), message: Text }),
])
export type BuilderLine = z.infer<typeof BuilderLine>

/** What `built` says, before it is checked. */
export type BuiltLine = Omit<Extract<BuilderLine, { kind: 'built' }>, 'diagnostics'> & {
  readonly diagnostics: readonly Diagnostic[]
}

export function parseBuilderLine(line: string): BuilderLine | undefined {
  try {
    const value: unknown = JSON.parse(line, (_, part) =>
      typeof part === 'string' ? asStoredText(part) : part,
    )
    return BuilderLine.safeParse(value).data
  } catch {
    return undefined
  }
}

/** PostgreSQL stores neither NUL nor half of a pair. */
export function asStoredText(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed()
}

export function writeLine(stream: Writable, value: object): void {
  stream.write(`${JSON.stringify(value)}\n`)
}

/** Calls for each line, until the stream ends. */
export function onLine(stream: Readable, call: (line: string) => void): Promise<void> {
  const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })
  lines.on('line', call)
  return new Promise((resolve) => lines.once('close', () => resolve()))
}
