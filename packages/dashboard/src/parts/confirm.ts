/** The last step before something changes: a page of its own that says what happens. */
import { type HtmlPart, html } from '@octavo/theme'
import type { ProjectScreen } from '../screen.ts'
import { type Fact, factList, pageHead } from './card.ts'
import { sameWithoutThisPage } from './code-sample.ts'
import { postForm } from './form.ts'
import { projectPage } from './frame.ts'
import { problemNotice } from './notice.ts'
import type { SectionId } from './sections.ts'

export type Confirmation = {
  readonly section: SectionId
  readonly title: string
  readonly text: HtmlPart
  readonly facts?: readonly (Fact | undefined)[]
  /** More fields of the form, or notices. */
  readonly extra?: HtmlPart
  readonly action: string
  readonly fields?: Readonly<Record<string, string | undefined>>
  readonly button: string
  readonly isDanger?: boolean
  readonly back: { readonly href: string; readonly label: string }
  readonly keep: string
  readonly problem?: string | undefined
  readonly same: readonly (string | undefined)[]
}

export function confirmPage(screen: ProjectScreen, page: Confirmation): Response {
  const { section, title, text, facts, extra, action, fields, button, isDanger } = page
  const look = isDanger ? 'danger final' : 'primary'
  const form = postForm({
    action,
    token: screen.visit.formToken,
    fields: fields ?? {},
    className: 'card narrow',
    body: html`<div class="card-body stack">${problemNotice(page.problem)}<p>${text}</p>${facts && factList(facts)}${extra}</div><div class="card-foot"><a class="button quiet" href="${page.back.href}">${page.keep}</a><button class="button ${look} end">${button}</button></div>`,
  })
  return projectPage(screen, {
    section,
    title,
    status: page.problem === undefined ? 200 : 409,
    body: html`${pageHead({ title, back: page.back })}${form}${sameWithoutThisPage(...page.same)}`,
  })
}
