/**
 * Prepares a request for all printers. Everything that an HTTP message cannot contain is removed
 * here, so that the samples are the same in all languages. A header stays on one line, a file name
 * cannot point outside of the reader's folder, and strings do not contain characters that a shell
 * or a C string cannot represent.
 */
import type { Json } from '../document/spec-document.ts'
import type { Pair, SampleBody, SamplePart, SampleRequest } from './sample-request.ts'

export type PreparedRequest = {
  readonly method: string
  readonly url: string
  /**
   * Headers with unique names, ignoring case. Cookies and the body's content type are not included.
   */
  readonly headers: readonly Pair[]
  /**
   * The content type of a JSON, text or file body. For forms, HTTP clients set it automatically.
   */
  readonly contentType: string | undefined
  readonly cookies: readonly Pair[]
  readonly body: SampleBody | undefined
}

export const FORM_MEDIA_TYPE = 'application/x-www-form-urlencoded'

/**
 * The maximum nesting depth. Deeper values are printed as null, because Python's parser fails at
 * 100 levels.
 */
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

/** Returns all headers including content type and cookies, for languages that set them together. */
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

/** Removes fields without a name. Returns undefined if no field remains. */
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

/**
 * Combines headers with the same name, since they are equivalent in HTTP and dictionaries cannot
 * contain both.
 */
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

/** Removes all characters that RFC 9110 does not allow in methods and header names. */
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
 * Percent-encodes characters that are not allowed in a URL, but not the brackets of placeholders.
 * Non-ASCII letters in the host name are not encoded, since hosts do not support percent-encoding.
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

/** Returns the cookies of the `Cookie` headers, then the other cookies. */
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
 * Returns the last segment of a path, without leading dots. An untrusted author must not be able to
 * make a sample upload `~/.ssh/id_rsa` or `.env`.
 */
function prepareFileName(path: string): string {
  const name = foldLines(path.split(/[/\\:]/).at(-1) ?? '')
  return name.replace(/^[-.~\s]+/, '') || 'file'
}

function prepareJson(value: Json, depth: number): Json {
  if (typeof value === 'string') return value.toWellFormed()
  // JSON does not support infinite numbers such as 1e400; -0 is printed as 0.
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
