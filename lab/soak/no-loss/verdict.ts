/** The final comparison: acknowledged rows, rows in the table, and rows that readers received. */
import { ulidMs } from '../../../packages/service/src/platform/ulid.ts'
import type { Exporter, ReadWindow, WindowReader } from './readers.ts'
import type { Stage } from './stage.ts'
import type { Ack } from './writer-fleet.ts'

export type Verdict = {
  /** The number of rows in the table. */
  readonly committed: number
  /** The number of turns whose row comes from an earlier attempt than the acknowledged one. */
  readonly resolvedByRetry: number
  /** The number of acknowledged turns that are not in the table. */
  readonly vanished: number
  /** The number of rows of the table that an exporter never returned. */
  readonly lost: number
  /** The number of turns with two rows, and of rows that were exported twice. */
  readonly duplicates: number
  /**
   * The number of consecutive exported rows whose ids or times do not increase, and of rows whose
   * time differs from that in the id.
   */
  readonly disorder: number
  /** The number of exported rows that are not in the table or differ from what was acknowledged. */
  readonly strangers: number
  readonly windows: number
  /** The number of windows whose rows differ from those in the table. */
  readonly shortWindows: number
  /** The first few findings as examples. */
  readonly examples: readonly string[]
}

export type VerdictInput = {
  readonly stage: Pick<Stage, 'owner' | 'tenant'>
  readonly acks: ReadonlyMap<string, Ack>
  readonly exporters: readonly Exporter[]
  readonly windowReader: WindowReader | undefined
}

const EXAMPLES_MAX = 5

export function isClean(verdict: Verdict): boolean {
  const { vanished, lost, duplicates, disorder, strangers, shortWindows } = verdict
  return vanished + lost + duplicates + disorder + strangers + shortWindows === 0
}

type Row = { readonly id: string; readonly ms: number; readonly turn: string; readonly try: string }

export async function reachVerdict(input: VerdictInput): Promise<Verdict> {
  const { stage, acks, exporters, windowReader } = input
  const rows = await stage.owner.query<Row>(
    `select id, (extract(epoch from recorded_at) * 1000)::float8 as ms, query as turn,
            split_part(response, ' ', 1) as try
       from conversation where project_id = $1 order by id`,
    [stage.tenant.projectId],
  )
  const examples: string[] = []
  const count = (findings: readonly string[], what: string): number => {
    examples.push(...findings.slice(0, EXAMPLES_MAX).map((finding) => `${what}: ${finding}`))
    return findings.length
  }
  const byId = new Map(rows.map((row) => [row.id, row]))
  const acked = [...acks].map(([turn, ack]) => ({ turn, ...ack }))
  const exported = exporters.flatMap((exporter) => exporter.rows)
  const windows = windowReader?.windows ?? []
  return {
    committed: rows.length,
    resolvedByRetry: acked.filter(({ id, attempt }) => (byId.get(id)?.try ?? attempt) !== attempt)
      .length,
    vanished: count(
      acked.filter(({ id }) => !byId.has(id)).map(({ turn }) => turn),
      'acknowledged, but not in the table',
    ),
    lost: count(findLost(rows, exporters), 'in the table, but never exported'),
    duplicates: count(
      [...repeated(rows.map(({ turn }) => turn)), ...exporters.flatMap(findRepeated)],
      'twice',
    ),
    disorder: count(exporters.flatMap(findDisorder), 'out of order'),
    strangers: count(
      [
        ...acked
          .filter(({ turn, id }) => (byId.get(id)?.turn ?? turn) !== turn)
          .map(({ turn }) => turn),
        ...exported
          .filter(({ id, questionId }) => byId.get(id)?.turn !== questionId)
          .map(({ id }) => id),
      ],
      'not as in the table',
    ),
    windows: windows.length,
    shortWindows: count(findShort(rows, windows), 'short window'),
    examples,
  }
}

function findLost(rows: readonly Row[], exporters: readonly Exporter[]): readonly string[] {
  return rows
    .filter(({ id }) => exporters.some(({ seen }) => !seen.has(id)))
    .map(({ id, turn }) => `${id} of turn ${turn}`)
}

function findRepeated(exporter: Exporter): readonly string[] {
  return [
    ...repeated(exporter.rows.map(({ id }) => id)),
    ...repeated(exporter.rows.map(({ questionId }) => questionId)),
  ].map((value) => `${value} in ${exporter.name}`)
}

function repeated(values: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  return values.filter((value) => {
    const isKnown = seen.has(value)
    seen.add(value)
    return isKnown
  })
}

function findDisorder({ rows, name }: Exporter): readonly string[] {
  return rows
    .filter(({ id, timestamp }, place) => {
      const before = rows[place - 1]
      const isAfter = before === undefined || (before.id < id && before.timestamp <= timestamp)
      return !isAfter || Date.parse(timestamp) !== ulidMs(id)
    })
    .map(({ id }) => `${id} in ${name}`)
}

/** Returns the windows with missing rows. Both lists are ordered by time, so one pass is enough. */
function findShort(rows: readonly Row[], windows: readonly ReadWindow[]): readonly string[] {
  let place = 0
  return windows.flatMap(({ fromMs, toMs, ids }) => {
    while ((rows[place]?.ms ?? Number.POSITIVE_INFINITY) < fromMs) place += 1
    const expected: string[] = []
    for (let row = rows[place]; row !== undefined && row.ms < toMs; row = rows[place]) {
      expected.push(row.id)
      place += 1
    }
    if (expected.join() === ids.join()) return []
    const range = `${new Date(fromMs).toISOString()} to ${new Date(toMs).toISOString()}`
    return [`${range}: ${ids.length} rows read, ${expected.length} in the table`]
  })
}
