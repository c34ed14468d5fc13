/** Compares a host's CPU time per request for two kinds of load, in turn. Linux only; needs wrk. */
import { spawnSync } from 'node:child_process'
import { preciseCpuMs } from '../../parts/export/cpu-time.ts'
import { median, sum } from '../../parts/export/print-table.ts'

const PAIRS = 10
/**
 * The number of turns of each kind in a pair. The kinds alternate every second, so that other load
 * affects both.
 */
const TURNS = 4
const SECONDS = 1
const CONNECTIONS = 16

export type PageLoad = {
  readonly host: string
  readonly path: string
  /** A wrk script that builds each request. */
  readonly script?: string | undefined
}

type HostProcess = { readonly port: number; readonly pid: () => number }

export function needWrk(): void {
  if (spawnSync('wrk', ['-v']).error === undefined) return
  console.log('wrk is missing: apt-get install wrk')
  process.exit(1)
}

/** Returns microseconds per request of each kind, and the ratios of the pairs. */
export function compareCost(host: HostProcess, loads: readonly [PageLoad, PageLoad]) {
  const measure = (load: PageLoad) => {
    const before = preciseCpuMs(host.pid())
    const count = send(host.port, load)
    return { ms: preciseCpuMs(host.pid()) - before, count }
  }
  const cost = (turns: readonly ReturnType<typeof measure>[]) =>
    (sum(turns.map(({ ms }) => ms)) * 1_000) / sum(turns.map(({ count }) => count))
  const pairs = Array.from({ length: PAIRS }, () => {
    const turns = Array.from({ length: TURNS }, () => loads.map(measure))
    return loads.map((_, index) => cost(turns.flatMap((turn) => turn[index] ?? [])))
  })
  const ratios = pairs.map(([one = 0, other = 0]) => other / one)
  return {
    pairs: PAIRS,
    micros: loads.map((_, index) => median(pairs.map((pair) => pair[index] ?? 0)).toFixed(0)),
    ratio: median(ratios),
    ratios: ratios.map((one) => one.toFixed(2)).join(', '),
  }
}

/** Returns the number of completed requests. */
function send(port: number, { host, path, script }: PageLoad): number {
  const { stdout } = spawnSync(
    'wrk',
    [
      ...['-t1', `-c${CONNECTIONS}`, `-d${SECONDS}s`],
      ...['-H', `Host: ${host}`, '-H', 'Accept-Encoding: br'],
      ...(script === undefined ? [] : ['-s', script]),
      `http://127.0.0.1:${port}${path}`,
    ],
    { encoding: 'utf8' },
  )
  const [, count = ''] = /(\d+) requests in/.exec(stdout) ?? []
  if (/Non-2xx or 3xx/.test(stdout) || !(Number(count) > 0)) throw new Error(stdout)
  return Number(count)
}
