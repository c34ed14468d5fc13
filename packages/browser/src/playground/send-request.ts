/** Sends a request and tells of its answer while it arrives. */
import type { SampleRequest } from '@octavo/openapi/browser'
import { FORM_TYPE } from './build-request.ts'
import { EventReader, type ServerEvent } from './event-reader.ts'
import type { RequestState } from './request-state.ts'
import { sendThroughHost } from './send-through-host.ts'

export type Answer = {
  readonly status: number
  readonly statusText: string
  /** Where it came from in the end, if that is elsewhere. */
  readonly redirectedTo: string | undefined
  readonly headers: readonly (readonly [string, string])[]
  readonly type: string
  /** What has arrived, of a text. */
  readonly text: string | undefined
  /** Of a stream of events, or of lines that are values. */
  readonly events: readonly ServerEvent[] | undefined
  /** Of anything else, when all of it has arrived. */
  readonly blob: Blob | undefined
  readonly size: number
  readonly timeMs: number
  readonly isDone: boolean
  /** Only the beginning is kept. */
  readonly isCut: boolean
}

export type SendOptions = {
  readonly files: RequestState['files']
  /** Send cookies of the reader along. */
  readonly credentials: boolean
  /** Whether the host of the site sends requests; asked only for those to another origin. */
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
    const isElsewhere = URL.parse(request.url, location.href)?.origin !== location.origin
    const viaHost =
      isElsewhere && (await options.hasProxy())
        ? await sendThroughHost(request.url, init)
        : undefined
    const response = viaHost ?? (await fetch(request.url, init))
    return await readAnswer(response, { ...options, started })
  } finally {
    for (const name of cookies) writeCookie(`${name}=; Max-Age=0; path=/`)
  }
}

/** A browser sets cookies of its own host alone. */
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
  // biome-ignore lint/suspicious/noDocumentCookie: the newer way exists on safe addresses alone
  document.cookie = text
}

/** Those that a browser refuses are left out: it would refuse the whole request. */
function headersOf({ headers, body }: SampleRequest): Headers {
  const all = new Headers()
  for (const [name, value] of headers) {
    // The browser itself writes the boundary of a form.
    if (body?.kind === 'multipart' && name.toLowerCase() === 'content-type') continue
    try {
      all.append(name, value)
    } catch {
      // Empty, or with a sign that headers do not have.
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
