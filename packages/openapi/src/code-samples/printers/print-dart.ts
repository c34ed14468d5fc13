import { bracedEscape, escapeText } from '../escape-text.ts'
import { joinLines, type Lines } from '../join-lines.ts'
import { type LiteralSyntax, printJsonLiteral } from '../json-literal.ts'
import {
  encodeForm,
  FORM_MEDIA_TYPE,
  listHeaders,
  type PreparedRequest,
} from '../prepare-request.ts'
import type { SampleBody, SamplePart } from '../sample-request.ts'
import { quoteLines } from '../text-literal.ts'

const SYNTAX: LiteralSyntax = {
  quote,
  // A larger integer literal may not compile for the web, or at all if it exceeds 64 bits.
  number: (value) =>
    Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value),
  null: 'null',
  true: 'true',
  false: 'false',
  indent: '  ',
  key: (key) => `${quote(key)}: `,
  object: () => ['{', '}'],
}

/** Prints a program with `package:http`. */
export function printDart(request: PreparedRequest): string {
  const { method, url, body } = request
  const headers = listHeaders(request, body?.kind === 'form' ? FORM_MEDIA_TYPE : undefined)
  const type = body?.kind === 'multipart' ? 'MultipartRequest' : 'Request'
  return joinLines(
    body?.kind === 'json' ? "import 'dart:convert';" : undefined,
    body?.kind === 'file' ? "import 'dart:io';" : undefined,
    body?.kind === 'json' || body?.kind === 'file' ? '' : undefined,
    "import 'package:http/http.dart' as http;",
    '',
    'void main() async {',
    `  final request = http.${type}(${quote(method)}, Uri.parse(${quote(url)}));`,
    headers.length === 0
      ? undefined
      : [
          '  request.headers.addAll({',
          headers.map(([name, value]) => `    ${quote(name)}: ${quote(value)},`),
          '  });',
        ],
    body === undefined ? undefined : printBody(body),
    '',
    '  final response = await http.Response.fromStream(await request.send());',
    '  print(response.body);',
    '}',
  )
}

function printBody(body: SampleBody): Lines {
  switch (body.kind) {
    case 'json':
      return `  request.body = jsonEncode(${printJsonLiteral(body.value, SYNTAX, '  ')});`
    case 'form':
      return `  request.body = ${quote(encodeForm(body.fields))};`
    case 'multipart':
      return body.parts.map(printPart)
    case 'text':
      return `  request.body = ${quoteLines(body.text, { quote, between: '\n      ' })};`
    case 'file':
      return `  request.bodyBytes = await File(${quote(body.fileName)}).readAsBytes();`
  }
}

/**
 * Prints a part of a form. `fields` allows only one value per name, so values are added as files
 * without a file name.
 */
function printPart(part: SamplePart): string {
  const name = quote(part.name)
  const file =
    'fileName' in part
      ? `await http.MultipartFile.fromPath(${name}, ${quote(part.fileName)})`
      : `http.MultipartFile.fromString(${name}, ${quote(part.value)})`
  return `  request.files.add(${file});`
}

function quote(text: string): string {
  const named = { "'": "\\'", '\\': '\\\\', $: '\\$', '\n': '\\n', '\t': '\\t', '\r': '\\r' }
  return `'${escapeText(text, { named, unprintable: bracedEscape })}'`
}
