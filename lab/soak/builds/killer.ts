/** Kills parts of the service with SIGKILL at random moments, one at a time, and restarts them. */
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Hosting, ServiceProcess } from '../../../packages/service/testing/start-hosting.ts'
import type { GitProcess } from './git-process.ts'
import { pick } from './pushes.ts'

export const KILLS = ['worker', 'database', 'git', 'service', 'store'] as const
export type Kill = (typeof KILLS)[number]

type KillerOptions = {
  readonly hosting: Hosting
  readonly git: GitProcess
  readonly workers: readonly ServiceProcess[]
  readonly services: readonly ServiceProcess[]
  readonly kinds: readonly Kill[]
  readonly kills: number
  readonly overMs: number
}

type Killable = Pick<ServiceProcess, 'pid' | 'kill' | 'restart'>

const DOWN_MS_MAX = 1_500

export function startKiller(options: KillerOptions) {
  const { hosting, git, workers, services, kinds, kills, overMs } = options
  const counts = new Map<Kill, number>()
  const wrong: string[] = []

  async function killOne(kind: Kill): Promise<void> {
    const downMs = Math.random() * DOWN_MS_MAX
    switch (kind) {
      case 'worker':
        return crash(pick(workers), downMs)
      case 'service':
        return crash(pick(services), downMs)
      case 'git':
        return crash(git, downMs)
      case 'database':
        return hosting.crashDatabase(downMs)
      case 'store':
        await hosting.ceph?.kill()
        await sleep(downMs)
        await hosting.ceph?.restart()
    }
  }

  /**
   * Restarts and reports processes that ended without being killed. They have crashed, since an
   * outage must not end any process.
   */
  async function restartCrashed(): Promise<void> {
    for (const [name, processes] of Object.entries({
      worker: workers,
      service: services,
      git: [git],
    }))
      for (const one of processes) {
        if (existsSync(`/proc/${one.pid()}`)) continue
        wrong.push(`a ${name} process ended by itself`)
        await one.restart()
      }
  }

  async function run(): Promise<void> {
    const began = performance.now()
    for (let index = 0; index < kills; index += 1) {
      const atMs = ((index + Math.random()) * overMs) / kills
      await sleep(Math.max(0, began + atMs - performance.now()))
      const kind = kinds[index % kinds.length] ?? 'worker'
      await killOne(kind)
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
      await restartCrashed()
    }
  }

  return { counts, wrong, restartCrashed, done: run() }
}

async function crash(one: Killable, downMs: number): Promise<void> {
  await one.kill()
  await sleep(downMs)
  await one.restart()
}
