/**
 * Runs one host, which counts synthetic views with the service's recorder until it has counted
 * enough or is killed.
 */

import { openDatabase } from '../../../packages/service/src/platform/database/database.ts'
import { createFindClientAddress } from '../../../packages/service/src/platform/http/client-address.ts'
import { EventRecorder } from '../../../packages/service/src/reading/analytics/event-recorder.ts'
import { requestOf, syntheticViews } from './synthetic-views.ts'

export type CountOrder = {
  readonly url: string
  readonly seed: number
  readonly first: number
  readonly count: number
  readonly views: number
}

/**
 * A message of the counting process: `begun` before views are counted, and `stored` after a batch
 * of views is in the database.
 */
export type CountReport = {
  readonly begun?: number
  readonly stored?: number
  readonly isEnd?: true
}

/**
 * The number of views in a chunk. Between two chunks, the process does other work, as a host does.
 */
const CHUNK = 500

const order = JSON.parse(process.argv[2] ?? '{}') as CountOrder
const report = (what: CountReport) => process.send?.(what)
const database = openDatabase({ url: order.url, connections: 2 })
const recorder = new EventRecorder({
  database: {
    ...database,
    query: async (text, values = []) => {
      const rows = await database.query(text, values)
      const counts = values[7]
      if (text.includes('store_events') && Array.isArray(counts)) {
        const events = values[4] as readonly string[]
        const stored = counts.reduce(
          (sum: number, one: number, index) => sum + (events[index] === 'view' ? one : 0),
          0,
        )
        report({ stored })
      }
      return rows as never
    },
  },
  findClientAddress: createFindClientAddress(['127.0.0.1/32']),
  now: Date.now,
  onError: (error) => console.error(error),
})
recorder.start()
const views = syntheticViews(order.seed, order)
for (let done = 0; done < order.views; done += CHUNK) {
  report({ begun: done + CHUNK })
  for (let number = 0; number < CHUNK; number += 1) {
    const view = views.next().value
    const subject = `/page-${view.page}`
    recorder.read(String(view.project), { event: 'view', subject }, requestOf(view))
  }
  await new Promise((resolve) => setImmediate(resolve))
}
await recorder.stop()
report({ isEnd: true })
await database.end()
process.disconnect?.()
