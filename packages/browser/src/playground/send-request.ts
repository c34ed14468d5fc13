/** Sends a request and reports the response as it arrives. */
import type { SampleRequest } from '@octavo/openapi/browser'
import { FORM_TYPE } from './build-request.ts'
import { EventReader, type ServerEvent } from './event-reader.ts'
import type { RequestState } from './request-state.ts'
import { sendThroughHost } from './send-through-host.ts'

export type Answer = {
  readonly status: number
  readonly statusText: string
  /** The final URL, if the request was redirected. */
  readonly redirectedTo: string | undefined
  readonly headers: readonly (readonly [string, string])[]
  readonly type: string
  /** The text received so far, for a text response. */
  readonly text: string | undefined
  /** The events or JSON lines of a stream. */
  readonly events: readonly ServerEvent[] | undefined
  /** The content of any other response, once it is complete. */
  readonly blob: Blob | undefined
  readonly size: number
  readonly timeMs: number
  readonly isDone: boolean
  /** True if only the beginning of the response was read. */
  readonly isCut: boolean
}

export type SendOptions = {
  readonly files: RequestState['files']
  /** Whether the request includes the reader's cookies. */
  readonly credentials: boolean
  /** Returns whether the site's host has a proxy. Only called for a request to another origin. */
  readonly hasProxy: () => Promise<boolean>
  readonly signal: AbortSignal
  readonly onProgress: (answer: Answer) => void
}

const SIZE_MAX = 10_000_000
const TEXT = /^text\/|json|xml|yaml|javascript|csv|x-www-form-urlencoded|event-stream|graphql/i

export async function sendRequest(request: SampleRequest, options: SendOptions): Promise<Answer> {
  const started = performance.now()
  const cookies = setCookies(request)
  try {
    const init: RequestInit = {
      method: request.method,
      headers: headersOf(request),
      body: bodyOf(request, options.files) ?? null,
      credentials: options.credentials || cookies.length > 0 ? 'include' : 'omit',
      signal: options.signal,
      redirect: 'follow',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
    }
    const isExternalDestination = URL.parse(request.url, location.href)?.origin !== location.origin
    const viaHost =
      isExternalDestination && (await options.hasProxy())
        ? await sendThroughHost(request.url, init)
        : undefined
    const response = viaHost ?? (await fetch(request.url, init))
    return await readAnswer(response, { ...options, started })
  } finally {
    for (const name of cookies) writeCookie(`${name}=; Max-Age=0; path=/`)
  }
}

/** Checks whether cookies can be set for a URL: a browser can only set cookies for its own host. */
export function canSetCookies(url: string): boolean {
  try {
    return new URL(url, location.href).hostname === location.hostname
  } catch {
    return false
  }
}

function setCookies({ url, cookies }: SampleRequest): readonly string[] {
  if (cookies.length === 0 || !canSetCookies(url)) return []
  return cookies.map(([name, value]) => {
    const safe = encodeURIComponent(name)
    writeCookie(`${safe}=${encodeURIComponent(value)}; path=/; SameSite=Lax`)
    return safe
  })
}

function writeCookie(text: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs a secure context
  document.cookie = text
}

/**
 * Returns the headers without those that a browser forbids, because it would reject the whole
 * request.
 */
function headersOf({ headers, body }: SampleRequest): Headers {
  const all = new Headers()
  for (const [name, value] of headers) {
    // For a multipart form, the browser sets the header, which contains the boundary.
    if (body?.kind === 'multipart' && name.toLowerCase() === 'content-type') continue
    try {
      all.append(name, value)
    } catch {
      // The name is empty, or the header contains an invalid character.
      throw new Error(`${name}: ${JSON.stringify(value)}`)
    }
  }
  return all
}

function bodyOf(request: SampleRequest, files: RequestState['files']): BodyInit | undefined {
  const { body, method } = request
  if (body === undefined || method === 'GET' || method === 'HEAD') return undefined
  switch (body.kind) {
    case 'json':
      return JSON.stringify(body.value)
    case 'text':
      return body.text
    case 'form':
      return new URLSearchParams(body.fields.map(([name, value]) => [name, value])).toString()
    case 'file':
      return files.get('')?.[0] ?? ''
    case 'multipart': {
      const form = new FormData()
      const left = new Map([...files].map(([name, list]) => [name, list.values()]))
      for (const part of body.parts) {
        const file = 'value' in part ? undefined : left.get(part.name)?.next().value
        if ('value' in part) form.append(part.name, part.value)
        else if (file !== undefined) form.append(part.name, file)
      }
      return form
    }
  }
}

type ReadOptions = SendOptions & { readonly started: number }

async function readAnswer(response: Response, options: ReadOptions): Promise<Answer> {
  const type = (response.headers.get('content-type') ?? '').split(';')[0]?.trim() ?? ''
  const isText = TEXT.test(type) || type === FORM_TYPE
  const events = EventReader.for(type)
  const decoder = new TextDecoder()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let text = ''
  let size = 0
  const answer = (isDone: boolean): Answer => ({
    status: response.status,
    statusText: response.statusText,
    type,
    size,
    isDone,
    redirectedTo: response.redirected ? response.url : undefined,
    headers: [...response.headers],
    text: isText ? text : undefined,
    events: events?.events,
    blob: isText || !isDone ? undefined : new Blob(chunks, { type }),
    timeMs: performance.now() - options.started,
    isCut: size > SIZE_MAX,
  })
  options.onProgress(answer(false))
  const reader = response.body?.getReader()
  while (reader !== undefined) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > SIZE_MAX) {
      await reader.cancel()
      break
    }
    if (isText) {
      const piece = decoder.decode(value, { stream: true })
      text += piece
      events?.push(piece, performance.now() - options.started)
    } else chunks.push(value as Uint8Array<ArrayBuffer>)
    options.onProgress(answer(false))
  }
  if (isText) text += decoder.decode()
  events?.end(performance.now() - options.started)
  const whole = answer(true)
  options.onProgress(whole)
  return whole
}
