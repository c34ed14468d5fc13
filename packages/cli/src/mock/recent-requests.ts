import type { MockProblem } from '@octavo/openapi'

/** A request that the mock answered. Headers and bodies are not kept, since they have credentials. */
export type SeenRequest = {
  readonly method: string
  readonly url: string
  readonly operation?: string
  readonly status: number
  readonly problems: readonly MockProblem[]
  readonly ms: number
}

const REQUESTS_MAX = 100

/** Keeps the last requests, the newest first. */
export class RecentRequests {
  #list: readonly SeenRequest[] = []

  get list(): readonly SeenRequest[] {
    return this.#list
  }

  add(seen: SeenRequest): void {
    this.#list = [seen, ...this.#list].slice(0, REQUESTS_MAX)
  }
}
