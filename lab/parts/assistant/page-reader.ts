/** Reads pages in a separate thread, so that other work of the bench cannot slow it down. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type Percentiles, percentiles } from './percentiles.ts'

export type PageReader = {
  /** Reads pages until the work is done. */
  readonly during: <Result>(
    work: () => Promise<Result>,
  ) => Promise<{ readonly pages: Percentiles; readonly result: Result }>
  readonly end: () => void
}

export function startPageReader(site: {
  readonly port: number
  readonly host: string
}): PageReader {
  const file = new URL('./read-pages.ts', import.meta.url)
  const worker = new Worker(file, { workerData: site, execArgv: ['--no-warnings'] })
  return {
    async during(work) {
      worker.postMessage('start')
      const result = await work()
      worker.postMessage('stop')
      const [times] = (await once(worker, 'message')) as [number[]]
      return { pages: percentiles(times), result }
    },
    end: () => worker.postMessage('end'),
  }
}
