import { escapeText, octalEscape, utf16Escape } from '../escape-text.ts'
import { joinLines } from '../join-lines.ts'
import { printJsonText } from '../json-text.ts'
import { printMultipart } from '../multipart-text.ts'
import {
  encodeForm,
  FORM_MEDIA_TYPE,
  listHeaders,
  type PreparedRequest,
} from '../prepare-request.ts'
import type { SampleBody, SamplePart } from '../sample-request.ts'
import { indentBlock, isBlock } from '../text-literal.ts'

const INDENT = ' '.repeat(16)

/** Prints a program with `java.net.http` for Java 17. */
export function printJava(request: PreparedRequest): string {
  const { contentType = request.contentType, publisher, path } = printBody(request.body)
  return joinLines(
    'import java.net.URI;',
    'import java.net.http.HttpClient;',
    'import java.net.http.HttpRequest;',
    'import java.net.http.HttpResponse;',
    path ? 'import java.nio.file.Path;' : undefined,
    '',
    'public class Main {',
    '    public static void main(String[] args) throws Exception {',
    '        HttpRequest request = HttpRequest.newBuilder()',
    `            .uri(URI.create(${quote(request.url)}))`,
    listHeaders(request, contentType).map(
      ([name, value]) => `            .header(${quote(name)}, ${quote(value)})`,
    ),
    `            .method(${quote(request.method)}, ${publisher})`,
    '            .build();',
    '',
    '        HttpResponse<String> response = HttpClient.newHttpClient()',
    '            .send(request, HttpResponse.BodyHandlers.ofString());',
    '        System.out.println(response.body());',
    '    }',
    '}',
  )
}

type JavaBody = {
  readonly contentType?: string
  readonly publisher: string
  readonly path?: boolean
}

function printBody(body: SampleBody | undefined): JavaBody {
  switch (body?.kind) {
    case undefined:
      return { publisher: 'HttpRequest.BodyPublishers.noBody()' }
    case 'json':
      return { publisher: publish(printJsonText(body.value)) }
    case 'text':
      return { publisher: publish(body.text) }
    case 'form':
      return { contentType: FORM_MEDIA_TYPE, publisher: publish(encodeForm(body.fields)) }
    case 'multipart':
      return printParts(body.parts)
    case 'file':
      return { publisher: publishFile(body.fileName), path: true }
  }
}

function printParts(parts: readonly SamplePart[]): JavaBody {
  const { mediaType, pieces } = printMultipart(parts)
  const publishers = pieces.map((piece) =>
    'fileName' in piece ? publishFile(piece.fileName) : publish(piece.text),
  )
  const publisher =
    publishers.length === 1
      ? publishers.join('')
      : `HttpRequest.BodyPublishers.concat(\n${INDENT}${publishers.join(`,\n${INDENT}`)})`
  return { contentType: mediaType, publisher, path: publishers.length > 1 }
}

function publish(text: string): string {
  return `HttpRequest.BodyPublishers.ofString(${quoteText(text)})`
}

function publishFile(fileName: string): string {
  return `HttpRequest.BodyPublishers.ofFile(Path.of(${quote(fileName)}))`
}

function quoteText(text: string): string {
  if (!isBlock(text)) return quote(text)
  // In a text block, `"""` must be escaped, and so must a quote before the closing quotes.
  const inside = text.replaceAll('\\', '\\\\').replaceAll(/"(?=""|$)/g, '\\"')
  return `"""\n${indentBlock(inside, INDENT)}"""`
}

/**
 * Prints a string literal. Control characters become octal escapes, because Java replaces `\u000a`
 * with a line break before it parses literals. Backslashes in the text are doubled, and a doubled
 * backslash cannot start such an escape.
 */
function quote(text: string): string {
  const named = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r' }
  const unprintable = (code: number) => (code < 0x80 ? octalEscape(code) : utf16Escape(code))
  return `"${escapeText(text, { named, unprintable })}"`
}
