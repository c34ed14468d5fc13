/** Metrics in the Prometheus text format. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

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

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

export type GaugeSpec = { readonly help: string; readonly read: () => number | Promise<number> }
/** A counter whose value is counted elsewhere and read when metrics are requested. */
type CounterSpec = { readonly help: string; readonly read: () => number }

/** Creates metrics with their own registry, because tests run many services in one process. */
export function createMetrics(
  gauges: Readonly<Record<string, GaugeSpec>>,
  counters: Readonly<Record<string, CounterSpec>>,
): Metrics {
  const registers = [new Registry()]
  const requests = new Counter({
    name: 'octavo_requests_total',
    help: 'Requests by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const seconds = new Histogram({
    name: 'octavo_request_seconds',
    help: 'Duration of requests, by route.',
    labelNames: ['route'],
    buckets: BUCKETS,
    registers,
  })
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
    observe({ method, route, status, ms }) {
      requests.inc({ method, route, status })
      seconds.observe({ route }, ms / 1_000)
    },
    print: async () => (await registers[0]?.metrics()) ?? '',
  }
}
