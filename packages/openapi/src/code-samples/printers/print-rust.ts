import { bracedEscape, escapeText, isPrintable } from '../escape-text.ts'
import { joinLines, type Lines } from '../join-lines.ts'
import { printJsonText } from '../json-text.ts'
import { listHeaders, type PreparedRequest } from '../prepare-request.ts'
import type { SampleBody, SamplePart } from '../sample-request.ts'
import { findLongestRun } from '../text-literal.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']
/** The maximum number of `#` around a raw literal. Rust allows up to 255. */
const HASHES_MAX = 8

/** Prints a program with the blocking client of `reqwest`. */
export function printRust(request: PreparedRequest): string {
  const { method, url, body } = request
  return joinLines(
    body?.kind === 'multipart'
      ? 'use reqwest::blocking::{multipart, Client};'
      : 'use reqwest::blocking::Client;',
    body?.kind === 'file' ? 'use std::fs::File;' : undefined,
    '',
    'fn main() -> Result<(), Box<dyn std::error::Error>> {',
    body?.kind === 'multipart' ? printForm(body.parts) : undefined,
    '    let response = Client::new()',
    METHODS.includes(method)
      ? `        .${method.toLowerCase()}(${quote(url)})`
      : `        .request(${quote(method)}.parse()?, ${quote(url)})`,
    listHeaders(request).map(([name, value]) => `        .header(${quote(name)}, ${quote(value)})`),
    body === undefined ? undefined : printBody(body),
    '        .send()?;',
    '    println!("{}", response.text()?);',
    '    Ok(())',
    '}',
  )
}

function printForm(parts: readonly SamplePart[]): Lines {
  const printed = parts.map((part) =>
    'fileName' in part
      ? `        .file(${quote(part.name)}, ${quote(part.fileName)})?`
      : `        .text(${quote(part.name)}, ${quote(part.value)})`,
  )
  return ['    let form = multipart::Form::new()', `${printed.join('\n')};`, '']
}

function printBody(body: SampleBody): Lines {
  switch (body.kind) {
    case 'json':
      return `        .body(${quoteText(printJsonText(body.value))})`
    case 'text':
      return `        .body(${quoteText(body.text)})`
    case 'form':
      return [
        '        .form(&[',
        body.fields.map(([name, value]) => `            (${quote(name)}, ${quote(value)}),`),
        '        ])',
      ]
    case 'multipart':
      return '        .multipart(form)'
    case 'file':
      return `        .body(File::open(${quote(body.fileName)})?)`
  }
}

function quoteText(text: string): string {
  const count = findLongestRun(text, '#') + 1
  if (!text.includes('\n') || !isPrintable(text) || count > HASHES_MAX) return quote(text)
  const hashes = '#'.repeat(count)
  return `r${hashes}"${text}"${hashes}`
}

function quote(text: string): string {
  const named = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r' }
  return `"${escapeText(text, { named, unprintable: bracedEscape })}"`
}
