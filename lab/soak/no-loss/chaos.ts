import { setTimeout as sleep } from 'node:timers/promises'
import type { Stage } from './stage.ts'
import type { Workload } from './variants.ts'
import type { WriterFleet } from './writer-fleet.ts'

export type ChaosOptions = {
  readonly kind: Workload['chaos']
  readonly fleet: WriterFleet
  readonly stage: Stage
  /** Returns the progress of the run, from 0 to 1. */
  readonly progress: () => number
}

const TURN_MS = { min: 100, max: 700 }
const PAUSE_MS = { min: 50, max: 750 }
const BACKEND_PAUSE_MS = { min: 50, max: 400 }
const DOWN_MS = { min: 200, max: 800 }
/** The number of database crashes, which are spread over the run. */
const CRASHES = 8

export type Chaos = ReturnType<typeof startChaos>

/** Kills and pauses processes at random until it is stopped. */
export function startChaos({ kind, fleet, stage, progress }: ChaosOptions) {
  const counts = { crashes: 0, backendStops: 0 }
  let isStopping = kind === 'none'

  async function run(): Promise<void> {
    while (!isStopping) {
      await sleep(between(TURN_MS))
      if (isStopping) return
      if (kind === 'all' && progress() > (counts.crashes + 0.5) / CRASHES) {
        counts.crashes += 1
        await stage.crashDatabase(between(DOWN_MS))
        continue
      }
      const dice = Math.random()
      if (dice < 0.4) fleet.kill()
      else if (dice < 0.8 || kind !== 'all') fleet.pause(between(PAUSE_MS))
      else if (await stage.pauseBackend(between(BACKEND_PAUSE_MS))) counts.backendStops += 1
    }
  }
  const done = run()
  return {
    counts: counts as Readonly<typeof counts>,
    /** Rejects if the database does not recover. */
    done,
    async stop(): Promise<void> {
      isStopping = true
      await done
    },
  }
}

function between({ min, max }: { readonly min: number; readonly max: number }): number {
  return min + Math.random() * (max - min)
}
