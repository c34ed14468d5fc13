/**
 * Requests the sites over HTTP to see which commit they show, and records when a push became live.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { visit } from '../../../packages/service/testing/test-deployment.ts'
import type { QueryDatabase } from './ask-database.ts'
import type { Line, Push } from './pushes.ts'
import { numberOn } from './soak-projects.ts'

type WatchOptions = {
  readonly port: number
  readonly previewsDomain: string
  readonly pushes: readonly Push[]
  readonly ask: QueryDatabase
}

const ROUND_MS = 500
const VISIT_MS_MAX = 5_000

export function watchSites({ port, previewsDomain, pushes, ask }: WatchOptions) {
  const previewHosts = new Map<string, string>()
  let isOver = false

  async function hostOf({ project, branch }: Line): Promise<string | undefined> {
    if (branch === 'main') return project.host
    const key = `${project.name} ${branch}`
    if (!previewHosts.has(key)) {
      const [row] = await ask<{ name: string }>(
        `select v.name from preview v join project p on p.id = v.project_id
          where p.slug = $1 and v.branch = $2 and v.expires_at > now()`,
        [project.name, branch],
      )
      if (row !== undefined) previewHosts.set(key, `${row.name}.${previewsDomain}`)
    }
    return previewHosts.get(key)
  }

  /**
   * Returns the number of the commit that a site shows; undefined while the site is unreachable.
   */
  async function shownBy(line: Line): Promise<number | undefined> {
    const host = await hostOf(line).catch(() => undefined)
    if (host === undefined) return undefined
    const reply = await visit(port, host, '/', { timeoutMs: VISIT_MS_MAX }).catch(() => undefined)
    return reply?.status === 200 ? numberOn(reply.bytes.toString('utf8')) : undefined
  }

  async function run(): Promise<void> {
    while (!isOver) {
      const waiting = pushes.filter(({ kind, liveMs }) => kind === 'edit' && liveMs === undefined)
      for (const line of new Set(waiting.map(({ line }) => line))) {
        const shown = await shownBy(line)
        if (shown === undefined) continue
        for (const one of waiting)
          if (one.line === line && one.number <= shown) one.liveMs = Date.now()
      }
      await sleep(ROUND_MS, undefined, { ref: false })
    }
  }
  const running = run()

  return {
    shownBy,
    async stop(): Promise<void> {
      isOver = true
      await running
    },
  }
}
