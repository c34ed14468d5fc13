/**
 * Sends a request to a model server. It is sent again once if the server is busy or down, and once
 * for each field that the server rejects. Rejected fields are remembered.
 */

import type { ModelSettings } from '@octavo/contract'
import { printable } from '@octavo/model'
import { type OutboundStream, openOutbound, printOutboundFailure } from '@octavo/outbound'
import type { ModelFailure } from './chat.ts'
import { errorText, type Quirks } from './chat-format.ts'
import { lacksVersion, modelHeaders, modelUrl } from './model-address.ts'

export const MODEL_LIMITS = {
  /**
   * The time from the request to the first word. A local server may need minutes to read a long
   * prompt.
   */
  firstWordMsMax: 180_000,
  /** The time between two pieces of the answer, after the first word. */
  silenceMsMax: 30_000,
  /** The time from the request to the end of the answer. */
  totalMsMax: 300_000,
  /** The time to wait for the token usage after the end. Some servers leave the connection open. */
  afterEndMsMax: 2_000,
  responseBytesMax: 8_000_000,
  /** If a server asks for a longer wait, the request is not sent again. */
  retryAfterMsMax: 20_000,
  retryMs: 1_000,
} as const

export type ModelLimits = { readonly [Name in keyof typeof MODEL_LIMITS]: number }

export type ModelDeps = {
  /** Hosts that may be on a private network, such as that of the operator's model. */
  readonly allowPrivateHosts: readonly string[]
  readonly limits: ModelLimits
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly now: () => number
}

export type ModelRequest = {
  readonly path: string
  readonly method: 'GET' | 'POST'
  readonly writeBody?: (quirks: Quirks) => object
}

export type ModelReply =
  | OutboundStream
  | { readonly kind: 'failed'; readonly failure: ModelFailure }

const BUSY: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504, 529])
const MESSAGE_CHARACTERS_MAX = 300
const ERROR_BYTES_MAX = 100_000

export class ModelSender {
  readonly settings: ModelSettings
  readonly limits: ModelLimits
  readonly #deps: ModelDeps
  /** Which fields the server accepts, as learned from its responses. */
  #quirks: Quirks = {
    hasStreamOptions: true,
    hasTemperature: true,
    maxTokensName: 'max_tokens',
  }
  #addsVersion = true

  constructor(settings: ModelSettings, deps: ModelDeps) {
    this.settings = settings
    this.limits = deps.limits
    this.#deps = deps
  }

  async send(request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
    let retries = 1
    let quirks = this.#quirks
    let addsVersion = this.#addsVersion
    const { settings, limits } = this
    const { wait, allowPrivateHosts } = this.#deps
    for (;;) {
      const url = modelUrl(settings, request.path, addsVersion)
      const body = request.writeBody && Buffer.from(JSON.stringify(request.writeBody(quirks)))
      const reply = await openOutbound({
        url,
        method: request.method,
        headers: modelHeaders(settings),
        ...(body !== undefined && { body }),
        allowPrivateHosts,
        bytesMax: limits.responseBytesMax,
        signal,
      })
      if (reply.kind === 'refused') return this.fail('address', printOutboundFailure(reply, url))
      if (reply.kind === 'failed') {
        // Throw the abort reason of the caller.
        signal.throwIfAborted()
        if (retries === 0) return this.fail('connection', printOutboundFailure(reply, url))
        retries -= 1
        await wait(limits.retryMs, signal)
        continue
      }
      const { status } = reply
      if (status >= 200 && status < 300) {
        this.#quirks = quirks
        this.#addsVersion = addsVersion
        return reply
      }
      const said = await readError(reply)
      signal.throwIfAborted()
      const learned = status === 400 || status === 422 ? learn(quirks, said) : undefined
      if (learned !== undefined) {
        quirks = learned
        continue
      }
      if (status === 404 && addsVersion && lacksVersion(settings.url) && !/model/i.test(said)) {
        addsVersion = false
        continue
      }
      const waitMs = retries > 0 && BUSY.has(status) ? this.#waitOf(reply) : undefined
      if (waitMs !== undefined && waitMs <= limits.retryAfterMsMax) {
        retries -= 1
        await wait(waitMs, signal)
        continue
      }
      const words = said === '' ? '' : `: ${said}`
      const tried = status === 404 ? ` at ${url}` : ''
      return this.fail(
        'status',
        `the server responded with status ${status}${tried}${words}`,
        status,
      )
    }
  }

  fail(
    reason: ModelFailure['reason'],
    words: string,
    status?: number,
  ): { kind: 'failed'; failure: ModelFailure } {
    const { key, url } = this.settings
    const safe = printable(key === undefined ? words : words.replaceAll(key, '…'))
    const message = `The model at ${new URL(url).host} did not answer: ${safe.slice(0, MESSAGE_CHARACTERS_MAX)}`
    return {
      kind: 'failed',
      failure: { reason, message, ...(status !== undefined && { status }) },
    }
  }

  #waitOf({ headers }: OutboundStream): number {
    const { retryMs } = this.limits
    const retryAfter = headers['retry-after']
    if (retryAfter === undefined) return retryMs
    if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * 1_000
    const until = Date.parse(retryAfter)
    return Number.isNaN(until) ? retryMs : Math.max(0, until - this.#deps.now())
  }
}

/**
 * Returns which field to omit or rename in the next request; undefined if the error does not say
 * so.
 */
function learn(quirks: Quirks, said: string): Quirks | undefined {
  if (/max_completion_tokens/.test(said) && quirks.maxTokensName === 'max_tokens')
    return { ...quirks, maxTokensName: 'max_completion_tokens' }
  if (/temperature/.test(said) && quirks.hasTemperature) return { ...quirks, hasTemperature: false }
  // Other servers only report that the request is invalid, so try it without this field.
  if (quirks.hasStreamOptions && !/context|tool|too (?:long|large)|exceed/i.test(said))
    return { ...quirks, hasStreamOptions: false }
  return undefined
}

async function readError(reply: OutboundStream): Promise<string> {
  try {
    const said = await readStart(reply.body, ERROR_BYTES_MAX)
    try {
      return errorText(JSON.parse(said))
    } catch {
      return /^\s*</.test(said) ? '' : said.slice(0, MESSAGE_CHARACTERS_MAX)
    }
  } catch {
    return ''
  }
}

/** Reads only the start of a body, because many requests may fail at the same time. */
async function readStart(body: AsyncIterable<Uint8Array>, bytesMax: number): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of body) {
    pieces.push(piece)
    size += piece.length
    if (size >= bytesMax) break
  }
  return Buffer.concat(pieces).subarray(0, bytesMax).toString('utf8')
}
