/** Renders an answer from the assistant as readers see it. */
import { renderAnswer } from '@octavo/theme'
import { type Html, html } from './html.ts'

export type ShownAnswer = {
  readonly response: string
  readonly sources: readonly { readonly title: string; readonly url: string }[]
}

/** The base of links to pages if there is no site. Such links do not work. */
const NO_SITE = 'https://site.invalid/'

export function answerText({ response, sources }: ShownAnswer, siteUrl: string | undefined): Html {
  const { origin, pathname } = URL.parse(siteUrl ?? NO_SITE) ?? new URL(NO_SITE)
  const site = { origin, base: pathname.replace(/\/$/, '') }
  if (response.trim() === '') return html`<p class="muted">The answer is empty.</p>`
  return html`<div class="md">${renderAnswer(response, { site, sources })}</div>`
}
