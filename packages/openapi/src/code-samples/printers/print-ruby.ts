import { bracedEscape, escapeText, isPrintable } from '../escape-text.ts'
import { joinLines, type Lines } from '../join-lines.ts'
import { type LiteralSyntax, printJsonLiteral } from '../json-literal.ts'
import { listHeaders, type PreparedRequest } from '../prepare-request.ts'
import type { SampleBody, SamplePart } from '../sample-request.ts'
import { quoteLines } from '../text-literal.ts'

const CLASSES = new Map(
  ['Get', 'Post', 'Put', 'Patch', 'Delete', 'Head', 'Options', 'Trace'].map((name) => [
    name.toUpperCase(),
    name,
  ]),
)

const SYNTAX: LiteralSyntax = {
  quote,
  number: String,
  null: 'nil',
  true: 'true',
  false: 'false',
  indent: '  ',
  key: (key) => `${quote(key)} => `,
  object: () => ['{', '}'],
}

/** Prints a program with `net/http`. */
export function printRuby(request: PreparedRequest): string {
  const { method, body } = request
  const known = CLASSES.get(method)
  return joinLines(
    body?.kind === 'json' ? "require 'json'" : undefined,
    "require 'net/http'",
    '',
    `uri = URI(${quote(request.url)})`,
    '',
    known === undefined
      ? `request = Net::HTTPGenericRequest.new(${quote(method)}, true, true, uri)`
      : `request = Net::HTTP::${known}.new(uri)`,
    listHeaders(request).map(([name, value]) => `request[${quote(name)}] = ${quote(value)}`),
    body === undefined ? undefined : printBody(body),
    '',
    "response = Net::HTTP.start(uri.hostname, uri.port, use_ssl: uri.scheme == 'https') do |http|",
    '  http.request(request)',
    'end',
    'puts response.body',
  )
}

function printBody(body: SampleBody): Lines {
  switch (body.kind) {
    case 'json':
      return `request.body = JSON.generate(${printJsonLiteral(body.value, SYNTAX, '')})`
    case 'form':
      return [
        'request.set_form_data([',
        body.fields.map(([name, value]) => `  [${quote(name)}, ${quote(value)}],`),
        '])',
      ]
    case 'multipart':
      return ['request.set_form([', body.parts.map(printPart), "], 'multipart/form-data')"]
    case 'text':
      return `request.body = ${quoteLines(body.text, { quote, between: ' \\\n  ' })}`
    case 'file':
      return `request.body = File.binread(${quote(body.fileName)})`
  }
}

function printPart(part: SamplePart): string {
  const value = 'fileName' in part ? `File.open(${quote(part.fileName)})` : quote(part.value)
  return `  [${quote(part.name)}, ${value}],`
}

function quote(text: string): string {
  if (isPrintable(text) && !/['\\\n\t]/.test(text)) return `'${text}'`
  const named = { '"': '\\"', '\\': '\\\\', '#': '\\#', '\n': '\\n', '\t': '\\t', '\r': '\\r' }
  return `"${escapeText(text, { named, unprintable: bracedEscape })}"`
}
