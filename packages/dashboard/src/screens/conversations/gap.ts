/**
 * The card with the gap of a conversation, and the forms to create a gap and to link the page that
 * should answer it.
 */
import type { Gap, WholeConversation } from '@octavo/contract'
import { card } from '../../parts/card.ts'
import { postButton, postForm, textField } from '../../parts/form.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { pageLink } from '../../parts/link.ts'
import { gapState, stateTag } from '../../parts/state.ts'
import type { FormProblem } from '../../visit/call-api.ts'
import type { ProjectScreen } from '../../visit/screen.ts'

type Shown = {
  readonly conversation: WholeConversation
  readonly gap: Gap | undefined
  readonly problem: FormProblem | undefined
}

export function gapCard(screen: ProjectScreen, { conversation, gap, problem }: Shown): HtmlPart {
  const { path, may, site } = screen
  const { id } = conversation
  if (gap !== undefined) {
    const { linkedPage } = gap
    const linked =
      linkedPage !== undefined &&
      html`<p class="hint">Linked page: ${pageLink(linkedPage, site.url, 'link')}</p>`
    return card({
      title: 'Gap',
      aside: stateTag(gapState(gap)),
      body: html`
        <div class="stack gap-actions">
          <p><a class="link" href="${path(`gaps/${gap.id}`)}">${gap.examples[0] ?? 'See the gap'}</a></p>
          ${linked}
          ${may('gaps:write') && linkForm(screen, id, { page: gap.linkedPage, problem })}
        </div>
      `,
    })
  }
  if (!may('gaps:write')) return undefined
  return card({
    title: 'Gap',
    body: html`
      <div class="stack gap-actions">
        <p class="hint">
          Did the answer miss the point? Create a gap. The question is then asked again after each deployment.
        </p>
        ${postButton({
          action: path(`conversations/${id}/gap`),
          token: screen.visit.formToken,
          label: 'Create a gap',
        })}
        ${linkForm(screen, id, { problem })}
      </div>
    `,
  })
}

type Link = { readonly page?: string | undefined; readonly problem: FormProblem | undefined }

function linkForm({ path, visit }: ProjectScreen, id: string, { page = '', problem }: Link): Html {
  return postForm({
    action: path(`conversations/${id}/gap`),
    token: visit.formToken,
    className: 'link-form',
    body: html`
      ${textField({
        name: 'page',
        label: 'Page that should answer it',
        value: page,
        placeholder: '/guides/start',
        isRequired: true,
        error: problem?.detail,
      })}
      <button class="button">Link the page</button>
    `,
  })
}
