/** The card with the changes of the API, on the page of a deployment. */
import type { ApiChange, ApiChangesReply } from '@octavo/contract'
import { card, emptyState } from '../../parts/card.ts'
import { type Html, html } from '../../parts/html.ts'
import type { IconName } from '../../parts/icon.ts'
import { countOf } from '../../parts/number.ts'
import { stateTag } from '../../parts/state.ts'

const CHANGES_SHOWN = 40

const LEVELS = {
  breaking: { word: 'Breaking', tone: 'bad', sign: 'x-circle' },
  additive: { word: 'Additive', tone: 'good', sign: 'check-circle' },
  documentation: { word: 'Docs only', tone: 'off', sign: 'file-pen' },
} as const satisfies Record<ApiChange['level'], { word: string; tone: string; sign: IconName }>
const ORDER = Object.keys(LEVELS)

/** Returns the card; undefined if no specification differs. */
export function apiChanges(reply: ApiChangesReply): Html | undefined {
  const { pending, specifications, problem, baseNumber } = reply
  if (!pending && specifications.length === 0 && problem === undefined) return undefined
  const compared = baseNumber === null ? '' : html`Compared with #${baseNumber}: `
  const counts = `${reply.breaking} breaking, ${reply.additive} additive, ${countOf(reply.documentation, 'change')} of the documentation`
  const changes = specifications
    .flatMap(({ file, changes: own }) => own.map((change) => ({ file, change })))
    .toSorted((a, b) => ORDER.indexOf(a.change.level) - ORDER.indexOf(b.change.level))
  const shown = changes.slice(0, CHANGES_SHOWN)
  const notes = [...notesOf(reply), ...restOf(reply, shown.length)]
  return card({
    title: pending ? 'API' : html`API <span class="muted small">${compared}${counts}</span>`,
    isFlush: true,
    body: pending
      ? emptyState('Comparing the specifications', 'Reload this page in a few seconds.')
      : shown.length > 0 && changeTable(shown, specifications.length > 1),
    foot: notes.length > 0 && html`<span>${notes.join(' ')}</span>`,
  })
}

type NamedChange = { readonly file: string; readonly change: ApiChange }

function changeTable(changes: readonly NamedChange[], areManyFiles: boolean): Html {
  return html`
    <table class="files">
      <caption class="sr-only">Changes of the API</caption>
      <thead>
        <tr><th scope="col">Change</th><th scope="col">What changed</th></tr>
      </thead>
      <tbody>${changes.map(({ file, change }) => changeRow(change, areManyFiles ? file : ''))}</tbody>
    </table>
  `
}

/** Returns which specifications have changes that are not listed, and why. */
function notesOf({ specifications, problem }: ApiChangesReply): readonly string[] {
  return [
    ...(problem === undefined ? [] : [problem]),
    ...specifications.flatMap((one) => {
      if (one.problem !== undefined) return [`${one.file}: ${one.problem}`]
      return isCounted(one)
        ? [`${one.file}: only some readers may read it, so its changes are only counted.`]
        : []
    }),
  ]
}

type Specification = ApiChangesReply['specifications'][number]

/** Returns true if the changes are only counted, since the caller may not deploy. */
const isCounted = ({ restricted, changes }: Specification) => restricted && changes.length === 0

function restOf({ specifications }: ApiChangesReply, shown: number): readonly string[] {
  const all = specifications
    .filter((one) => !isCounted(one))
    .reduce((sum, one) => sum + one.breaking + one.additive + one.documentation, 0)
  return all > shown ? [`And ${countOf(all - shown, 'more change')}.`] : []
}

function changeRow({ level, message, operations, operationCount }: ApiChange, file: string): Html {
  const more = operationCount - operations.length
  const named = [file && `${file}:`, operations.join(', '), more > 0 ? `and ${more} more` : '']
    .filter((part) => part !== '')
    .join(' ')
  return html`
    <tr>
      <td>${stateTag(LEVELS[level])}</td>
      <td>${named !== '' && html`<span class="mono">${named}</span><br>`}${codeParts(message)}</td>
    </tr>
  `
}

/** Returns a sentence with its parts between backticks as code. */
function codeParts(sentence: string): readonly (string | Html)[] {
  const parts = sentence.split('`')
  return parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))
}
