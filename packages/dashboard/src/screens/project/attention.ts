/**
 * The card "Needs attention" of the overview: one line for each item, with a link to the screen
 * where people can handle it.
 */
import type { Overview } from '@octavo/contract'
import { card, emptyState } from '../../parts/card.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { type IconName, icon } from '../../parts/icon.ts'
import { countOf, countText } from '../../parts/number.ts'
import { timeTag } from '../../parts/time.ts'
import type { ProjectScreen, Scope } from '../../visit/screen.ts'

type Item = {
  readonly tone: 'bad' | 'warning' | 'held'
  readonly sign: IconName
  readonly text: HtmlPart
  readonly href: string
  readonly label: string
  /** The scope that the linked screen needs; without it, the link is hidden. */
  readonly scope: Scope
}

export function attentionCard(screen: ProjectScreen, overview: Overview): Html {
  const items = itemsOf(screen, overview)
  const lines = items.map(
    ({ tone, sign, text, href, label, scope }) =>
      html`
        <li class="is-${tone}">
          ${icon(sign)}
          <span>${text}</span>
          ${screen.may(scope) && html`<a class="link" href="${screen.path(href)}">${label}</a>`}
        </li>
      `,
  )
  return card({
    title: 'Needs attention',
    aside: items.length > 0 && countOf(items.length, 'item'),
    isFlush: true,
    body:
      items.length === 0
        ? emptyState(
            'Nothing needs attention',
            'Failed builds, open gaps, reader comments and expiring keys appear here.',
          )
        : html`<ul class="to-do">${lines}</ul>`,
  })
}

function itemsOf({ site, now }: ProjectScreen, overview: Overview): readonly Item[] {
  const { failedBuild, attention, openGaps, gapQuestions } = overview
  const { comments, connection, domains, expiring } = attention
  const items: Item[] = []
  if (failedBuild !== null)
    items.push({
      tone: 'bad',
      sign: 'x-circle',
      text: `Build of ${failedBuild.branch} failed${
        failedBuild.errors > 0 ? `, ${countOf(failedBuild.errors, 'error')}` : ''
      }`,
      href: `builds/${failedBuild.id}`,
      label: 'Log',
      scope: 'deploy:read',
    })
  if (connection !== null)
    items.push({
      tone: 'bad',
      sign: 'branch',
      text: `The repository cannot be read: ${connection}`,
      href: 'connection',
      label: 'Git connection',
      scope: 'project:write',
    })
  for (const domain of domains)
    items.push({
      tone: 'warning',
      sign: 'globe',
      text: html`The domain <b>${domain}</b> fails its checks`,
      href: 'domains',
      label: 'Domains',
      scope: 'project:write',
    })
  if (site.lockReason !== null)
    items.push({
      tone: 'held',
      sign: 'lock',
      text: `Publishing is locked: ${site.lockReason}`,
      href: 'unlock',
      label: 'Unlock…',
      scope: 'deploy:write',
    })
  if (openGaps > 0)
    items.push({
      tone: 'warning',
      sign: 'question',
      text: html`${counted(openGaps, 'gap')}, ${countOf(gapQuestions, 'question')} in total`,
      href: 'gaps',
      label: 'Gaps',
      scope: 'gaps:read',
    })
  items.push(...expiring.map((one) => expiringItem(one, now)))
  if (comments !== null && comments > 0)
    items.push({
      tone: 'warning',
      sign: 'thumbs-down',
      text: counted(comments, 'comment'),
      href: 'feedback',
      label: 'Feedback',
      scope: 'feedback:read',
    })
  return items
}

const counted = (count: number, noun: string) =>
  html`<b>${countText(count)}</b> open ${noun}${count !== 1 && 's'}`

type Expiring = Overview['attention']['expiring'][number]

function expiringItem({ kind, name, expiresAt }: Expiring, now: number): Item {
  const what = kind === 'key' ? 'Key' : 'Reader token'
  return {
    tone: 'warning',
    sign: 'key',
    text: html`${what} “${name}” expires ${timeTag(expiresAt, now)}`,
    ...(kind === 'key'
      ? { href: 'keys', label: 'API keys', scope: 'keys:write' }
      : { href: 'access', label: 'Site access', scope: 'project:write' }),
  }
}
