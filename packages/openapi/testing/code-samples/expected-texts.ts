import { printJsonText } from '../../src/code-samples/json-text.ts'
import { printMultipart } from '../../src/code-samples/multipart-text.ts'
import {
  encodeForm,
  type PreparedRequest,
  printCookies,
} from '../../src/code-samples/prepare-request.ts'
import type { SamplePart } from '../../src/code-samples/sample-request.ts'
import type { Json } from '../../src/document/spec-document.ts'
import type { ReadLanguage } from './read-literals.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE']
const HEADER_LINES: readonly ReadLanguage[] = ['php', 'c', 'c++']
const NATIVE_JSON: readonly ReadLanguage[] = ['php', 'ruby', 'dart']
const FIELDS: readonly ReadLanguage[] = ['go', 'ruby', 'csharp', 'kotlin', 'rust']
const WRITTEN_OUT: readonly ReadLanguage[] = ['java', 'swift']

/**
 * Returns the strings that a program must contain as literals, in the form that its language needs.
 */
export function expectedTexts(language: ReadLanguage, request: PreparedRequest): readonly string[] {
  const headers: [string, string][] = request.headers.map(([name, value]) => [name, value])
  const cookie = printCookies(request)
  if (cookie !== '') headers.push(['Cookie', cookie])
  return [
    ...(METHODS.includes(request.method) ? [] : [request.method]),
    request.url,
    ...(HEADER_LINES.includes(language) ? headers.map(headerLine) : headers.flat()),
    ...contentTypes(language, request),
    ...bodyTexts(language, request),
  ]
}

function contentTypes(language: ReadLanguage, { contentType }: PreparedRequest): readonly string[] {
  if (contentType === undefined) return []
  return HEADER_LINES.includes(language) ? [`Content-Type: ${contentType}`] : [contentType]
}

function headerLine([name, value]: readonly [string, string]): string {
  return value === '' ? `${name};` : `${name}: ${value}`
}

function bodyTexts(language: ReadLanguage, { body }: PreparedRequest): readonly string[] {
  switch (body?.kind) {
    case undefined:
      return []
    case 'json':
      return NATIVE_JSON.includes(language) ? stringsOf(body.value) : [printJsonText(body.value)]
    case 'form':
      return FIELDS.includes(language) ? body.fields.flat() : [encodeForm(body.fields)]
    case 'multipart':
      return partTexts(language, body.parts)
    case 'text':
      return [body.text]
    case 'file':
      return [body.fileName]
  }
}

function partTexts(language: ReadLanguage, parts: readonly SamplePart[]): readonly string[] {
  const names = new Set(parts.map((part) => part.name))
  const isWrittenOut =
    WRITTEN_OUT.includes(language) || (language === 'php' && names.size < parts.length)
  if (isWrittenOut) {
    return printMultipart(parts).pieces.flatMap((piece) => Object.values(piece))
  }
  const values = parts.map((part) => ('fileName' in part ? part.fileName : part.value))
  return language === 'powershell' ? values : [...names, ...values]
}

function stringsOf(value: Json): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  const entries = Object.entries(value) as readonly (readonly [string, Json])[]
  const keys = Array.isArray(value) ? [] : entries.map(([key]) => key)
  return [...keys, ...entries.flatMap(([, item]) => stringsOf(item))]
}
