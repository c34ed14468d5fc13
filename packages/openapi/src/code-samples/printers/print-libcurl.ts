import { escapeText, isPrintable, octalEscape } from '../escape-text.ts'
import { joinLines, type Lines } from '../join-lines.ts'
import { printJsonText } from '../json-text.ts'
import { encodeForm, listHeaders, type PreparedRequest } from '../prepare-request.ts'
import type { SampleBody, SamplePart } from '../sample-request.ts'
import { quoteLines } from '../text-literal.ts'
import { printCurlHeader } from './print-bash.ts'

type Dialect = { readonly null: string; readonly quoteText: (text: string) => string }

export function printC(request: PreparedRequest): string {
  const quoteText = (text: string) => quoteLines(text, { quote, between: '\n    ' })
  return printLibcurl(request, { null: 'NULL', quoteText })
}

export function printCpp(request: PreparedRequest): string {
  return printLibcurl(request, { null: 'nullptr', quoteText: quoteRaw })
}

function printLibcurl(request: PreparedRequest, dialect: Dialect): string {
  const { method, url, body } = request
  const headers = listHeaders(request)
  return joinLines(
    body?.kind === 'file' ? '#include <stdio.h>' : undefined,
    '#include <curl/curl.h>',
    '',
    'int main(void) {',
    '  CURL *curl = curl_easy_init();',
    '  if (!curl) return 1;',
    '',
    `  curl_easy_setopt(curl, CURLOPT_URL, ${quote(url)});`,
    // Without this option, libcurl would wait for a body that never arrives.
    method === 'HEAD' ? '  curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);' : undefined,
    body === undefined ? undefined : printBody(body, dialect),
    method === 'HEAD'
      ? undefined
      : `  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, ${quote(method)});`,
    headers.length === 0
      ? undefined
      : [
          '',
          `  struct curl_slist *headers = ${dialect.null};`,
          headers.map(
            ([name, value]) =>
              `  headers = curl_slist_append(headers, ${quote(printCurlHeader(name, value))});`,
          ),
          '  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);',
        ],
    '',
    '  CURLcode result = curl_easy_perform(curl);',
    '',
    headers.length === 0 ? undefined : '  curl_slist_free_all(headers);',
    '  curl_easy_cleanup(curl);',
    body?.kind === 'multipart' ? '  curl_mime_free(form);' : undefined,
    body?.kind === 'file' ? '  fclose(file);' : undefined,
    '  return result == CURLE_OK ? 0 : 1;',
    '}',
  )
}

function printBody(body: SampleBody, { quoteText }: Dialect): Lines {
  switch (body.kind) {
    case 'json':
      return printFields(quoteText(printJsonText(body.value)))
    case 'text':
      return printFields(quoteText(body.text))
    case 'form':
      return printFields(quote(encodeForm(body.fields)))
    case 'multipart':
      return [
        '',
        '  curl_mime *form = curl_mime_init(curl);',
        '  curl_mimepart *part;',
        body.parts.map(printPart),
        '  curl_easy_setopt(curl, CURLOPT_MIMEPOST, form);',
      ]
    case 'file':
      return [
        `  FILE *file = fopen(${quote(body.fileName)}, "rb");`,
        '  if (!file) return 1;',
        '  curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);',
        '  curl_easy_setopt(curl, CURLOPT_READDATA, file);',
      ]
  }
}

function printFields(literal: string): string {
  return `  curl_easy_setopt(curl, CURLOPT_POSTFIELDS,\n    ${literal});`
}

function printPart(part: SamplePart): Lines {
  return [
    '  part = curl_mime_addpart(form);',
    `  curl_mime_name(part, ${quote(part.name)});`,
    'fileName' in part
      ? `  curl_mime_filedata(part, ${quote(part.fileName)});`
      : `  curl_mime_data(part, ${quote(part.value)}, CURL_ZERO_TERMINATED);`,
  ]
}

function quoteRaw(text: string): string {
  if (!text.includes('\n') || text.includes(')body"') || !isPrintable(text)) return quote(text)
  return `R"body(${text})body"`
}

/**
 * Prints a string literal. The second of two question marks is escaped, because `??/` and similar
 * are trigraphs.
 */
function quote(text: string): string {
  const named = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r' }
  const inside = escapeText(text, { named, unprintable: octalEscape })
  return `"${inside.replaceAll(/(?<=\?)\?/g, '\\?')}"`
}
