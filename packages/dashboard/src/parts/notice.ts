/** Notices: one sentence about the situation, one about what to do. */

import type { Attempt, Screen } from '../visit/screen.ts'
import { type Html, type HtmlPart, html } from './html.ts'
import { type IconName, icon } from './icon.ts'

export type Notice = {
  readonly tone: 'warning' | 'held' | 'bad' | 'good'
  readonly title?: HtmlPart
  readonly text: HtmlPart
  readonly actions?: HtmlPart
  readonly sign?: IconName
}

const SIGNS = {
  warning: 'warning',
  held: 'lock',
  bad: 'x-circle',
  good: 'check-circle',
} as const satisfies Record<Notice['tone'], IconName>

export function notice({ tone, title, text, actions, sign = SIGNS[tone] }: Notice): Html {
  return html`
    <div class="notice is-${tone}"${tone === 'bad' && html` role="alert"`}>
      ${icon(sign)}
      <div>${title && html`<b>${title}</b> `}${text}</div>
      ${actions && html`<div class="actions">${actions}</div>`}
    </div>
  `
}

/** Renders a warning for a person who has no way to sign in again; undefined for other people. */
export function keepAccessNotice({ visit, url }: Screen): HtmlPart {
  if (visit.person.canSignInAgain) return undefined
  const href = `/keep-access?next=${encodeURIComponent(url.pathname)}`
  return notice({
    tone: 'warning',
    title: 'You have no way to sign in again yet.',
    text: 'This session ends after 12 hours without use. Add a passkey or save recovery codes.',
    actions: html`<a class="button small" href="${href}">Set up sign-in</a>`,
  })
}

/** Renders a problem that is not about a single field, above a form. */
export function problemNotice(message: string | undefined): HtmlPart {
  return (
    message !== undefined && notice({ tone: 'bad', title: 'Nothing was changed.', text: message })
  )
}

/** Renders a confirmation after a redirect to `?saved`; undefined above a rejected form. */
export function savedNotice(url: URL, attempt: Attempt | undefined, text: string): HtmlPart {
  return url.searchParams.has('saved') && attempt === undefined && notice({ tone: 'good', text })
}
