import { escapeText, utf16Escape } from '../escape-text.ts'
import { joinLines, type Lines } from '../join-lines.ts'
import { type LiteralSyntax, printJsonLiteral } from '../json-literal.ts'
import { listHeaders, type PreparedRequest } from '../prepare-request.ts'
import type { Pair, SampleBody, SamplePart } from '../sample-request.ts'
import { quoteLines } from '../text-literal.ts'

type Dialect = 'browser' | 'node' | 'typescript'

const SYNTAX: LiteralSyntax = {
  quote,
  number: String,
  null: 'null',
  true: 'true',
  false: 'false',
  indent: '  ',
  key: (key) => `${printKey(key)}: `,
  object: () => ['{', '}'],
}

export function printJavascript(request: PreparedRequest): string {
  return printFetch(request, 'browser')
}

export function printNode(request: PreparedRequest): string {
  return printFetch(request, 'node')
}

/** Prints a program for Node and similar runtimes, with the types of the standard library. */
export function printTypescript(request: PreparedRequest): string {
  return printFetch(request, 'typescript')
}

function printFetch(request: PreparedRequest, dialect: Dialect): string {
  const { body } = request
  const url = quote(request.url)
  const options = printOptions(request, dialect)
  return joinLines(
    printFileAccess(body, dialect),
    body?.kind === 'multipart' ? printFormData(body.parts, dialect) : undefined,
    dialect === 'typescript'
      ? printTypedCall(url, options)
      : `const response = await ${printCall('fetch', [url, options])};`,
    'console.log(await response.text());',
  )
}

function printTypedCall(url: string, options: string | undefined): Lines {
  const call = printCall('fetch', [url, options === undefined ? undefined : 'options'])
  return [
    options === undefined ? undefined : [`const options: RequestInit = ${options};`, ''],
    `const response: Response = await ${call};`,
  ]
}

function printCall(name: string, written: readonly (string | undefined)[]): string {
  return `${name}(${written.filter((argument) => argument !== undefined).join(', ')})`
}

function printOptions(request: PreparedRequest, dialect: Dialect): string | undefined {
  // A page cannot set the cookies of a request, so the browser sends its own.
  const isBrowser = dialect === 'browser'
  const headers = listHeaders(isBrowser ? { ...request, cookies: [] } : request)
  const options = [
    request.method === 'GET' ? undefined : `method: ${quote(request.method)}`,
    headers.length === 0 ? undefined : `headers: ${printObject(headers)}`,
    isBrowser && request.cookies.length > 0 ? `credentials: ${quote('include')}` : undefined,
    request.body === undefined ? undefined : `body: ${printBody(request.body, dialect)}`,
  ].filter((option) => option !== undefined)
  if (options.length === 0) return undefined
  return joinLines(
    '{',
    options.map((option) => `  ${option},`),
    '}',
  )
}

function printObject(pairs: readonly Pair[]): string {
  return printJsonLiteral(Object.fromEntries(pairs), SYNTAX, '  ')
}

function printBody(body: SampleBody, dialect: Dialect): string {
  switch (body.kind) {
    case 'json':
      return `JSON.stringify(${printJsonLiteral(body.value, SYNTAX, '  ')})`
    case 'form':
      return `new URLSearchParams([\n${body.fields.map(printPair).join('')}  ])`
    case 'multipart':
      return 'form'
    case 'text':
      return quoteLines(body.text, { quote, between: ' +\n    ' })
    case 'file':
      return printFile(body.fileName, dialect)
  }
}

function printPair([name, value]: Pair): string {
  return `    [${quote(name)}, ${quote(value)}],\n`
}

function printFormData(parts: readonly SamplePart[], dialect: Dialect): Lines {
  return [
    'const form = new FormData();',
    parts.map((part) => {
      if (!('fileName' in part)) return `form.append(${quote(part.name)}, ${quote(part.value)});`
      const file = printFile(part.fileName, dialect)
      const blob = dialect === 'browser' ? file : `new Blob([${file}])`
      return `form.append(${quote(part.name)}, ${blob}, ${quote(part.fileName)});`
    }),
    '',
  ]
}

/** Prints the code that reads a file. A page can only read files that the user selected. */
function printFileAccess(body: SampleBody | undefined, dialect: Dialect): Lines {
  const hasFile =
    body?.kind === 'file' ||
    (body?.kind === 'multipart' && body.parts.some((part) => 'fileName' in part))
  if (!hasFile) return undefined
  if (dialect !== 'browser') return [`import { readFile } from ${quote('node:fs/promises')};`, '']
  return [`const fileInput = document.querySelector(${quote('input[type="file"]')});`, '']
}

function printFile(fileName: string, dialect: Dialect): string {
  return dialect === 'browser' ? 'fileInput.files[0]' : `await readFile(${quote(fileName)})`
}

/** Prints a key. `__proto__` is in brackets, because it would set the prototype otherwise. */
function printKey(key: string): string {
  if (key === '__proto__') return `[${quote(key)}]`
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key)
}

function quote(text: string): string {
  const named = { "'": "\\'", '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r' }
  return `'${escapeText(text, { named, unprintable: utf16Escape })}'`
}
