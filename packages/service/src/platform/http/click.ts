/**
 * Groups the calls of API routes that the dashboard makes for one click. The calls stay within this
 * process and follow the same rules as requests.
 */
import { SharedReads } from '../database/shared-reads.ts'
import type { SignedIn } from './caller.ts'
import type { Admitted, Frame, Route } from './route.ts'

export class Click {
  /** True if the dashboard uses the response values directly, without serializing them. */
  readonly takesValues: boolean
  /** Shares one transaction per tenant among all reads of the click. */
  readonly reads = new SharedReads()
  #person: SignedIn
  #isCounted = false

  constructor(person: SignedIn, takesValues: boolean) {
    this.#person = person
    this.takesValues = takesValues
  }

  /** Returns the person who clicked. */
  get person(): SignedIn {
    return this.#person
  }

  /**
   * Discards the memberships after a change, because it may affect roles. Later calls read them
   * again.
   */
  recordChange(): void {
    this.#person = { ...this.#person, memberships: undefined }
  }

  /**
   * Counts a call that belongs to the click. All reads together count as one request, and each
   * change counts as another.
   */
  count(frame: Frame, caller: Admitted, route: Pick<Route, 'method' | 'caller'>) {
    if (this.#isCounted && route.method === 'GET') return {}
    this.#isCounted = true
    return frame.countRequest(caller, route.caller)
  }
}

/** Returns a response for use in this process: its value is neither serialized nor parsed. */
export const valueResponse = (value: unknown, status: number): Response =>
  Object.defineProperty(new Response(null, { status }), 'json', { value: async () => value })
