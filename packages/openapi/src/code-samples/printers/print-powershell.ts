import { joinLines } from '../join-lines.ts'
import { printJsonText } from '../json-text.ts'
import {
  encodeForm,
  FORM_MEDIA_TYPE,
  listHeaders,
  type PreparedRequest,
} from '../prepare-request.ts'
import type { Pair, SampleBody, SamplePart } from '../sample-request.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'MERGE']

/** Prints a program with `Invoke-RestMethod` for PowerShell 7. */
export function printPowershell(request: PreparedRequest): string {
  const { method, body } = request
  const headers = listHeaders({ ...request, contentType: undefined })
  const contentType = body?.kind === 'form' ? FORM_MEDIA_TYPE : request.contentType
  const options = [
    `${METHODS.includes(method) ? '-Method' : '-CustomMethod'} ${quote(method)}`,
    `-Uri ${quote(request.url)}`,
    headers.length === 0 ? undefined : '-Headers $headers',
    contentType === undefined ? undefined : `-ContentType ${quote(contentType)}`,
    body === undefined ? undefined : printOption(body),
  ].filter((option) => option !== undefined)
  return joinLines(
    headers.length === 0 ? undefined : [`$headers = ${printTable(headers.map(quotePair))}`, ''],
    body === undefined ? undefined : printBody(body),
    `Invoke-RestMethod ${options.join(' `\n  ')}`,
  )
}

function printOption(body: SampleBody): string {
  if (body.kind === 'file') return `-InFile ${quote(body.fileName)}`
  return body.kind === 'multipart' ? '-Form $form' : '-Body $body'
}

function printBody(body: SampleBody): readonly string[] {
  switch (body.kind) {
    case 'json':
      return [`$body = ${quote(printJsonText(body.value))}`, '']
    case 'form':
      return [`$body = ${quote(encodeForm(body.fields))}`, '']
    case 'multipart':
      return [`$form = ${printTable(groupParts(body.parts))}`, '']
    case 'text':
      return [`$body = ${quote(body.text)}`, '']
    case 'file':
      return []
  }
}

/**
 * Combines parts with the same name into a list, since a hash table rejects duplicate keys,
 * ignoring case.
 */
function groupParts(parts: readonly SamplePart[]): readonly Pair[] {
  const groups = new Map<string, Pair>()
  for (const part of parts) {
    const key = part.name.toLowerCase()
    const value =
      'fileName' in part ? `(Get-Item -LiteralPath ${quote(part.fileName)})` : quote(part.value)
    const before = groups.get(key)
    const values = before === undefined ? value : `${before[1]}, ${value}`
    groups.set(key, [before?.[0] ?? quote(part.name), values])
  }
  return [...groups.values()]
}

function quotePair([name, value]: Pair): Pair {
  return [quote(name), quote(value)]
}

function printTable(entries: readonly Pair[]): string {
  return joinLines(
    '@{',
    entries.map(([name, value]) => `  ${name} = ${value}`),
    '}',
  )
}

/**
 * Prints a string literal. Quotes are doubled, including typographic ones, which PowerShell treats
 * as single quotes.
 */
function quote(text: string): string {
  return `'${text.replaceAll(/['\u2018-\u201b]/g, '$&$&')}'`
}
