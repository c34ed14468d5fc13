import { bracedEscape, escapeText } from '../escape-text.ts'
import { joinLines, type Lines } from '../join-lines.ts'
import { printJsonText } from '../json-text.ts'
import { printMultipart } from '../multipart-text.ts'
import {
  encodeForm,
  FORM_MEDIA_TYPE,
  listHeaders,
  type PreparedRequest,
} from '../prepare-request.ts'
import type { SampleBody, SamplePart } from '../sample-request.ts'
import { findLongestRun, indentBlock, isBlock } from '../text-literal.ts'

/** Prints a program with `URLSession`. */
export function printSwift(request: PreparedRequest): string {
  const { contentType = request.contentType, lines } = printBody(request.body)
  return joinLines(
    'import Foundation',
    '',
    `var request = URLRequest(url: URL(string: ${quote(request.url)})!)`,
    `request.httpMethod = ${quote(request.method)}`,
    listHeaders(request, contentType).map(
      ([name, value]) => `request.setValue(${quote(value)}, forHTTPHeaderField: ${quote(name)})`,
    ),
    lines,
    '',
    'let (data, _) = try await URLSession.shared.data(for: request)',
    'print(String(decoding: data, as: UTF8.self))',
  )
}

type SwiftBody = { readonly contentType?: string; readonly lines?: Lines }

function printBody(body: SampleBody | undefined): SwiftBody {
  switch (body?.kind) {
    case undefined:
      return {}
    case 'json':
      return { lines: `request.httpBody = ${printData(printJsonText(body.value))}` }
    case 'text':
      return { lines: `request.httpBody = ${printData(body.text)}` }
    case 'form':
      return {
        contentType: FORM_MEDIA_TYPE,
        lines: `request.httpBody = ${printData(encodeForm(body.fields))}`,
      }
    case 'multipart':
      return printParts(body.parts)
    case 'file':
      return { lines: `request.httpBody = ${printFile(body.fileName)}` }
  }
}

function printParts(parts: readonly SamplePart[]): SwiftBody {
  const { mediaType, pieces } = printMultipart(parts)
  const data = pieces.map((piece) =>
    'fileName' in piece ? printFile(piece.fileName) : printData(piece.text),
  )
  return {
    contentType: mediaType,
    lines: [
      '',
      'var body = Data()',
      data.map((piece) => `body.append(${piece})`),
      'request.httpBody = body',
    ],
  }
}

function printFile(fileName: string): string {
  return `try Data(contentsOf: URL(fileURLWithPath: ${quote(fileName)}))`
}

function printData(text: string): string {
  return `Data(${quoteText(text)}.utf8)`
}

/**
 * Prints multi-line text as a raw literal. It has more `#` than the text, so that the text cannot
 * end it or start an escape.
 */
function quoteText(text: string): string {
  if (!isBlock(text)) return quote(text)
  const hashes = '#'.repeat(findLongestRun(text, '#') + 1)
  return `${hashes}"""\n${indentBlock(text, '  ')}\n  """${hashes}`
}

function quote(text: string): string {
  const named = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r' }
  return `"${escapeText(text, { named, unprintable: bracedEscape })}"`
}
