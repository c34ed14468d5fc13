export type Percentiles = {
  readonly count: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

export function percentiles(times: readonly number[]): Percentiles {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => round(sorted[Math.floor(sorted.length * share)] ?? 0)
  return { count: times.length, p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return round(sorted[Math.floor(sorted.length / 2)] ?? 0)
}

export const round = (number: number) => Math.round(number * 100) / 100
