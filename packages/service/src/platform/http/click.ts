/** The dashboard calls several routes for one click, in this process and by the same rules as a request. */
import { SharedReads } from '../database/shared-reads.ts'
import type { SignedIn } from './caller.ts'
import type { Admitted, Frame, Route } from './route.ts'

export class Click {
  /** The replies are read in this process, so they are not printed. */
  readonly takesValues: boolean
  /** What it reads of one tenant is read in one transaction. */
  readonly reads = new SharedReads()
  #person: SignedIn
  #isCounted = false

  constructor(person: SignedIn, takesValues: boolean) {
    this.#person = person
    this.takesValues = takesValues
  }

  /** Who is signed in. */
  get person(): SignedIn {
    return this.#person
  }

  /** A change may be about roles, so what is called after it reads them again. */
  noteChange(): void {
    this.#person = { ...this.#person, memberships: undefined }
  }

  /** Counts what it reads as one request, and each change that it makes. */
  count(frame: Frame, caller: Admitted, route: Pick<Route, 'method' | 'caller'>) {
    if (this.#isCounted && route.method === 'GET') return {}
    this.#isCounted = true
    return frame.countRequest(caller, route.caller)
  }
}

/** A reply that does not leave this process: its value is neither printed nor parsed. */
export const valueReply = (value: unknown, status: number): Response =>
  Object.defineProperty(new Response(null, { status }), 'json', { value: async () => value })
