import { escapeText, utf16Escape } from '../escape-text.ts'
import { joinLines, type Lines } from '../join-lines.ts'
import { printJsonText } from '../json-text.ts'
import { listHeaders, type PreparedRequest } from '../prepare-request.ts'
import type { SamplePart } from '../sample-request.ts'
import { indentBlock, isBlock } from '../text-literal.ts'

/** Methods for which OkHttp requires a body. */
const NEEDS_BODY = ['POST', 'PUT', 'PATCH', 'PROPPATCH', 'REPORT']

/** An expression that evaluates to a dollar sign, for literals without escapes. */
const DOLLAR = ['$', "{'$'}"].join('')

const AS_REQUEST_BODY = 'okhttp3.RequestBody.Companion.asRequestBody'
const MEDIA_TYPE = 'okhttp3.MediaType.Companion.toMediaType'
const TO_REQUEST_BODY = 'okhttp3.RequestBody.Companion.toRequestBody'

/** Prints a program for OkHttp 4 and 5. */
export function printKotlin(request: PreparedRequest): string {
  const body = printBody(request)
  return joinLines(
    [...body.imports, 'okhttp3.OkHttpClient', 'okhttp3.Request']
      .sort()
      .map((name) => `import ${name}`),
    '',
    'fun main() {',
    body.lines,
    '    val request = Request.Builder()',
    `        .url(${quote(request.url)})`,
    listHeaders({ ...request, contentType: undefined }).map(
      ([name, value]) => `        .header(${quote(name)}, ${quote(value)})`,
    ),
    `        .method(${quote(request.method)}, ${body.argument})`,
    '        .build()',
    '',
    '    OkHttpClient().newCall(request).execute().use { response ->',
    '        println(response.body?.string())',
    '    }',
    '}',
  )
}

type KotlinBody = {
  readonly imports: readonly string[]
  readonly lines?: Lines
  readonly argument: string
}

function printBody({ method, body }: PreparedRequest): KotlinBody {
  switch (body?.kind) {
    case undefined:
      return NEEDS_BODY.includes(method)
        ? { imports: [TO_REQUEST_BODY], argument: '"".toRequestBody()' }
        : { imports: [], argument: 'null' }
    case 'json':
      return printText(printJsonText(body.value), body.mediaType)
    case 'text':
      return printText(body.text, body.mediaType)
    case 'form':
      return {
        imports: ['okhttp3.FormBody'],
        lines: [
          '    val body = FormBody.Builder()',
          body.fields.map(([name, value]) => `        .add(${quote(name)}, ${quote(value)})`),
          '        .build()',
          '',
        ],
        argument: 'body',
      }
    case 'multipart':
      return printMultipart(body.parts)
    case 'file': {
      const file = `File(${quote(body.fileName)}).asRequestBody(${quote(body.mediaType)}.toMediaType())`
      return {
        imports: ['java.io.File', MEDIA_TYPE, AS_REQUEST_BODY],
        lines: [`    val body = ${file}`, ''],
        argument: 'body',
      }
    }
  }
}

function printText(text: string, mediaType: string): KotlinBody {
  const literal = `${quoteText(text)}.toRequestBody(${quote(mediaType)}.toMediaType())`
  return {
    imports: [MEDIA_TYPE, TO_REQUEST_BODY],
    lines: [`    val body = ${literal}`, ''],
    argument: 'body',
  }
}

function printMultipart(parts: readonly SamplePart[]): KotlinBody {
  const hasFile = parts.some((part) => 'fileName' in part)
  return {
    imports: ['okhttp3.MultipartBody', ...(hasFile ? ['java.io.File', AS_REQUEST_BODY] : [])],
    lines: [
      '    val body = MultipartBody.Builder()',
      '        .setType(MultipartBody.FORM)',
      parts.map(printPart),
      '        .build()',
      '',
    ],
    argument: 'body',
  }
}

function printPart(part: SamplePart): string {
  const name = quote(part.name)
  if (!('fileName' in part)) return `        .addFormDataPart(${name}, ${quote(part.value)})`
  const fileName = quote(part.fileName)
  return `        .addFormDataPart(${name}, ${fileName}, File(${fileName}).asRequestBody())`
}

/** Prints multi-line text as a raw literal, unless it contains three quotes in a row. */
function quoteText(text: string): string {
  if (!isBlock(text) || text.includes('"""') || text.endsWith('"')) return quote(text)
  const inside = indentBlock(
    text.replaceAll('$', () => DOLLAR),
    ' '.repeat(8),
  )
  return `"""\n${inside}\n    """.trimIndent()`
}

function quote(text: string): string {
  const named = { '"': '\\"', '\\': '\\\\', $: '\\$', '\n': '\\n', '\t': '\\t', '\r': '\\r' }
  return `"${escapeText(text, { named, unprintable: utf16Escape })}"`
}
