/**
 * Handles the baseline: the findings that a team accepts for now, in `octavo-baseline.json` in the
 * documentation folder. `octavo check --write-baseline` records the current errors and warnings;
 * later runs report only new ones. A finding is identified by file, code and message, so it still
 * matches when its line moves.
 */
import { type Diagnostic, diagnose, type Report } from '@octavo/model'

export const BASELINE_FILE = 'octavo-baseline.json'
const VERSION = 1
/**
 * Matches positions in messages. They are removed, because a message with a position would not
 * match after that line moved.
 */
const POSITION = /\b(line|column) \d+/g

/**
 * Sorted findings by file, each as `code: message`. A finding that occurs twice is listed twice.
 */
type Baseline = Readonly<Record<string, readonly string[]>>

export type BaselineResult = {
  /** Findings that are not in the baseline. */
  readonly fresh: readonly Diagnostic[]
  readonly knownCount: number
  /** Number of baseline entries that no longer occur. */
  readonly fixedCount: number
}

/**
 * Returns the findings that are not in the baseline file. `text` is undefined if there is no such
 * file.
 */
export function applyBaseline(
  diagnostics: readonly Diagnostic[],
  text: string | undefined,
): BaselineResult {
  const known = text === undefined ? {} : readBaseline(text)
  if (known === undefined) {
    const fresh = [...diagnostics]
    reportUnreadable((one) => fresh.push(one))
    return { fresh, knownCount: 0, fixedCount: 0 }
  }
  const entries = Object.entries(known).flatMap(([file, findings]) =>
    findings.map((finding) => `${file}\n${finding}`),
  )
  const { fresh, left } = subtract(diagnostics, entries)
  return { fresh, knownCount: diagnostics.length - fresh.length, fixedCount: left }
}

/** Returns the findings that did not exist before, even if lines have moved. */
export function newFindings(
  diagnostics: readonly Diagnostic[],
  before: readonly Diagnostic[],
): readonly Diagnostic[] {
  return subtract(diagnostics, before.map(keyOf)).fresh
}

/**
 * Removes one finding for each entry with the same key. `left` is the number of entries without a
 * finding.
 */
function subtract(
  diagnostics: readonly Diagnostic[],
  entries: readonly string[],
): { readonly fresh: readonly Diagnostic[]; readonly left: number } {
  const counts = new Map<string, number>()
  for (const key of entries) add(counts, key, 1)
  const fresh = diagnostics.filter((diagnostic) => {
    const key = keyOf(diagnostic)
    if ((counts.get(key) ?? 0) === 0) return true
    add(counts, key, -1)
    return false
  })
  return { fresh, left: counts.values().reduce((sum, count) => sum + count, 0) }
}

/** Returns the text of a baseline with every error and warning. */
export function printBaseline(diagnostics: readonly Diagnostic[]): string {
  const byFile = Map.groupBy(
    diagnostics.filter(({ severity }) => severity !== 'note'),
    ({ place }) => place.file,
  )
  const files = [...byFile.keys()].toSorted()
  const findings = Object.fromEntries(
    files.map((file) => [file, (byFile.get(file) ?? []).map(print).toSorted()]),
  )
  return `${JSON.stringify({ version: VERSION, findings }, null, 2)}\n`
}

/** Returns undefined if the text is not a baseline with the current version number. */
function readBaseline(text: string): Baseline | undefined {
  try {
    const { version, findings } = JSON.parse(text) as Record<string, unknown>
    if (version !== VERSION || typeof findings !== 'object' || findings === null) return undefined
    const isList = (value: unknown) =>
      Array.isArray(value) && value.every((one) => typeof one === 'string')
    return Object.values(findings).every(isList) ? (findings as Baseline) : undefined
  } catch {
    return undefined
  }
}

function reportUnreadable(report: Report): void {
  report(
    diagnose(
      'check/baseline',
      { file: BASELINE_FILE, line: 1, column: 1 },
      {
        message: 'This version of Octavo cannot read the baseline, so every finding is reported.',
        hint: 'Write the baseline again with `octavo check --write-baseline`.',
      },
    ),
  )
}

const print = ({ code, message }: Diagnostic) => `${code}: ${message.replaceAll(POSITION, '$1')}`

const keyOf = (one: Diagnostic) => `${one.place.file}\n${print(one)}`

function add(counts: Map<string, number>, key: string, change: number): void {
  counts.set(key, (counts.get(key) ?? 0) + change)
}
