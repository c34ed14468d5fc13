import { escapeText, longEscape } from '../escape-text.ts'
import { joinLines, type Lines } from '../join-lines.ts'
import { type LiteralSyntax, printJsonLiteral } from '../json-literal.ts'
import { listHeaders, type PreparedRequest } from '../prepare-request.ts'
import type { Pair, SampleBody, SamplePart } from '../sample-request.ts'
import { quoteLines } from '../text-literal.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

const SYNTAX: LiteralSyntax = {
  quote,
  number: String,
  null: 'None',
  true: 'True',
  false: 'False',
  indent: '    ',
  key: (key) => `${quote(key)}: `,
  object: () => ['{', '}'],
}

/** Prints a program with `requests`. */
export function printPython(request: PreparedRequest): string {
  const { method, cookies } = request
  const headers = listHeaders({ ...request, cookies: [] })
  const body = request.body === undefined ? undefined : printBody(request.body)
  const call = METHODS.includes(method)
    ? `requests.${method.toLowerCase()}(url`
    : `requests.request(${quote(method)}, url`
  const given = [
    headers.length > 0 ? 'headers=headers' : undefined,
    cookies.length > 0 ? 'cookies=cookies' : undefined,
    body?.argument,
  ].filter((argument) => argument !== undefined)
  return joinLines(
    'import requests',
    '',
    `url = ${quote(request.url)}`,
    '',
    headers.length > 0 ? [`headers = ${printDictionary(headers)}`, ''] : undefined,
    cookies.length > 0 ? [`cookies = ${printDictionary(cookies)}`, ''] : undefined,
    body === undefined ? undefined : [body.lines, ''],
    `response = ${[call, ...given].join(', ')})`,
    'print(response.text)',
  )
}

type PythonBody = { readonly lines: Lines; readonly argument: string }

function printBody(body: SampleBody): PythonBody {
  switch (body.kind) {
    case 'json':
      // `requests` sends no body for `json=None`.
      if (body.value === null) return { lines: 'payload = "null"', argument: 'data=payload' }
      return {
        lines: `payload = ${printJsonLiteral(body.value, SYNTAX, '')}`,
        argument: 'json=payload',
      }
    case 'form':
      return { lines: printList('payload', body.fields.map(printPair)), argument: 'data=payload' }
    case 'multipart':
      return { lines: printList('files', body.parts.map(printPart)), argument: 'files=files' }
    case 'text': {
      const text = quoteLines(body.text, { quote, between: '\n    ' })
      return { lines: ['payload = (', `    ${text}`, ')'], argument: 'data=payload.encode()' }
    }
    case 'file':
      return { lines: `payload = open(${quote(body.fileName)}, "rb")`, argument: 'data=payload' }
  }
}

function printList(name: string, items: readonly string[]): Lines {
  return [`${name} = [`, items.map((item) => `    ${item},`), ']']
}

function printPair([name, value]: Pair): string {
  return `(${quote(name)}, ${quote(value)})`
}

/**
 * Prints a part of a form. A value is a tuple without a file name, because `requests` would send it
 * as a file otherwise.
 */
function printPart(part: SamplePart): string {
  return 'fileName' in part
    ? `(${quote(part.name)}, open(${quote(part.fileName)}, "rb"))`
    : `(${quote(part.name)}, (None, ${quote(part.value)}))`
}

function printDictionary(pairs: readonly Pair[]): string {
  return printJsonLiteral(Object.fromEntries(pairs), SYNTAX, '')
}

function quote(text: string): string {
  const mark = text.includes('"') && !text.includes("'") ? "'" : '"'
  const named = { [mark]: `\\${mark}`, '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r' }
  return mark + escapeText(text, { named, unprintable: longEscape }) + mark
}
