/** Counts requests of each client by the minute. */
const MINUTE_MS = 60_000
/** Clients that are remembered; beyond them the oldest are forgotten. */
const CLIENTS_MAX = 10_000

export class RequestRate {
  readonly #perMinuteMax: number
  readonly #counts = new Map<string, { readonly minute: number; readonly count: number }>()

  constructor(perMinuteMax: number) {
    this.#perMinuteMax = perMinuteMax
  }

  allows(client: string, now: number): boolean {
    const minute = Math.floor(now / MINUTE_MS)
    const known = this.#counts.get(client)
    const count = (known?.minute === minute ? known.count : 0) + 1
    this.#counts.delete(client)
    this.#counts.set(client, { minute, count })
    const [oldest] = this.#counts.keys()
    if (this.#counts.size > CLIENTS_MAX && oldest !== undefined) this.#counts.delete(oldest)
    return count <= this.#perMinuteMax
  }
}
