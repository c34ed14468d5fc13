/** Answers the requests of playgrounds while an author edits the site. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { MockApi, type Specification } from '@octavo/openapi'
import { answerRequest } from '../mock/answer-request.ts'
import type { SeenRequest } from '../mock/recent-requests.ts'

type DevMockInput = {
  readonly specification: (source: string) => Specification | undefined
  readonly now: () => number
  readonly onRequest: (seen: SeenRequest) => void
}

export class DevMock {
  readonly #input: DevMockInput
  /** An edit makes another specification, so that its old one is forgotten. */
  readonly #apis = new WeakMap<Specification, MockApi>()

  constructor(input: DevMockInput) {
    this.#input = input
  }

  /** Answers a request to `<encoded specification>/<path>`. */
  async answer(request: IncomingMessage, response: ServerResponse, rest: string): Promise<void> {
    const slash = rest.indexOf('/')
    const source = decode(slash === -1 ? rest : rest.slice(0, slash))
    const specification = this.#input.specification(source)
    const apis = specification === undefined ? [] : [this.#apiOf(specification)]
    const target = slash === -1 ? '/' : rest.slice(slash)
    const { now, onRequest } = this.#input
    onRequest(await answerRequest(request, response, { apis, target, now }))
  }

  #apiOf(specification: Specification): MockApi {
    const known = this.#apis.get(specification) ?? new MockApi(specification)
    this.#apis.set(specification, known)
    return known
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A malformed name is the name of no specification.
    return ''
  }
}
