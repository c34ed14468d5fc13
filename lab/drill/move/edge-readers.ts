/**
 * Reads all sites through the edge during the whole move, and checks that every page is served
 * correctly.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { visit } from '../../../packages/service/testing/test-deployment.ts'

export type ReadSite = { readonly host: string; readonly text: string }

const TIMEOUT_MS = 60_000
const ERRORS_MAX = 20

export function startEdgeReaders(options: {
  readonly port: number
  readonly sites: readonly ReadSite[]
  readonly count: number
  readonly pauseMs: number
}) {
  const { port, sites, count, pauseMs } = options
  const errors: string[] = []
  let reads = 0
  let failed = 0
  let isOver = false
  const fail = (line: string) => {
    failed += 1
    if (errors.length < ERRORS_MAX) errors.push(line)
  }

  async function read(first: number): Promise<void> {
    for (let index = first; !isOver; index += count) {
      const site = sites[index % sites.length]
      if (site === undefined) return
      const reply = await visit(port, site.host, '/', { timeoutMs: TIMEOUT_MS }).catch(
        (error: Error) => error,
      )
      reads += 1
      if (reply instanceof Error) fail(`${site.host}: ${reply.message}`)
      else if (reply.status !== 200 || !reply.bytes.includes(site.text))
        fail(`${site.host}: ${reply.status} ${reply.bytes.toString('utf8').slice(0, 80)}`)
      await sleep(pauseMs)
    }
  }

  const all = Promise.all(Array.from({ length: count }, (_, first) => read(first)))
  return {
    stop: async () => {
      isOver = true
      await all
      return { reads, failed, errors }
    },
  }
}
