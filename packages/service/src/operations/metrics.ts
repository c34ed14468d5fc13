/** Counters in the text format of Prometheus. */
type Observation = {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly ms: number
}

export type Metrics = {
  readonly observe: (observation: Observation) => void
  readonly print: () => string
}

const BUCKETS_MS = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000]

export function createMetrics(gauges: Readonly<Record<string, () => number>>): Metrics {
  const requests = new Map<string, number>()
  const buckets = new Map<string, number[]>()
  const sums = new Map<string, { count: number; ms: number }>()
  return {
    observe({ method, route, status, ms }) {
      const labels = `method="${method}",route="${route}",status="${status}"`
      requests.set(labels, (requests.get(labels) ?? 0) + 1)
      const known = buckets.get(route) ?? BUCKETS_MS.map(() => 0)
      buckets.set(route, known)
      BUCKETS_MS.forEach((bound, index) => {
        if (ms <= bound) known[index] = (known[index] ?? 0) + 1
      })
      const sum = sums.get(route) ?? { count: 0, ms: 0 }
      sums.set(route, { count: sum.count + 1, ms: sum.ms + ms })
    },
    print() {
      const lines = ['# TYPE octavo_requests_total counter']
      for (const [labels, count] of requests)
        lines.push(`octavo_requests_total{${labels}} ${count}`)
      lines.push('# TYPE octavo_request_seconds histogram')
      for (const [route, counts] of buckets) {
        const sum = sums.get(route) ?? { count: 0, ms: 0 }
        counts.forEach((count, index) => {
          const bound = (BUCKETS_MS[index] ?? 0) / 1_000
          lines.push(`octavo_request_seconds_bucket{route="${route}",le="${bound}"} ${count}`)
        })
        lines.push(`octavo_request_seconds_bucket{route="${route}",le="+Inf"} ${sum.count}`)
        lines.push(`octavo_request_seconds_sum{route="${route}"} ${sum.ms / 1_000}`)
        lines.push(`octavo_request_seconds_count{route="${route}"} ${sum.count}`)
      }
      for (const [name, read] of Object.entries(gauges)) {
        lines.push(`# TYPE ${name} gauge`, `${name} ${read()}`)
      }
      return `${lines.join('\n')}\n`
    },
  }
}
