/** Sums up the answers of a model, and prints the figures as a Markdown table. */
import { printable } from '@octavo/model'
import type { ModelResult } from './ask-model.ts'

export type ModelSummary = {
  readonly questions: number
  readonly answerable: StatusCounts
  readonly unanswerable: StatusCounts
  /** Sections that answers to answerable questions cite, and those that are right. */
  readonly citations: { readonly total: number; readonly right: number; readonly invented: number }
  /** Answers to answerable questions with at least one right citation. */
  readonly rightAnswers: number
  readonly sentences: { readonly total: number; readonly unsupported: number }
  readonly firstMs: Percentiles
  readonly totalMs: Percentiles
  /** Mean tokens per question that did not fail. */
  readonly tokens: {
    readonly input: number
    readonly output: number
    readonly isEstimated: boolean
  }
  readonly failures: Readonly<Record<string, number>>
}

type StatusCounts = { readonly [Status in ModelResult['status'] | 'total']: number }
type Percentiles = { readonly median: number; readonly p90: number } | undefined

export function summarize(results: readonly ModelResult[], isEstimated: boolean): ModelSummary {
  const known = results.filter(({ isAnswerable }) => isAnswerable)
  const answered = results.filter(({ status }) => status === 'answered')
  const ended = results.filter(({ status }) => status !== 'failed')
  const cited = known.flatMap((one) => one.cited)
  const sum = (numbers: readonly number[]) => numbers.reduce((so, number) => so + number, 0)
  const meanTokens = (kind: 'inputTokens' | 'outputTokens') =>
    Math.round(sum(ended.map(({ usage }) => usage?.[kind] ?? 0)) / Math.max(1, ended.length))
  const failed = Object.groupBy(
    results.flatMap(({ failure }) => failure ?? []),
    (reason) => reason,
  )
  return {
    questions: results.length,
    answerable: countStatus(known),
    unanswerable: countStatus(results.filter(({ isAnswerable }) => !isAnswerable)),
    citations: {
      total: cited.length,
      right: cited.filter(({ isRight }) => isRight).length,
      invented: sum(results.map(({ invented }) => invented)),
    },
    rightAnswers: known.filter((one) => one.cited.some(({ isRight }) => isRight)).length,
    sentences: {
      total: sum(results.map(({ sentences }) => sentences)),
      unsupported: sum(results.map(({ unsupported }) => unsupported.length)),
    },
    firstMs: percentiles(answered.flatMap(({ firstMs }) => firstMs ?? [])),
    totalMs: percentiles(ended.map(({ totalMs }) => totalMs)),
    tokens: { input: meanTokens('inputTokens'), output: meanTokens('outputTokens'), isEstimated },
    failures: Object.fromEntries(
      Object.entries(failed).map(([reason, all = []]) => [reason, all.length]),
    ),
  }
}

function countStatus(results: readonly ModelResult[]): StatusCounts {
  const count = (wanted: ModelResult['status']) =>
    results.filter(({ status }) => status === wanted).length
  return {
    total: results.length,
    answered: count('answered'),
    declined: count('declined'),
    failed: count('failed'),
  }
}

/**
 * Returns the smallest values that half and nine tenths of all values do not exceed; undefined if
 * there are no values.
 */
function percentiles(values: readonly number[]): Percentiles {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1]
  const [median, p90] = [at(0.5), at(0.9)]
  return median === undefined || p90 === undefined ? undefined : { median, p90 }
}

export type ModelRun = {
  readonly octavo: string
  readonly model: string
  readonly host: string
  readonly contextTokens: number
  readonly hasTools: boolean
}

export function printModelTable(run: ModelRun, summary: ModelSummary): string {
  const { answerable, unanswerable, citations, sentences, tokens } = summary
  const failures = Object.entries(summary.failures).map(([reason, count]) => `${reason} ${count}`)
  const failed = answerable.failed + unanswerable.failed
  const rows: readonly (readonly [measure: string, result: string])[] = [
    ['answerable, answered', shareOf(answerable.answered, answerable.total)],
    ['answerable, refused (wrong)', shareOf(answerable.declined, answerable.total)],
    ['unanswerable, refused (right)', shareOf(unanswerable.declined, unanswerable.total)],
    ['unanswerable, answered (wrong)', shareOf(unanswerable.answered, unanswerable.total)],
    ['citation precision', shareOf(citations.right, citations.total)],
    ['answers with a right citation', shareOf(summary.rightAnswers, answerable.answered)],
    ['citations that do not exist', String(citations.invented)],
    ['unsupported sentences', shareOf(sentences.unsupported, sentences.total)],
    ['time to the first text', seconds(summary.firstMs)],
    ['time to the end', seconds(summary.totalMs)],
    [
      `tokens per question${tokens.isEstimated ? ' (estimated)' : ''}`,
      `${tokens.input} read, ${tokens.output} written`,
    ],
    ['failed', failed === 0 ? '0' : `${failed}: ${failures.join(', ')}`],
  ]
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`
  const head = `${printable(run.model)} at ${run.host}, ${run.contextTokens} tokens of context, ${run.hasTools ? 'with' : 'without'} tools; ${summary.questions} questions; Octavo ${run.octavo}`
  const rule = widths.map((width) => '-'.repeat(width))
  return `${head}\n\n${[['measure', 'result'], rule, ...rows].map(line).join('')}`
}

function shareOf(part: number, total: number): string {
  return total === 0 ? '–' : `${part} of ${total} (${Math.round((part / total) * 100)} %)`
}

function seconds(times: Percentiles): string {
  if (times === undefined) return '–'
  const { median, p90 } = times
  return `median ${(median / 1_000).toFixed(1)} s, p90 ${(p90 / 1_000).toFixed(1)} s`
}
