/**
 * Sends questions to the service. If a proxy buffers the stream, the answer arrives late and all at
 * once. The question is then not sent again, but later questions request JSON, which such a proxy
 * does not delay. If a stream ends without an answer, the question is sent again as JSON.
 */
import { type AnswerPart, type Outcome, readParts } from './read-parts.ts'
import type { Source } from './render-answer.ts'

export type FaultKind = 'busy' | 'offline' | 'failed'

/** An error that says why there is no answer. */
export class Fault extends Error {
  readonly kind: FaultKind
  constructor(kind: FaultKind) {
    super(kind)
    this.kind = kind
  }
}

export type Question = {
  /** The conversation's ID. */
  readonly thread: string
  /** Earlier questions and answers, alternating, followed by the new question. */
  readonly texts: readonly string[]
  readonly page: string | undefined
  readonly selection: string | undefined
}

export type Ended = Outcome & { readonly sources: readonly Source[]; readonly text?: string }

export type Rating = {
  readonly conversation: string
  readonly token: string
  readonly helpful: boolean
  readonly reason?: string | undefined
  readonly note?: string | undefined
}

/** A ticket, or the challenge that must be solved to get one. */
type Offer = {
  readonly ticket: string
  readonly challenge?: object
  readonly starterQuestions?: readonly unknown[]
}

/** The name of the script that solves the challenge. */
declare const PROOF_NAME: string

/** If the first part of a stream takes this long, a proxy is assumed to buffer streams. */
export const FIRST_PART_MS = 5_000
const STARTERS_MAX = 3
const HISTORY_MAX = 10

export class AssistantClient {
  readonly #base: string
  #offer: Promise<Offer> | undefined
  #ticket: Promise<string> | undefined
  /** True if a proxy buffers streams. */
  #isBuffered = false

  constructor(base: string) {
    this.#base = base
  }

  /** Returns suggested first questions. */
  async starters(): Promise<readonly string[]> {
    const { starterQuestions = [] } = await this.#getOffer()
    return starterQuestions.map(String).slice(0, STARTERS_MAX)
  }

  async rate(rating: Rating): Promise<void> {
    await send(this.#at('feedback'), jsonPost(rating))
  }

  /**
   * Calls `give` with each part of the answer as it arrives. Throws a `Fault`, or the abort reason
   * of the signal.
   */
  async ask(
    question: Question,
    { signal, give }: { readonly signal: AbortSignal; readonly give: (part: AnswerPart) => void },
  ): Promise<Ended> {
    if (this.#isBuffered) return this.#askWhole(question, signal)
    const started = performance.now()
    const response = await this.#post(question, { signal, accept: 'text/event-stream' })
    if (response.headers.get('content-type')?.includes('json')) return response.json()
    let outcome: Outcome | undefined
    let isFirst = true
    const sources: Source[] = []
    const take = (part: AnswerPart) => {
      if (isFirst) this.#isBuffered = performance.now() - started > FIRST_PART_MS
      isFirst = false
      if (part.type === 'error') throw new Fault('failed')
      if (part.type === 'source-url') sources.push({ url: part.url, title: part.title })
      else if (part.type === 'data-outcome') outcome = part.data
      else give(part)
    }
    try {
      if (response.body !== null) await readParts(response.body, take)
    } catch (error) {
      if (error instanceof Fault || signal.aborted || !isFirst) throw error
    }
    signal.throwIfAborted()
    if (outcome !== undefined) return { ...outcome, sources }
    if (!isFirst) throw new Fault('failed')
    this.#isBuffered = true
    return this.#askWhole(question, signal)
  }

  async #askWhole(question: Question, signal: AbortSignal): Promise<Ended> {
    return (await this.#post(question, { signal, accept: 'application/json' })).json()
  }

  async #post(
    { thread, texts, page, selection }: Question,
    { signal, accept }: { readonly signal: AbortSignal; readonly accept: string },
  ): Promise<Response> {
    const messages = texts.slice(-HISTORY_MAX - 1).map((text, index, all) => ({
      role: (all.length - index) % 2 === 1 ? 'user' : 'assistant',
      parts: [{ type: 'text', text }],
    }))
    const body = { id: thread, messages, page, selection, scope: searchScope() }
    const ask = async () =>
      send(this.#at('messages'), {
        ...jsonPost({ ...body, ticket: await this.#getTicket() }, { accept }),
        signal,
      })
    try {
      return await ask()
    } catch (error) {
      // A ticket expires after some time and after some questions. The service did not process this
      // question, so a retry is safe.
      if (!(error instanceof Fault) || error.message !== 'ticket') throw error
      this.#forget()
      return ask()
    }
  }

  #getTicket(): Promise<string> {
    this.#ticket ??= this.#getOffer().then((offered) =>
      offered.challenge ? this.#prove(offered) : offered.ticket,
    )
    this.#ticket.catch(() => this.#forget())
    return this.#ticket
  }

  #getOffer(): Promise<Offer> {
    this.#offer ??= send(this.#at('ticket')).then((response) => response.json())
    this.#offer.catch(() => this.#forget())
    return this.#offer
  }

  async #prove({ challenge }: Offer): Promise<string> {
    const { solveProof } = await import(new URL(`${PROOF_NAME}.js`, import.meta.url).href)
    const proof = { challenge, solution: await solveProof(challenge) }
    const { ticket } = await (await send(this.#at('ticket'), jsonPost(proof))).json()
    return ticket
  }

  #forget(): void {
    this.#offer = this.#ticket = undefined
  }

  #at(path: string): string {
    return `${this.#base}/_octavo/assistant/${path}`
  }
}

const jsonPost = (value: object, headers = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value),
})

async function send(url: string, init: RequestInit = {}): Promise<Response> {
  let response: Response
  try {
    response = await fetch(url, { ...init, cache: 'no-store' })
  } catch (error) {
    init.signal?.throwIfAborted()
    throw new Fault(navigator.onLine && !(error instanceof Fault) ? 'failed' : 'offline')
  }
  if (response.ok) return response
  const { status } = response
  if (status === 401) throw Object.assign(new Fault('failed'), { message: 'ticket' })
  throw new Fault([404, 429, 503].includes(status) ? 'busy' : 'failed')
}

/** Returns the search scope of this page: its language and version. */
function searchScope(): string | undefined {
  const index = document.querySelector<HTMLElement>('[data-oct=search]')?.dataset.index ?? ''
  return /\/_octavo\/search\/([\w.-]{1,100}?)\.bin/.exec(index)?.[1]
}
