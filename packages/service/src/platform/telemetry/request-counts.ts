/**
 * Counts requests and their durations for the metrics. The client library prepares the labels again
 * for each observation, which takes longer than looking up a page, so counts are kept here and
 * printed when metrics are requested.
 */
import type { Observation } from './metrics.ts'

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

type RouteCounts = {
  /** The counts by status, for each method. */
  readonly methods: Map<string, Map<number, number>>
  /** How many requests took at most the seconds of a bucket, and longer than the one before. */
  readonly buckets: number[]
  seconds: number
  count: number
}

export class RequestCounts {
  readonly #routes = new Map<string, RouteCounts>()

  add({ method, route, status, ms }: Observation): void {
    const counts = this.#of(route)
    let statuses = counts.methods.get(method)
    if (statuses === undefined) {
      statuses = new Map()
      counts.methods.set(method, statuses)
    }
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const seconds = ms / 1_000
    counts.seconds += seconds
    counts.count += 1
    const bucket = BUCKETS.findIndex((limit) => seconds <= limit)
    if (bucket >= 0) counts.buckets[bucket] = (counts.buckets[bucket] ?? 0) + 1
  }

  /** Prints the counts in the Prometheus text format. */
  print(): string {
    const requests = [...this.#routes].flatMap(([route, { methods }]) =>
      [...methods].flatMap(([method, statuses]) =>
        [...statuses].map(
          ([status, count]) =>
            `octavo_requests_total{${labels({ method, route, status: `${status}` })}} ${count}`,
        ),
      ),
    )
    const seconds = [...this.#routes].flatMap(([route, counts]) => printSeconds(route, counts))
    return [
      '# HELP octavo_requests_total Requests by method, route and status.',
      '# TYPE octavo_requests_total counter',
      ...requests,
      '',
      '# HELP octavo_request_seconds Duration of requests, by route.',
      '# TYPE octavo_request_seconds histogram',
      ...seconds,
      '',
    ].join('\n')
  }

  #of(route: string): RouteCounts {
    const known = this.#routes.get(route)
    if (known !== undefined) return known
    const made = { methods: new Map(), buckets: BUCKETS.map(() => 0), seconds: 0, count: 0 }
    this.#routes.set(route, made)
    return made
  }
}

function printSeconds(route: string, { buckets, seconds, count }: RouteCounts): readonly string[] {
  let sum = 0
  const lines = BUCKETS.map((limit, index) => {
    sum += buckets[index] ?? 0
    return `octavo_request_seconds_bucket{${labels({ le: `${limit}`, route })}} ${sum}`
  })
  return [
    ...lines,
    `octavo_request_seconds_bucket{${labels({ le: '+Inf', route })}} ${count}`,
    `octavo_request_seconds_sum{${labels({ route })}} ${seconds}`,
    `octavo_request_seconds_count{${labels({ route })}} ${count}`,
  ]
}

function labels(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(',')
}
