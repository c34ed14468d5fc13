/**
 * Computes the calls that a sample must make when it runs: those for the request, and no others.
 */
import { printJsonText } from '../../src/code-samples/json-text.ts'
import {
  listHeaders,
  type PreparedRequest,
  printCookies,
} from '../../src/code-samples/prepare-request.ts'
import type { SamplePart } from '../../src/code-samples/sample-request.ts'

export const CHOSEN_FILE = 'the file that a person chose'

export function contentOf(fileName: string): string {
  return `the content of ${fileName}`
}

/** Returns the expected arguments of `fetch` as one object. */
export function expectedFetch(request: PreparedRequest, language: string) {
  const isBrowser = language === 'javascript'
  const headers = listHeaders(isBrowser ? { ...request, cookies: [] } : request)
  return {
    url: request.url,
    ...(request.method === 'GET' ? {} : { method: request.method }),
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
    ...(isBrowser && request.cookies.length > 0 ? { credentials: 'include' } : {}),
    ...(request.body === undefined ? {} : { body: expectedBody(request, isBrowser) }),
  }
}

function expectedBody({ body }: PreparedRequest, isBrowser: boolean): unknown {
  switch (body?.kind) {
    case undefined:
      return undefined
    case 'json':
      return JSON.stringify(body.value)
    case 'form':
      return { entries: body.fields }
    case 'multipart':
      return { entries: body.parts.map((part) => expectedEntry(part, isBrowser)) }
    case 'text':
      return body.text
    case 'file':
      return isBrowser ? CHOSEN_FILE : contentOf(body.fileName)
  }
}

function expectedEntry(part: SamplePart, isBrowser: boolean): unknown {
  if (!('fileName' in part)) return [part.name, part.value]
  const file = isBrowser ? CHOSEN_FILE : { content: [contentOf(part.fileName)] }
  return [part.name, file, part.fileName]
}

/** Returns the expected arguments of `requests`. */
export function expectedCall(request: PreparedRequest) {
  const { method, url, cookies, body } = request
  const headers = listHeaders({ ...request, cookies: [] })
  return {
    method,
    url,
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
    ...(cookies.length === 0 ? {} : { cookies: Object.fromEntries(cookies) }),
    ...expectedPayload(body),
  }
}

function expectedPayload(body: PreparedRequest['body']) {
  switch (body?.kind) {
    case undefined:
      return {}
    case 'json':
      return body.value === null ? { data: 'null' } : { json: body.value }
    case 'form':
      return { data: body.fields }
    case 'multipart':
      return {
        files: body.parts.map((part) => [
          part.name,
          'fileName' in part ? ['file', part.fileName, 'rb'] : [null, part.value],
        ]),
      }
    case 'text':
      return { data: body.text }
    case 'file':
      return { data: ['file', body.fileName, 'rb'] }
  }
}

/** Returns the expected arguments of `curl`. */
export function expectedArguments(request: PreparedRequest): readonly string[] {
  const { method, url, cookies } = request
  const headers = listHeaders({ ...request, cookies: [] })
  return [
    ...(method === 'HEAD' ? ['--head'] : ['--request', method]),
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    '--url',
    url,
    ...headers.flatMap(([name, value]) => [
      '--header',
      value === '' ? `${name};` : `${name}: ${value}`,
    ]),
    ...(cookies.length === 0 ? [] : ['--cookie', printCookies(request)]),
    ...expectedData(request),
  ]
}

function expectedData({ body }: PreparedRequest): readonly string[] {
  switch (body?.kind) {
    case undefined:
      return []
    case 'json':
      return ['--data', printJsonText(body.value).replaceAll('\n', '\n  ')]
    case 'form':
      return body.fields.flatMap(([name, value]) => [
        '--data-urlencode',
        `${encodeURIComponent(name)}=${value}`,
      ])
    case 'multipart':
      return body.parts.flatMap(expectedPart)
    case 'text':
      return ['--data-raw', body.text]
    case 'file':
      return ['--data-binary', `@${body.fileName}`]
  }
}

function expectedPart(part: SamplePart): readonly string[] {
  const name = part.name.replaceAll('=', '%3D')
  if (!('fileName' in part)) return ['--form-string', `${name}=${part.value}`]
  const { fileName } = part
  const isPlain = /^[\w.-]+$/.test(fileName)
  const quoted = `"${fileName.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
  return ['--form', `${name}=@${isPlain ? fileName : quoted}`]
}
