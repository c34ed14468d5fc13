import { Agent, request as httpRequest } from 'node:http'
import type { Draft } from './draft-request.ts'
import { printBrackets } from './draft-request.ts'
import { isFields } from './json-schema.ts'

export type Sent = {
  readonly status: number
  readonly problems: readonly {
    readonly code: string
    readonly place: string
    readonly reason: string
  }[]
}

const agent = new Agent({ keepAlive: true })

export type RawRequest = {
  readonly method: string
  readonly target: string
  readonly headers: Record<string, string>
  readonly body: Uint8Array | undefined
}

/** Returns the request as bytes; undefined if its body cannot be expressed in its type. */
export async function printDraft(draft: Draft): Promise<RawRequest | undefined> {
  let target = draft.template
  const query: string[] = []
  const headers: Record<string, string> = {}
  const cookies: string[] = []
  for (const { name, place, text } of draft.parameters) {
    if (place === 'path') target = target.replace(`{${name}}`, () => text)
    else if (place === 'query') query.push(text)
    else if (place === 'header') headers[name] = text
    else cookies.push(`${name}=${text}`)
  }
  for (const { name, place, text } of draft.credentials) {
    if (place === 'query') query.push(`${encodeURIComponent(name)}=${text}`)
    else if (place === 'header') headers[name] = text
    else cookies.push(`${name}=${text}`)
  }
  if (cookies.length > 0) headers.cookie = cookies.join('; ')
  if (query.length > 0) target += `?${query.join('&')}`
  const { method, body } = draft
  if (body === undefined) return { method, target, headers, body: undefined }
  const printed = await printBody(body.type, body.value)
  if (printed === undefined) return undefined
  headers['content-type'] = printed.type
  return { method, target, headers, body: printed.bytes }
}

async function printBody(type: string, value: unknown) {
  const bytes = (text: string) => new TextEncoder().encode(text)
  if (/json/.test(type)) return { type, bytes: bytes(JSON.stringify(value)) }
  if (/urlencoded/.test(type)) {
    if (!isFields(value)) return undefined
    const pairs: [string, string][] = []
    for (const [key, one] of Object.entries(value)) {
      const printed = printBrackets(key, one)
      if (printed === undefined) return undefined
      pairs.push(...printed)
    }
    return pairs.length === 0
      ? undefined
      : { type, bytes: bytes(new URLSearchParams(pairs).toString()) }
  }
  if (/form-data/.test(type)) {
    if (!isFields(value)) return undefined
    const form = new FormData()
    for (const [key, one] of Object.entries(value)) {
      for (const item of Array.isArray(one) ? one : [one]) {
        if (item === null || Array.isArray(item)) return undefined
        form.append(key, isFields(item) ? JSON.stringify(item) : String(item))
      }
      if (Array.isArray(one) && one.length === 0) return undefined
    }
    const whole = new Response(form)
    const multipart = whole.headers.get('content-type') ?? ''
    return { type: multipart, bytes: new Uint8Array(await whole.arrayBuffer()) }
  }
  if (/^text\/plain/.test(type)) {
    return typeof value === 'string' && value !== '' ? { type, bytes: bytes(value) } : undefined
  }
  return { type, bytes: bytes('a file') }
}

export function send(origin: string, { method, target, headers, body }: RawRequest): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(body.length) }
    const sent = httpRequest(
      `${origin}/`,
      { method, path: target, headers: { ...headers, ...length }, agent },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            problems: problemsOf(Buffer.concat(chunks).toString()),
          }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

function problemsOf(text: string): Sent['problems'] {
  try {
    const { problems = [] } = JSON.parse(text)
    return Array.isArray(problems) && problems.every((one) => 'place' in one) ? problems : []
  } catch {
    return []
  }
}
