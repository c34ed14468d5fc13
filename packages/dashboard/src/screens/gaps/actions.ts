/** The actions that an owner can apply to gaps, and their texts. */
import type { Gap, GapAction } from '@octavo/contract'
import type { HtmlPart } from '../../parts/html.ts'
import { html } from '../../parts/html.ts'
import { type IconName, icon } from '../../parts/icon.ts'

type Action = {
  readonly action: GapAction
  readonly label: string
  readonly sign: IconName
  readonly fits: (gap: Gap) => boolean
}

const isClosed = ({ state }: Gap) => state === 'verified' || state === 'dismissed'

export const ACTIONS: readonly Action[] = [
  { action: 'dismiss', label: 'Not a gap', sign: 'eye-off', fits: (gap) => !isClosed(gap) },
  { action: 'verify', label: 'Mark as covered', sign: 'check', fits: (gap) => !isClosed(gap) },
  { action: 'link', label: 'Link a page…', sign: 'link', fits: (gap) => !isClosed(gap) },
  {
    action: 'reopen',
    label: 'Reopen',
    sign: 'undo',
    fits: ({ state }) => state !== 'open' && state !== 'linked',
  },
]

/** Renders buttons for the selected gaps. */
export function changeButtons(): HtmlPart {
  return ACTIONS.map(
    ({ action, label, sign }) =>
      html`<button class="button small" name="do" value="${action}">${icon(sign)}${label}</button>`,
  )
}

/** Messages after a change to one gap, and to several. */
const DONE: Readonly<Record<GapAction, readonly [one: string, several: string]>> = {
  dismiss: ['is marked as not a gap', 'are marked as not a gap'],
  verify: ['is marked as covered', 'are marked as covered'],
  link: ['has a linked page', 'have a linked page'],
  reopen: ['is reopened', 'are reopened'],
}

const QUESTION_LENGTH_MAX = 60

const shorten = (text: string) =>
  text.length > QUESTION_LENGTH_MAX ? `${text.slice(0, QUESTION_LENGTH_MAX).trimEnd()}…` : text

export function doneText(action: GapAction, question: string | undefined, count: number): HtmlPart {
  const [one, several] = DONE[action]
  const name = question === undefined ? 'The gap' : `“${shorten(question)}”`
  if (count === 1) return html`${name} ${one}.`
  return html`${name} and ${count - 1} ${count === 2 ? 'other' : 'others'} ${several}.`
}
