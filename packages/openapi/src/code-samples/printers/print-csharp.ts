import { escapeText, utf16Escape } from '../escape-text.ts'
import { joinLines, type Lines } from '../join-lines.ts'
import { printJsonText } from '../json-text.ts'
import { listHeaders, type PreparedRequest } from '../prepare-request.ts'
import type { SampleBody, SamplePart } from '../sample-request.ts'
import { findLongestRun, indentBlock, isBlock } from '../text-literal.ts'

/** Prints a program with `HttpClient` for C# 11 and the implicit imports of a new project. */
export function printCsharp(request: PreparedRequest): string {
  const { body, contentType } = request
  // `StringContent` sets the content type itself, but only one without parameters.
  const isTyped = contentType === undefined || (body?.kind !== 'file' && isBare(contentType))
  const isText = body?.kind === 'json' || body?.kind === 'text'
  return joinLines(
    isTyped ? undefined : 'using System.Net.Http.Headers;',
    isText ? 'using System.Text;' : undefined,
    isTyped && !isText ? undefined : '',
    'using var client = new HttpClient();',
    `using var request = new HttpRequestMessage(new HttpMethod(${quote(request.method)}), ${quote(request.url)});`,
    listHeaders({ ...request, contentType: undefined }).map(
      ([name, value]) =>
        `request.Headers.TryAddWithoutValidation(${quote(name)}, ${quote(value)});`,
    ),
    body === undefined ? undefined : printBody(body),
    isTyped
      ? undefined
      : `request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse(${quote(contentType)});`,
    '',
    'using var response = await client.SendAsync(request);',
    'Console.WriteLine(await response.Content.ReadAsStringAsync());',
  )
}

function isBare(mediaType: string): boolean {
  return /^[\w.+*-]+\/[\w.+*-]+$/.test(mediaType)
}

function printBody(body: SampleBody): Lines {
  switch (body.kind) {
    case 'json':
      return printText(printJsonText(body.value), body.mediaType)
    case 'text':
      return printText(body.text, body.mediaType)
    case 'form':
      return [
        'request.Content = new FormUrlEncodedContent(new KeyValuePair<string, string>[]',
        '{',
        body.fields.map(([name, value]) => `    new(${quote(name)}, ${quote(value)}),`),
        '});',
      ]
    case 'multipart':
      return [
        'var form = new MultipartFormDataContent();',
        body.parts.map(printPart),
        'request.Content = form;',
      ]
    case 'file':
      return `request.Content = new StreamContent(File.OpenRead(${quote(body.fileName)}));`
  }
}

function printText(text: string, mediaType: string): string {
  const type = isBare(mediaType) ? `, Encoding.UTF8, ${quote(mediaType)}` : ', Encoding.UTF8'
  return `request.Content = new StringContent(${quoteText(text)}${type});`
}

function printPart(part: SamplePart): string {
  const name = quote(part.name)
  if (!('fileName' in part)) return `form.Add(new StringContent(${quote(part.value)}), ${name});`
  const fileName = quote(part.fileName)
  return `form.Add(new StreamContent(File.OpenRead(${fileName})), ${name}, ${fileName});`
}

/**
 * Prints multi-line text as a raw literal, with more quotes than the longest run of quotes in it.
 */
function quoteText(text: string): string {
  if (!isBlock(text)) return quote(text)
  const quotes = '"'.repeat(Math.max(3, findLongestRun(text, '"') + 1))
  return `${quotes}\n${indentBlock(text, '    ')}\n    ${quotes}`
}

function quote(text: string): string {
  const named = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r' }
  return `"${escapeText(text, { named, unprintable: utf16Escape })}"`
}
