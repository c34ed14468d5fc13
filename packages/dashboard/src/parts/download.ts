/** Downloads of a list that the API streams: the menu with their links, and their responses. */
import { type Query, withQuery } from '../visit/api-paths.ts'
import { ApiFailure, readProblem } from '../visit/call-api.ts'
import type { Screen } from '../visit/screen.ts'
import { type Html, html } from './html.ts'
import { icon } from './icon.ts'
import { countText } from './number.ts'

export const DOWNLOAD_TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const

export type DownloadFormat = keyof typeof DOWNLOAD_TYPES

export type DownloadMenu = {
  /** The path of the list; the downloads have the same path with an extension. */
  readonly path: string
  readonly filter: Query
  /** The number of rows, if it is known. */
  readonly count?: number | null
  readonly isSmall?: boolean
}

export function downloadMenu({ path, filter, count = null, isSmall }: DownloadMenu): Html {
  const item = (format: DownloadFormat, label: string) =>
    html`<li><a href="${withQuery(`${path}.${format}`, filter)}" download>${label}</a></li>`
  return html`
    <details class="menu end">
      <summary class="button${isSmall && ' small'}">
        ${icon('download')}Export${count !== null && ` ${countText(count)}`}${icon('chevron-down')}
      </summary>
      <ul>${item('ndjson', 'NDJSON')}${item('csv', 'CSV')}</ul>
    </details>
  `
}

export type Download = {
  /** The API path of the list, with the filter. */
  readonly path: string
  /** The first part of the file name. */
  readonly name: string
  readonly format: DownloadFormat
}

/** Forwards the API's stream as a download with a descriptive file name. */
export async function forwardDownload(
  { visit, now }: Screen,
  { path, name, format }: Download,
): Promise<Response> {
  const reply = await visit.api('GET', path, { accept: DOWNLOAD_TYPES[format] })
  if (!reply.ok) throw new ApiFailure(await readProblem(reply))
  const type = reply.headers.get('content-type') ?? DOWNLOAD_TYPES[format]
  return fileResponse(reply.body, { type, name, format, now })
}

type DownloadedFile = Omit<Download, 'path'> & { readonly type: string; readonly now: number }

export function fileResponse(
  body: string | ReadableStream | null,
  { type, name, format, now }: DownloadedFile,
): Response {
  const day = new Date(now).toISOString().slice(0, 10)
  return new Response(body, {
    headers: {
      'content-type': type,
      'content-disposition': `attachment; filename="${name}-${day}.${format}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}
