/**
 * A thread that requests one page at a fixed rate, even if earlier responses are pending, so that a
 * slow response does not hide the next ones. `start` begins a phase; `stop` returns its latencies.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { visit } from '../../../packages/service/testing/test-deployment.ts'

const PAGE_EVERY_MS = 10
const { port, host } = workerData as { readonly port: number; readonly host: string }

let times: number[] = []
let timer: NodeJS.Timeout | undefined

async function read(): Promise<void> {
  const of = times
  const started = performance.now()
  const { status } = await visit(port, host, '/water')
  if (status !== 200) throw new Error(`The page has status ${status}`)
  of.push(performance.now() - started)
}

parentPort?.on('message', (message: 'start' | 'stop' | 'end') => {
  clearInterval(timer)
  if (message === 'end') return process.exit()
  if (message === 'stop') return parentPort?.postMessage(times)
  times = []
  timer = setInterval(() => void read(), PAGE_EVERY_MS)
})
