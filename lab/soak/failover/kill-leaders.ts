/** Kills or freezes the leader repeatedly, each time after the cluster has become healthy. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningPatroni } from './start-patroni.ts'

export type Failover = {
  readonly from: string
  readonly to: string
  /** The time from the kill until another node is the leader. */
  readonly leaderlessMs: number
  /** The time from the kill until three nodes replicate again. */
  readonly wholeMs: number
}

export const METHODS = ['kill', 'freeze'] as const
export type KillMethod = (typeof METHODS)[number]

const LOOK_MS = 50
const LEADERLESS_MS_MAX = 120_000
/**
 * How long the load runs on a healthy cluster before each kill. Requests are not synchronized with
 * it, so the kill hits them at random moments.
 */
const QUIET_MS = 4_000
const QUIET_MORE_MS = 3_000

export async function failOver(patroni: RunningPatroni, way: KillMethod): Promise<Failover> {
  const old = await patroni.waitUntilHealthy()
  await sleep(QUIET_MS + Math.random() * QUIET_MORE_MS)
  const begun = performance.now()
  if (way === 'kill') await old.kill()
  else old.freeze()
  const to = await waitForOther(patroni, old.name)
  const leaderlessMs = performance.now() - begun
  if (way === 'kill') await patroni.restart()
  else {
    old.resume()
    await patroni.waitUntilHealthy()
  }
  return { from: old.name, to, leaderlessMs, wholeMs: performance.now() - begun }
}

async function waitForOther(patroni: RunningPatroni, old: string): Promise<string> {
  const end = performance.now() + LEADERLESS_MS_MAX
  while (performance.now() < end) {
    const leader = await patroni.findLeader()
    if (leader !== undefined && leader.name !== old) return leader.name
    await sleep(LOOK_MS)
  }
  throw new Error(`no node replaced ${old}`)
}
