/** Renders diagnostics like `octavo check`, with colors and links to the source lines. */
import type { BuildDiagnostics } from '@octavo/contract'
import { type Html, type HtmlPart, html } from './html.ts'
import { webLink } from './link.ts'
import { countOf } from './number.ts'

/** The maximum number of diagnostics of one kind to list. Others are counted, as in the CLI. */
const LISTED_MAX = 10

type Written = BuildDiagnostics['diagnostics'][number]
type Place = Written['place']

export function diagnosticsReport({ diagnostics, counts, files }: BuildDiagnostics): Html {
  const listed = new Map<string, number>()
  const counted = new Map<string, { sample: Written; number: number }>()
  const lines: HtmlPart[] = []
  for (const diagnostic of diagnostics) {
    const { code, severity } = diagnostic
    const number = (listed.get(code) ?? 0) + 1
    if (severity === 'note' || number > LISTED_MAX) {
      const before = counted.get(code)
      counted.set(code, { sample: before?.sample ?? diagnostic, number: (before?.number ?? 0) + 1 })
      continue
    }
    listed.set(code, number)
    lines.push(one(diagnostic, files), '\n\n')
  }
  for (const [code, { sample, number }] of counted) {
    const more = listed.has(code)
      ? `and ${number} more`
      : `${number}, the first at ${printPlace(sample.place)}`
    lines.push(severityWord(sample.severity), `  ${code}: ${more}\n`)
  }
  if (counted.size > 0) lines.push('\n')
  const notes = diagnostics.filter(({ severity }) => severity === 'note').length
  return html`<pre class="report" tabindex="0" aria-label="Problems">${lines}${summary(counts, notes)}</pre>`
}

const NEXT_LINE = '\n  '

function one({ severity, code, message, hint, place, related = [] }: Written, files?: string) {
  const others = related.map(
    (other) =>
      html`${NEXT_LINE}<span class="dim">${linkedPlace(other.place, files)}</span>  ${other.message}`,
  )
  return html`
    ${severityWord(severity)}  <b>${linkedPlace(place, files)}</b>  ${code}
    ${NEXT_LINE}
    ${message}
    ${others}
    ${hint !== undefined && html`${NEXT_LINE}<span class="hint-word">Hint:</span> ${hint}`}
  `
}

const printPlace = ({ file = '', line, column }: Partial<NonNullable<Place>> = {}) =>
  [file, line, column].filter((part) => part !== undefined && part !== '').join(':')

/** Renders a place as a link to the line on the Git host, if the address of its files is known. */
function linkedPlace(place: Place, files: string | undefined): HtmlPart {
  const text = printPlace(place)
  if (files === undefined || place === undefined) return text
  const path = place.file.split('/').map(encodeURIComponent).join('/')
  const line = place.line === undefined ? '' : `#L${place.line}`
  return webLink(`${files}${path}${line}`, text)
}

function severityWord(severity: string): Html {
  const kind = severity === 'error' || severity === 'warning' ? severity : 'note'
  return html`<span class="${kind}-word">${severity}</span>`
}

function summary(
  counts: { readonly error: number; readonly warning: number },
  notes: number,
): Html {
  const { error, warning } = counts
  if (error + warning + notes === 0) return html`<span class="hint-word">✓</span> No problems.`
  const parts = [
    error > 0 && html`<span class="error-word">${countOf(error, 'error')}</span>`,
    warning > 0 && html`<span class="warning-word">${countOf(warning, 'warning')}</span>`,
    notes > 0 && html`<span class="note-word">${countOf(notes, 'note')}</span>`,
  ].filter((part) => part !== false)
  const mark =
    error > 0 ? html`<span class="error-word">✗</span>` : html`<span class="hint-word">✓</span>`
  return html`${mark} ${parts.map((part, index) => html`${index > 0 && ', '}${part}`)}.`
}
