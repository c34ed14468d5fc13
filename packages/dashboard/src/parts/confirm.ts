/** Confirmation pages, which explain a change before it happens. */

import type { FormProblem } from '../visit/call-api.ts'
import type { ProjectScreen, Screen } from '../visit/screen.ts'
import { type Fact, factList, pageHead } from './card.ts'
import { equivalentCommands } from './code-sample.ts'
import { postForm } from './form.ts'
import { accountPage, projectPage } from './frame.ts'
import { type Html, type HtmlPart, html } from './html.ts'
import { notice, problemNotice } from './notice.ts'
import type { SectionId } from './sections.ts'

type Step = {
  readonly title: string
  readonly text: HtmlPart
  readonly facts?: readonly (Fact | undefined)[]
  /** Additional form fields or messages. */
  readonly extra?: HtmlPart
  readonly action: string
  readonly fields?: Readonly<Record<string, string | undefined>>
  readonly button: string
  readonly isDanger?: boolean
  readonly back: { readonly href: string; readonly label: string }
  readonly problem?: string | undefined
  readonly status?: number | undefined
  readonly same: readonly (string | undefined)[]
}

export type Confirmation = Step & { readonly section: SectionId }

export function confirmPage(screen: ProjectScreen, page: Confirmation): Response {
  const { section, title } = page
  return projectPage(screen, {
    section,
    title,
    status: statusOf(page),
    body: stepBody(screen, page),
  })
}

/** Renders a confirmation page outside of projects. */
export function confirmAccountPage(screen: Screen, page: Step): Response {
  return accountPage(screen, {
    title: page.title,
    status: statusOf(page),
    body: stepBody(screen, page),
  })
}

const statusOf = ({ problem, status }: Step) => status ?? (problem === undefined ? 200 : 409)

function stepBody(screen: Screen, page: Step): Html {
  const { title, text, facts, extra, action, fields, button, isDanger } = page
  const look = isDanger ? 'danger final' : 'primary'
  const form = postForm({
    action,
    token: screen.visit.formToken,
    fields: fields ?? {},
    className: 'card narrow',
    body: html`
      <div class="card-body stack">
        ${problemNotice(page.problem)}
        <p>${text}</p>
        ${facts && factList(facts)}
        ${extra}
      </div>
      <div class="card-foot">
        <a class="button quiet" href="${page.back.href}">Cancel</a>
        <button class="button ${look} end">${button}</button>
      </div>
    `,
  })
  return html`${pageHead({ title, back: page.back })}${form}${equivalentCommands(...page.same)}`
}

/** Asks for a recent sign-in before a dangerous action, with a link that returns to the page. */
export function proofNotice(problem: FormProblem | undefined, page: string): HtmlPart {
  return (
    problem?.code === 'sign-in-again' &&
    notice({
      tone: 'held',
      title: 'Nothing was changed.',
      text: 'This action cannot be undone. To confirm your identity, sign in again.',
      actions: html`
        <a class="button small" href="/sign-in?again&amp;next=${encodeURIComponent(page)}">Sign in again</a>
      `,
    })
  )
}

/** Returns a problem's message if neither a field nor `proofNotice` shows it. */
export function otherProblem(
  problem: FormProblem | undefined,
  ...fields: readonly string[]
): string | undefined {
  if (problem === undefined || problem.code === 'sign-in-again') return undefined
  return fields.includes(problem.param ?? '') ? undefined : problem.detail
}
