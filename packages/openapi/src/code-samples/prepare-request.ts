/**
 * Prepares the request that every printer prints. Everything that no HTTP message can contain is
 * removed here, so that the samples are the same in all languages: a header stays one line, a file
 * name stays in the reader's folder, and no text has a character that a shell or a C string cannot
 * contain.
 */
import type { Json } from '../document/spec-document.ts'
import type { Pair, SampleBody, SamplePart, SampleRequest } from './sample-request.ts'

export type PreparedRequest = {
  readonly method: string
  readonly url: string
  /** Unique names, ignoring case; without cookies and without the body's content type. */
  readonly headers: readonly Pair[]
  /** For a JSON, text or file body. HTTP clients set it automatically for forms. */
  readonly contentType: string | undefined
  readonly cookies: readonly Pair[]
  readonly body: SampleBody | undefined
}

export const FORM_MEDIA_TYPE = 'application/x-www-form-urlencoded'

/** Deeper values are printed as null: Python's own parser fails at 100. */
const JSON_DEPTH_MAX = 64

export function prepareRequest(request: SampleRequest): PreparedRequest {
  const body = request.body === undefined ? undefined : prepareBody(request.body)
  return {
    method: keepToken(request.method) || 'GET',
    url: encodeUrl(request.url),
    headers: prepareHeaders(request.headers, body !== undefined),
    contentType: body !== undefined && 'mediaType' in body ? body.mediaType : undefined,
    cookies: prepareCookies(request),
    body,
  }
}

/** Returns all headers, for languages that set them in one place. */
export function listHeaders(
  request: PreparedRequest,
  contentType: string | undefined = request.contentType,
): readonly Pair[] {
  const headers = [...request.headers]
  if (contentType !== undefined) headers.push(['Content-Type', contentType])
  if (request.cookies.length > 0) headers.push(['Cookie', printCookies(request)])
  return headers
}

export function printCookies({ cookies }: PreparedRequest): string {
  return cookies.map(([name, value]) => `${name}=${value}`).join('; ')
}

export function encodeForm(fields: readonly Pair[]): string {
  return new URLSearchParams(
    fields.map(([name, value]): [string, string] => [name, value]),
  ).toString()
}

function prepareBody(body: SampleBody): SampleBody | undefined {
  switch (body.kind) {
    case 'json':
      return {
        ...body,
        mediaType: prepareMediaType(body.mediaType),
        value: prepareJson(body.value, 0),
      }
    case 'form':
      return prepareForm(body.fields)
    case 'multipart':
      return prepareMultipart(body.parts)
    case 'text':
      return {
        ...body,
        mediaType: prepareMediaType(body.mediaType),
        text: normalizeLines(body.text),
      }
    case 'file':
      return {
        ...body,
        mediaType: prepareMediaType(body.mediaType),
        fileName: prepareFileName(body.fileName),
      }
  }
}

/** A form without fields is not a body, and a field without a name is dropped. */
function prepareForm(written: readonly Pair[]): SampleBody | undefined {
  const fields = written
    .map(([name, value]): Pair => [normalizeLines(name), normalizeLines(value)])
    .filter(([name]) => name !== '')
  return fields.length === 0 ? undefined : { kind: 'form', fields }
}

function prepareMultipart(written: readonly SamplePart[]): SampleBody | undefined {
  const parts = written.map(preparePart).filter(({ name }) => name !== '')
  return parts.length === 0 ? undefined : { kind: 'multipart', parts }
}

function preparePart(part: SamplePart): SamplePart {
  const name = foldLines(part.name)
  return 'fileName' in part
    ? { name, fileName: prepareFileName(part.fileName) }
    : { name, value: normalizeLines(part.value) }
}

/** Combines headers of the same name, as HTTP treats them and as a dictionary requires. */
function prepareHeaders(written: readonly Pair[], hasBody: boolean): readonly Pair[] {
  const headers = new Map<string, Pair>()
  for (const [writtenName, writtenValue] of written) {
    const name = keepToken(writtenName)
    const key = name.toLowerCase()
    const value = foldLines(writtenValue)
    const before = headers.get(key)
    if (name === '' || key === 'cookie' || (hasBody && key === 'content-type')) continue
    headers.set(key, before === undefined ? [name, value] : [before[0], `${before[1]}, ${value}`])
  }
  return [...headers.values()]
}

/** Keeps the token characters of RFC 9110, as in methods and header names. */
function keepToken(text: string): string {
  return text.replaceAll(/[^\w!#$%&'*+.^`|~-]/g, '')
}

function prepareMediaType(text: string): string {
  return foldLines(text) || 'application/octet-stream'
}

function foldLines(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .trim()
}

function normalizeLines(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}

/**
 * Percent-encodes what is not allowed in a URL, except for the brackets of placeholders. Non-ASCII
 * letters stay in the host name, where percent-encoding is not supported.
 */
function encodeUrl(url: string): string {
  const wellFormed = url.toWellFormed()
  const origin = /^[a-z][a-z\d+.-]*:\/\/[^/?#\\]*/i.exec(wellFormed)?.[0] ?? ''
  const rest = wellFormed.slice(origin.length)
  return (
    origin.replaceAll(/[\s"\\^`|\p{C}\p{Z}]/gu, encodeURIComponent) +
    rest.replaceAll(/[^!-~]|["\\^`|]/gu, encodeURIComponent)
  )
}

/** Cookies from a header come first. */
function prepareCookies({ headers, cookies }: SampleRequest): readonly Pair[] {
  const inHeaders = headers
    .filter(([name]) => keepToken(name).toLowerCase() === 'cookie')
    .flatMap(([, value]) => value.split(';'))
    .map((cookie): Pair => {
      const [name = '', ...value] = cookie.split('=')
      return [name.trim(), value.join('=').trim()]
    })
  return [...inHeaders, ...cookies].map(prepareCookie).filter(([name]) => name !== '')
}

function prepareCookie([name, value]: Pair): Pair {
  return [
    name.toWellFormed().replaceAll(/[^\w.-]/gu, encodeURIComponent),
    value.toWellFormed().replaceAll(/[^!-~]|[",;\\]/gu, encodeURIComponent),
  ]
}

/**
 * Keeps the last segment of a path, and never a hidden file: a sample must not upload
 * `~/.ssh/id_rsa` or `.env` because an untrusted author named it.
 */
function prepareFileName(path: string): string {
  const name = foldLines(path.split(/[/\\:]/).at(-1) ?? '')
  return name.replace(/^[-.~\s]+/, '') || 'file'
}

function prepareJson(value: Json, depth: number): Json {
  if (typeof value === 'string') return value.toWellFormed()
  // A specification may contain 1e400 or -0; JSON has no infinity, and no use for a negative zero.
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null
  if (value === null || typeof value === 'boolean') return value
  if (depth === JSON_DEPTH_MAX) return null
  if (isList(value)) return value.map((item) => prepareJson(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key.toWellFormed(), prepareJson(item, depth + 1)]),
  )
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}
