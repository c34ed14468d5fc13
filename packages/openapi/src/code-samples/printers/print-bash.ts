import { printJsonText } from '../json-text.ts'
import { type PreparedRequest, printCookies } from '../prepare-request.ts'
import type { SampleBody, SamplePart } from '../sample-request.ts'

/** Prints a `curl` command for any POSIX shell. */
export function printBash(request: PreparedRequest): string {
  const { method, url, headers, contentType, cookies, body } = request
  const shown =
    contentType === undefined ? headers : [...headers, ['Content-Type', contentType] as const]
  // With `--request HEAD` instead of `--head`, curl would wait for a body that never arrives.
  const first = method === 'HEAD' ? 'curl --head' : `curl --request ${quote(method)}`
  return [
    first,
    // Without this option, curl treats brackets in a URL as a list of URLs.
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    `--url ${quote(url)}`,
    ...shown.map(([name, value]) => `--header ${quote(printCurlHeader(name, value))}`),
    ...(cookies.length === 0 ? [] : [`--cookie ${quote(printCookies(request))}`]),
    ...(body === undefined ? [] : printBody(body)),
  ].join(' \\\n  ')
}

/**
 * Prints a header for curl and libcurl. They would omit a header without a value if its name were
 * followed by a colon.
 */
export function printCurlHeader(name: string, value: string): string {
  return value === '' ? `${name};` : `${name}: ${value}`
}

function printBody(body: SampleBody): readonly string[] {
  switch (body.kind) {
    case 'json':
      // JSON never starts with @, which curl would treat as a file name. Line breaks are only between
      // its values, so the lines can be indented like those of the command.
      return [`--data ${quote(printJsonText(body.value).replaceAll('\n', '\n  '))}`]
    case 'form':
      return body.fields.map(
        ([name, value]) => `--data-urlencode ${quote(`${encodeURIComponent(name)}=${value}`)}`,
      )
    case 'multipart':
      return body.parts.map(printPart)
    case 'text':
      return [`--data-raw ${quote(body.text)}`]
    case 'file':
      return [`--data-binary ${quote(`@${body.fileName}`)}`]
  }
}

/**
 * Prints a part of a form. curl splits at the first `=`, so a name with `=` could make it read
 * another file.
 */
function printPart(part: SamplePart): string {
  const name = part.name.replaceAll('=', '%3D')
  return 'fileName' in part
    ? `--form ${quote(`${name}=@${formFileName(part.fileName)}`)}`
    : `--form-string ${quote(`${name}=${part.value}`)}`
}

/** Quotes a file name with special characters, since `;` and `,` would end it in `--form`. */
function formFileName(fileName: string): string {
  if (/^[\w.-]+$/.test(fileName)) return fileName
  return `"${fileName.replaceAll(/["\\]/g, '\\$&')}"`
}

function quote(text: string): string {
  if (/^[A-Za-z][\w./:-]*$/.test(text)) return text
  return `'${text.replaceAll("'", "'\\''")}'`
}
