/** Links that filter a list by state, each with its number of rows. */
import { type Html, html } from './html.ts'
import { countText } from './number.ts'
import { type State, stateSign } from './state.ts'

export type Chip = {
  readonly label: string
  readonly count: number
  readonly href: string
  readonly isCurrent: boolean
  readonly state?: State
}

export function chips(name: string, items: readonly Chip[]): Html {
  const links = items.map(
    ({ label, count, href, isCurrent, state }) =>
      html`
        <a class="chip${state && ` is-${state.tone}`}" href="${href}"${isCurrent && html` aria-current="page"`}>
          ${state && stateSign(state)}${label} <b>${countText(count)}</b>
        </a>
      `,
  )
  return html`<nav class="chips" aria-label="${name}">${links}</nav>`
}
