/**
 * The list of audit log entries, with a heading for each day. Ids are only shown in expanded
 * entries.
 */
import type { AuditEntry } from '@octavo/contract'
import { avatar, type Fact, factColumns } from '../../parts/card.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { type IconName, icon } from '../../parts/icon.ts'
import { clockText, exactText, longDay } from '../../parts/time.ts'
import { allValues, type Change } from './changes.ts'
import { sentenceOf } from './sentences.ts'

const CHANGES_SHOWN = 3

export type EntryList = {
  readonly entries: readonly AuditEntry[]
  readonly now: number
  /** True if the list is in a card that already has a heading. */
  readonly isBelowHeading?: boolean
}

export function entryList({ entries, now, isBelowHeading }: EntryList): Html {
  const days = Map.groupBy(entries, ({ at }) => at.slice(0, 10))
  return html`${[...days].map(([day, ofDay]) => {
    const heading = dayHeading(day, now)
    return html`
        ${isBelowHeading ? html`<h3 class="day">${heading}</h3>` : html`<h2 class="day">${heading}</h2>`}
        <ol class="events">${ofDay.map(entryItem)}</ol>
      `
  })}`
}

function dayHeading(day: string, now: number): string {
  const age = Date.parse(new Date(now).toISOString().slice(0, 10)) - Date.parse(day)
  const names: Readonly<Record<number, string>> = { 0: 'Today, ', 86400000: 'Yesterday, ' }
  return `${names[age] ?? ''}${longDay(day, now)}`
}

function entryItem(entry: AuditEntry): Html {
  const { words, changes, note } = sentenceOf(entry)
  const shown = changes.slice(0, CHANGES_SHOWN)
  const rest = changes.length - shown.length
  return html`
    <li>
      <details class="event">
        <summary>
          ${sign(entry)}
          <div>
            <div class="say">${words}</div>
            ${shown.map(changeLine)}
            ${rest > 0 && html`<div class="sub">and ${rest} more</div>`}
            ${note && html`<div class="sub">${note}</div>`}
            ${entry.project && html`<div class="sub">In ${entry.project.name}</div>`}
          </div>
          <time class="when" datetime="${entry.at}" title="${exactText(entry.at)}">${clockText(entry.at)}</time>
          ${icon('chevron-right')}
        </summary>
        <div class="event-facts">${factColumns(factsOf(entry))}</div>
      </details>
    </li>
  `
}

const SIGNS: Readonly<Record<string, IconName>> = {
  user: 'user',
  key: 'key',
  provider: 'users',
  git: 'branch',
}

function sign(entry: AuditEntry): Html {
  const { actor, actorName: name, objectName, object } = entry
  if (actor.startsWith('user ') && name !== undefined) return avatar(name)
  if (actor === 'anonymous') return avatar(objectName ?? object)
  const kind = actor.split(' ')[0] ?? ''
  return html`<span class="avatar is-machine" aria-hidden="true">${icon(SIGNS[kind] ?? 'terminal')}</span>`
}

const changeLine = ({ label, old, next }: Change): Html => html`
  <div class="change">
    ${label !== '' && html`<span class="muted">${label}</span>`}
    ${old !== undefined && html`<del>${old}</del>`}
    ${icon('arrow-right')}
    <span class="sr-only">became</span>
    <ins>${next ?? 'none'}</ins>
  </div>
`

function factsOf(entry: AuditEntry): readonly Fact[] {
  const { actor, action, object, network, requestId, before, after } = entry
  const values = allValues(before, after).map(
    ({ label, old, next }): Fact => [
      label || 'Value',
      old === undefined || old === next ? (next ?? old) : `${old} → ${next ?? 'none'}`,
    ],
  )
  const ids: readonly (readonly [string, string | undefined])[] = [
    ['Action', action],
    ['Who', actor],
    ['What', object],
    ['Network', network],
    ['Request', requestId],
  ]
  return [
    ...values,
    ...ids.flatMap(([name, id]): Fact[] => (id ? [[name, mono(id)]] : [])),
    ['Time', exactText(entry.at)],
  ]
}

const mono = (text: string): HtmlPart => html`<span class="mono">${text}</span>`
