import { bracedEscape, escapeText, isPrintable } from '../escape-text.ts'
import { joinLines } from '../join-lines.ts'
import { type LiteralSyntax, printJsonLiteral } from '../json-literal.ts'
import { printMultipart } from '../multipart-text.ts'
import { encodeForm, listHeaders, type PreparedRequest } from '../prepare-request.ts'
import type { SampleBody, SamplePart } from '../sample-request.ts'
import { quoteLines } from '../text-literal.ts'
import { printCurlHeader } from './print-bash.ts'

const SYNTAX: LiteralSyntax = {
  quote,
  number: String,
  null: 'null',
  true: 'true',
  false: 'false',
  indent: '    ',
  key: (key) => `${quote(key)} => `,
  // Without the cast, PHP would encode an empty array or one with the keys 0, 1, 2 as a JSON list.
  object: (keys) => [keys.every((key) => /^\d+$/.test(key)) ? '(object) [' : '[', ']'],
}

const CONCATENATION = ' .\n        '

/** Prints a program for PHP's `curl` extension. */
export function printPhp(request: PreparedRequest): string {
  const { contentType = request.contentType, body } = printBody(request.body)
  const headers = listHeaders(request, contentType).map(([name, value]) =>
    quote(printCurlHeader(name, value)),
  )
  return joinLines(
    '<?php',
    '',
    `$curl = curl_init(${quote(request.url)});`,
    'curl_setopt_array($curl, [',
    request.method === 'HEAD'
      ? '    CURLOPT_NOBODY => true,'
      : `    CURLOPT_CUSTOMREQUEST => ${quote(request.method)},`,
    '    CURLOPT_RETURNTRANSFER => true,',
    headers.length === 0
      ? undefined
      : ['    CURLOPT_HTTPHEADER => [', headers.map((header) => `        ${header},`), '    ],'],
    body === undefined ? undefined : `    CURLOPT_POSTFIELDS => ${body},`,
    ']);',
    '',
    'echo curl_exec($curl);',
  )
}

type PhpBody = { readonly contentType?: string; readonly body?: string }

function printBody(body: SampleBody | undefined): PhpBody {
  switch (body?.kind) {
    case undefined:
      return {}
    case 'json':
      return { body: `json_encode(${printJsonLiteral(body.value, SYNTAX, '    ')})` }
    case 'form':
      return { body: quote(encodeForm(body.fields)) }
    case 'multipart':
      return printParts(body.parts)
    case 'text':
      return { body: quoteLines(body.text, { quote, between: CONCATENATION }) }
    case 'file':
      return { body: printFile(body.fileName) }
  }
}

/**
 * Prints the parts of a form as an array. If two parts have the same name, prints the body as text
 * instead.
 */
function printParts(parts: readonly SamplePart[]): PhpBody {
  if (new Set(parts.map((part) => part.name)).size === parts.length) {
    return { body: joinLines('[', parts.map(printPart), '    ]') }
  }
  const { mediaType, pieces } = printMultipart(parts)
  const printed = pieces.map((piece) =>
    'fileName' in piece ? printFile(piece.fileName) : quote(piece.text),
  )
  return { contentType: mediaType, body: printed.join(CONCATENATION) }
}

function printPart(part: SamplePart): string {
  const value = 'fileName' in part ? `new CURLFile(${quote(part.fileName)})` : quote(part.value)
  return `        ${quote(part.name)} => ${value},`
}

function printFile(fileName: string): string {
  return `file_get_contents(${quote(fileName)})`
}

function quote(text: string): string {
  if (isPrintable(text) && !/['\\\n\t]/.test(text)) return `'${text}'`
  const named = { '"': '\\"', '\\': '\\\\', $: '\\$', '\n': '\\n', '\t': '\\t', '\r': '\\r' }
  return `"${escapeText(text, { named, unprintable: bracedEscape })}"`
}
