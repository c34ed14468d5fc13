/**
 * Groups the routes that the dashboard calls for one click, within this process and by the same
 * rules as requests.
 */
import { SharedReads } from '../database/shared-reads.ts'
import type { SignedIn } from './caller.ts'
import type { Admitted, Frame, Route } from './route.ts'

export class Click {
  /** True if responses are used in this process, so they are not serialized. */
  readonly takesValues: boolean
  /** Shares one transaction per tenant between all reads. */
  readonly reads = new SharedReads()
  #person: SignedIn
  #isCounted = false

  constructor(person: SignedIn, takesValues: boolean) {
    this.#person = person
    this.takesValues = takesValues
  }

  /** The signed-in person. */
  get person(): SignedIn {
    return this.#person
  }

  /**
   * Discards the memberships, because a change may affect roles, so later calls read them again.
   */
  recordChange(): void {
    this.#person = { ...this.#person, memberships: undefined }
  }

  /** Counts all reads of the click as one request, and each change as one. */
  count(frame: Frame, caller: Admitted, route: Pick<Route, 'method' | 'caller'>) {
    if (this.#isCounted && route.method === 'GET') return {}
    this.#isCounted = true
    return frame.countRequest(caller, route.caller)
  }
}

/** Returns a response for use in this process: its value is neither serialized nor parsed. */
export const valueResponse = (value: unknown, status: number): Response =>
  Object.defineProperty(new Response(null, { status }), 'json', { value: async () => value })
