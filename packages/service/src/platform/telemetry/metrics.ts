/** Metrics in the Prometheus text format. */
import { Counter, Gauge, Registry } from 'prom-client'
import { RequestCounts } from './request-counts.ts'

export type Observation = {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly ms: number
  /** The request id of the API; undefined for requests to sites. */
  readonly requestId?: string
}

export type Metrics = {
  readonly observe: (observation: Observation) => void
  readonly print: () => Promise<string>
}

export type GaugeSpec = { readonly help: string; readonly read: () => number | Promise<number> }
/** A counter whose value is counted elsewhere and read when metrics are requested. */
type CounterSpec = { readonly help: string; readonly read: () => number }

/** Creates metrics with their own registry, because tests run many services in one process. */
export function createMetrics(
  gauges: Readonly<Record<string, GaugeSpec>>,
  counters: Readonly<Record<string, CounterSpec>>,
): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const requests = new RequestCounts()
  for (const [name, { help, read }] of Object.entries(gauges)) {
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        // A gauge that needs the database is omitted while the database is unreachable.
        const value = await Promise.resolve(read()).catch(() => undefined)
        if (value !== undefined) this.set(value)
      },
    })
  }
  for (const [name, { help, read }] of Object.entries(counters)) {
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset()
        this.inc(read())
      },
    })
  }
  return {
    observe: (observation) => requests.add(observation),
    print: async () => `${requests.print()}\n${await registry.metrics()}`,
  }
}
