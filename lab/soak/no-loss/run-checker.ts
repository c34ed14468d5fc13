/** Runs stage, writers, readers and chaos once, and then reaches a verdict. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Chaos, startChaos } from './chaos.ts'
import type { SharedWork } from './export-work.ts'
import { createPageClient } from './page-client.ts'
import { type PartitionWork, startPartitionWork } from './partition-work.ts'
import { type Reader, startExporter, startWindowReader } from './readers.ts'
import { type Stage, startStage } from './stage.ts'
import type { Variant } from './variants.ts'
import { isClean, reachVerdict, type Verdict } from './verdict.ts'
import { startWriterFleet, type WriterFleet } from './writer-fleet.ts'

export type RunOptions = {
  readonly variant: Variant
  /** The numbers of acknowledged turns, windows and seconds after which the run ends. */
  readonly rows: number
  readonly windows: number
  readonly secondsMax: number
  readonly report: (line: string) => void
  readonly signal: AbortSignal
}

export type RunResult = {
  readonly verdict: Verdict
  readonly acked: number
  /** The number of seconds in which writers wrote. */
  readonly seconds: number
  /** True if the run reached its targets for rows and windows. */
  readonly isComplete: boolean
  readonly counts: WriterFleet['counts'] & Chaos['counts'] & PartitionWork['counts']
  readonly pages: number
  readonly statuses: ReadonlyMap<string, number>
  readonly writerErrors: ReadonlyMap<string, number>
  readonly serviceErrors: readonly string[]
  /** The export work of each server, if there was a replica. */
  readonly sharedWork: SharedWork | undefined
}

const PROCESSES = 4
const WRITERS_PER_PROCESS = 4
const LOOK_MS = 200
const REPORT_MS = 10_000
/** The time to wait after the last acknowledgment. No variant hides a row for that long. */
const SETTLE_MS = 1_000
const DRAIN_MS_MAX = 120_000
const WINDOW_PAUSE_MS_MAX = 60

export async function runChecker(options: RunOptions): Promise<RunResult> {
  const { sql, workload } = options.variant
  const stage = await startStage({ sql, hasReplica: workload.hasReplica ?? false })
  try {
    return await runOn(stage, options)
  } finally {
    await stage.stop()
  }
}

async function runOn(stage: Stage, options: RunOptions): Promise<RunResult> {
  const { variant, rows, windows, secondsMax, report, signal } = options
  const { workload } = variant
  const client = createPageClient(stage)
  let isFinishing = false
  const shared = { client, isFinishing: () => isFinishing }
  const windowReader = workload.windows
    ? startWindowReader({ ...shared, name: 'windows', pauseMsMax: WINDOW_PAUSE_MS_MAX })
    : undefined
  const exporters = Array.from({ length: workload.exporters }, (_, index) =>
    startExporter({ ...shared, name: `exporter ${index}`, pauseMsMax: workload.pollPauseMsMax }),
  )
  const readers = windowReader === undefined ? exporters : [...exporters, windowReader]
  const watch = createWatch(readers)
  const fleet = startWriterFleet({
    databaseUrl: stage.serviceUrl,
    tenant: stage.tenant,
    noiseTenants: stage.noiseTenants,
    answerBytes: workload.answerBytes,
    niceness: workload.niceness,
    processes: PROCESSES,
    writersPerProcess: WRITERS_PER_PROCESS,
    onAck: watch.note,
  })
  const started = performance.now()
  const elapsed = () => (performance.now() - started) / 1_000
  const windowsRead = () => windowReader?.windows.length ?? windows
  const isComplete = () => fleet.acks.size >= rows && windowsRead() >= windows
  const progress = () =>
    Math.max(Math.min(fleet.acks.size / rows, windowsRead() / windows), elapsed() / secondsMax)
  const chaos = startChaos({ kind: workload.chaos, fleet, stage, progress })
  const partitionWork = startPartitionWork({ kind: workload.partitions ?? 'none', stage })
  const all = Promise.all([chaos.done, partitionWork.done, ...readers.map((reader) => reader.done)])
  let failure: unknown
  all.catch((error: unknown) => {
    failure = error
  })

  let reportedAt = started
  while (!isComplete() && elapsed() < secondsMax && !signal.aborted) {
    await sleep(LOOK_MS)
    failure ??=
      fleet.failure() ?? (stage.isServiceUp() ? undefined : new Error('the service ended'))
    if (failure !== undefined || watch.findLost() !== undefined) break
    if (performance.now() - reportedAt < REPORT_MS) continue
    reportedAt = performance.now()
    const { kills, stops } = fleet.counts
    const { crashes, backendStops } = chaos.counts
    report(
      `${elapsed().toFixed(0).padStart(5)} s  ${fleet.acks.size} acknowledged  ${exporters.map(({ seen }) => seen.size).join('/')} exported  ${windowReader?.windows.length ?? 0} windows  ${kills} kills  ${stops} stops  ${backendStops} backend stops  ${crashes} crashes`,
    )
  }
  const seconds = elapsed()
  const found = watch.findLost()
  if (found !== undefined) report(`after ${seconds.toFixed(1)} s: ${found}`)

  await Promise.all([chaos.stop(), partitionWork.stop()]).catch(() => {
    // `all` below reports the error.
  })
  await fleet.stop()
  await sleep(SETTLE_MS)
  isFinishing = true
  const drained = await Promise.race([
    all.then(() => true),
    sleep(DRAIN_MS_MAX, false, { ref: false }),
  ])
  client.close()
  if (failure !== undefined) throw failure
  if (!drained) throw new Error(`the readers did not get to the end in ${DRAIN_MS_MAX} ms`)
  const sharedWork = await stage.readSharedWork()
  const verdict = await reachVerdict({ stage, acks: fleet.acks, exporters, windowReader })
  // A problem that was seen during the run must also be seen at the end. Otherwise the verdict
  // itself is wrong.
  if (found !== undefined && isClean(verdict)) throw new Error(`seen only live: ${found}`)
  return {
    verdict,
    acked: fleet.acks.size,
    seconds,
    isComplete: isComplete(),
    counts: { ...fleet.counts, ...chaos.counts, ...partitionWork.counts },
    pages: exporters.reduce((sum, exporter) => sum + exporter.pages(), 0),
    statuses: client.statuses,
    writerErrors: fleet.errors,
    serviceErrors: stage.serviceErrors,
    sharedWork,
  }
}

/** Watches during the run whether a reader skips an acknowledged row. */
function createWatch(readers: readonly Reader[]) {
  const waiting = readers.map((): string[] => [])
  return {
    note(id: string): void {
      for (const ids of waiting) ids.push(id)
    },
    findLost(): string | undefined {
      for (const [place, reader] of readers.entries()) {
        const ids = (waiting[place] ?? []).filter((id) => !reader.seen.has(id))
        waiting[place] = ids
        const lost = ids.find((id) => reader.hasPassed(id))
        if (lost !== undefined) return `${reader.name} went past ${lost} and did not get it`
      }
      return undefined
    },
  }
}
