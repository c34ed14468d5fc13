/**
 * The findings that a team accepts for now: `octavo-baseline.json` in the documentation folder.
 * `octavo check --write-baseline` records today's errors and warnings; from then on only new ones
 * are reported. A finding is identified by file, code and message, so it still matches when its
 * lines move.
 */
import { type Diagnostic, diagnose, type Report } from '@octavo/model'

export const BASELINE_FILE = 'octavo-baseline.json'
const VERSION = 1
/** Messages that name another line would not match after it moved. */
const POSITION = /\b(line|column) \d+/g

/** By file, one `code: message` per finding, sorted; a finding that occurs twice is listed twice. */
type Baseline = Readonly<Record<string, readonly string[]>>

export type BaselineResult = {
  /** Findings that the baseline does not have. */
  readonly fresh: readonly Diagnostic[]
  readonly knownCount: number
  /** Entries of the baseline that are no longer found. */
  readonly fixedCount: number
}

/** Returns the findings that are not in the baseline file. `text` is undefined without such a file. */
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
  const left = new Map<string, number>()
  for (const [file, findings] of Object.entries(known))
    for (const finding of findings) add(left, `${file}\n${finding}`, 1)
  const fresh = diagnostics.filter((diagnostic) => {
    const key = `${diagnostic.place.file}\n${print(diagnostic)}`
    if ((left.get(key) ?? 0) === 0) return true
    add(left, key, -1)
    return false
  })
  const fixedCount = left.values().reduce((sum, count) => sum + count, 0)
  return { fresh, knownCount: diagnostics.length - fresh.length, fixedCount }
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

/** Returns undefined if the text is not a baseline of this version. */
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
        message: 'This is not a baseline that this version can read, so every finding is reported.',
        hint: 'Write it again with `octavo check --write-baseline`.',
      },
    ),
  )
}

const print = ({ code, message }: Diagnostic) => `${code}: ${message.replaceAll(POSITION, '$1')}`

function add(counts: Map<string, number>, key: string, change: number): void {
  counts.set(key, (counts.get(key) ?? 0) + change)
}
