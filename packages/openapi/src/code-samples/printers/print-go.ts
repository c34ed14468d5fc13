import { escapeText, isPrintable, longEscape } from '../escape-text.ts'
import { joinLines, type Lines } from '../join-lines.ts'
import { printJsonText } from '../json-text.ts'
import { FORM_MEDIA_TYPE, listHeaders, type PreparedRequest } from '../prepare-request.ts'
import type { SampleBody, SamplePart } from '../sample-request.ts'

const PANIC = ['\tif err != nil {', '\t\tpanic(err)', '\t}']

/**
 * Prints a program with `net/http`. Only used packages are imported, because Go rejects unused
 * imports.
 */
export function printGo(request: PreparedRequest): string {
  const body = printBody(request.body)
  const call = `http.NewRequest(${quote(request.method)}, ${quote(request.url)}, ${body.reader})`
  return joinLines(
    'package main',
    '',
    'import (',
    ['fmt', 'io', 'net/http', ...body.imports].sort().map((name) => `\t"${name}"`),
    ')',
    '',
    'func main() {',
    body.lines,
    `\trequest, err := ${call}`,
    PANIC,
    listHeaders(request, body.contentType).map(
      ([name, value]) => `\trequest.Header.Set(${quote(name)}, ${quote(value)})`,
    ),
    body.contentTypeLine,
    '',
    '\tresponse, err := http.DefaultClient.Do(request)',
    PANIC,
    '\tdefer response.Body.Close()',
    '',
    '\ttext, err := io.ReadAll(response.Body)',
    PANIC,
    '\tfmt.Println(string(text))',
    '}',
  )
}

type GoBody = {
  readonly imports: readonly string[]
  readonly lines?: Lines
  readonly reader: string
  readonly contentType?: string
  readonly contentTypeLine?: string
}

function printBody(body: SampleBody | undefined): GoBody {
  switch (body?.kind) {
    case undefined:
      return { imports: [], reader: 'nil' }
    case 'json':
      return printText(printJsonText(body.value))
    case 'text':
      return printText(body.text)
    case 'form': {
      const adds = body.fields.map(([name, value]) => `\tform.Add(${quote(name)}, ${quote(value)})`)
      return {
        imports: ['net/url', 'strings'],
        lines: ['\tform := url.Values{}', adds, ''],
        reader: 'strings.NewReader(form.Encode())',
        contentType: FORM_MEDIA_TYPE,
      }
    }
    case 'multipart':
      return printMultipart(body.parts)
    case 'file':
      return {
        imports: ['os'],
        lines: [
          `\tfile, err := os.Open(${quote(body.fileName)})`,
          PANIC,
          '\tdefer file.Close()',
          '',
        ],
        reader: 'file',
      }
  }
}

function printText(text: string): GoBody {
  const lines = [`\tbody := strings.NewReader(${quoteText(text)})`, '']
  return { imports: ['strings'], lines, reader: 'body' }
}

function printMultipart(parts: readonly SamplePart[]): GoBody {
  const hasFile = parts.some((part) => 'fileName' in part)
  return {
    imports: ['bytes', 'mime/multipart', ...(hasFile ? ['os'] : [])],
    lines: [
      '\tbody := &bytes.Buffer{}',
      '\tform := multipart.NewWriter(body)',
      parts.map(printPart),
      '\tform.Close()',
      '',
    ],
    reader: 'body',
    contentTypeLine: '\trequest.Header.Set("Content-Type", form.FormDataContentType())',
  }
}

/** Prints a part of a form. Each file has its own block, so that variable names can repeat. */
function printPart(part: SamplePart): Lines {
  const name = quote(part.name)
  if (!('fileName' in part)) return `\tform.WriteField(${name}, ${quote(part.value)})`
  const fileName = quote(part.fileName)
  return [
    `\tif part, err := form.CreateFormFile(${name}, ${fileName}); err != nil {`,
    '\t\tpanic(err)',
    `\t} else if content, err := os.ReadFile(${fileName}); err != nil {`,
    '\t\tpanic(err)',
    '\t} else {',
    '\t\tpart.Write(content)',
    '\t}',
  ]
}

function quoteText(text: string): string {
  if (!text.includes('\n') || text.includes('`') || !isPrintable(text)) return quote(text)
  return `\`${text}\``
}

function quote(text: string): string {
  const named = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r' }
  return `"${escapeText(text, { named, unprintable: longEscape })}"`
}
