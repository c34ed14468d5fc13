/** A thread that reads one page again and again until it is told to stop; it gives the milliseconds. */
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { visit } from '../../packages/service/src/testing/test-deployment.ts'

const PAGE_EVERY_MS = 20
const { port, host } = workerData as { readonly port: number; readonly host: string }
const times: number[] = []
let isOver = false
parentPort?.once('message', () => {
  isOver = true
})
while (!isOver) {
  const started = performance.now()
  await visit(port, host, '/water')
  times.push(performance.now() - started)
  await sleep(PAGE_EVERY_MS)
}
parentPort?.postMessage(times)
