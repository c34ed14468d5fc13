/**
 * The protocol between a worker and the process that builds a site: lines of JSON over pipes, so
 * that it works through any sandbox. The process has read untrusted files, so the worker validates
 * each line that the process writes.
 */
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { Diagnostic, FailOn } from '@octavo/model'
import type { OutboundOutcome } from '@octavo/outbound'
import { z } from 'zod'

/** Everything that the build process needs to know, since it cannot look anything up. */
export type BuildOrder = {
  readonly folder: string
  readonly output: string
  readonly cacheFolder: string
  /** The builder's version. */
  readonly version: string
  readonly siteUrl: string | undefined
  /** Which findings stop a deployment; undefined if docs.json decides. */
  readonly failOn: FailOn | undefined
  /** The time of each file's last change. */
  readonly changedAt: readonly (readonly [path: string, at: string])[]
  /** The repository that edit links lead to. */
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

/** The outcome of an outbound request, with the bytes in base64. */
export type SentOutcome =
  | Exclude<OutboundOutcome, { kind: 'loaded' }>
  | (Omit<Extract<OutboundOutcome, { kind: 'loaded' }>, 'bytes'> & { readonly base64: string })

/** A build reports only its first 1,000 diagnostics. */
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
    /** False if docs.json is missing or cannot be read. */
    hasSite: z.boolean(),
    pageCount: Count,
    compiledCount: Count,
    counts: z.object({ error: Count, warning: Count, note: Count }),
    /** The number of findings that stop the deployment. */
    stoppingCount: Count,
    /** The number of findings that are in the baseline file. */
    knownCount: Count,
    diagnostics: z.array(FoundDiagnostic).max(DIAGNOSTICS_MAX),
    /** Files below the folder that the build did not read; undefined if there are too many. */
    unread: z.array(z.string()).optional(),
  }),
  z.object({ kind: z.literal('failed'), message: Text }),
])
export type BuilderLine = z.infer<typeof BuilderLine>

/** The line of the kind `built` before it is validated. */
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

/** Replaces characters that PostgreSQL cannot store: NUL and unpaired surrogates. */
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
