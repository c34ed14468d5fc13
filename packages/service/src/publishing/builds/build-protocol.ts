/**
 * The protocol between a worker and the process that builds a site: lines of JSON over pipes, so
 * that it works through any sandbox. The process has read untrusted files, so each of its lines is
 * validated.
 */
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { Diagnostic, FailOn } from '@octavo/model'
import type { OutboundOutcome } from '@octavo/outbound'
import { z } from 'zod'

/** Everything that the process needs to know, since it cannot look anything up. */
export type BuildOrder = {
  readonly folder: string
  readonly output: string
  readonly cacheFolder: string
  /** The builder's version. */
  readonly version: string
  readonly siteUrl: string | undefined
  /** Findings that stop a deployment, if the project decides this and not docs.json. */
  readonly failOn: FailOn | undefined
  /** The last change of each file, by path. */
  readonly changedAt: readonly (readonly [path: string, at: string])[]
  /** For links to edit a page. */
  readonly repository: {
    readonly remote: string
    readonly prefix: string
    readonly branch: string
  }
  readonly workersMax: number
  readonly nowMs: number
}

export type WorkerLine =
  | { readonly kind: 'order'; readonly order: BuildOrder }
  | { readonly kind: 'answer'; readonly id: number; readonly outcome: SentOutcome }

/** An outbound outcome with its bytes in base64. */
export type SentOutcome =
  | Exclude<OutboundOutcome, { kind: 'loaded' }>
  | (Omit<Extract<OutboundOutcome, { kind: 'loaded' }>, 'bytes'> & { readonly base64: string })

/** Only the first 1,000 diagnostics are kept. */
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
    /** False if there is no readable docs.json. */
    hasSite: z.boolean(),
    pageCount: Count,
    compiledCount: Count,
    counts: z.object({ error: Count, warning: Count, note: Count }),
    /** Findings that stop the deployment. */
    stoppingCount: Count,
    /** Findings that the baseline file has. */
    knownCount: Count,
    diagnostics: z.array(FoundDiagnostic).max(DIAGNOSTICS_MAX),
    /** Unread files in the whole folder; undefined if there are too many. */
    unread: z.array(z.string()).optional(),
  }),
  z.object({ kind: z.literal('failed'), message: Text }),
])
export type BuilderLine = z.infer<typeof BuilderLine>

/** The `built` line before validation. */
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

/** Replaces what PostgreSQL cannot store: NUL and unpaired surrogates. */
export function asStoredText(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed()
}

export function writeLine(stream: Writable, value: object): void {
  stream.write(`${JSON.stringify(value)}\n`)
}

/** Calls `call` for each line until the stream ends. */
export function onLine(stream: Readable, call: (line: string) => void): Promise<void> {
  const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })
  lines.on('line', call)
  return new Promise((resolve) => lines.once('close', () => resolve()))
}
