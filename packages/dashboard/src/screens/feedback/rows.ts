/** A row with a comment and one menu. */
import { FEEDBACK_STATES, type Feedback } from '@octavo/contract'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { icon } from '../../parts/icon.ts'
import { pageAddress, pageLink } from '../../parts/link.ts'
import { feedbackState, inboxState, stateTag } from '../../parts/state.ts'
import { actionMenu } from '../../parts/table.ts'
import { timeTag } from '../../parts/time.ts'
import { withQuery } from '../../visit/api-paths.ts'
import type { ProjectScreen } from '../../visit/screen.ts'
import { type Place, placeQuery } from './filter.ts'

export const SOURCES: Readonly<Record<Feedback['source'], string>> = {
  thumbs_only: 'Vote',
  contextual: 'Reader',
  code_snippet: 'Code block',
  agent: 'Agent',
}
/** The labels of the actions that set a state. */
const ACTIONS: Readonly<Record<Feedback['status'], string>> = {
  pending: 'Reopen',
  in_progress: 'Start work',
  resolved: 'Mark as done',
  dismissed: 'Dismiss',
}

export function commentRow(screen: ProjectScreen, feedback: Feedback, place: Place): Html {
  const { now, site } = screen
  const { id, path, comment, createdAt, source, status, contact } = feedback
  return html`
    <li id="${id}">
      ${sign(feedback)}
      <div>
        ${comment !== undefined && html`<blockquote>${comment}</blockquote>`}
        ${codePart(feedback)}
        <div class="sub">
          ${pageLink(path, site.url, 'mono')}
          <span>${SOURCES[source]}</span>
          ${contact !== undefined && html`<span>reply to <b>${contact}</b></span>`}
          ${timeTag(createdAt, now)}
          ${status === 'dismissed' && stateTag(inboxState(status))}
        </div>
      </div>
      ${menu(screen, feedback, place)}
    </li>
  `
}

/** Renders the icon of the vote; a comment without a vote has the icon of its source. */
function sign({ helpful, source }: Feedback): Html {
  if (helpful === undefined)
    return html`<span class="sign is-off">${icon(source === 'agent' ? 'bot' : 'file-pen')}</span>`
  const { tone, sign: vote, word } = feedbackState(helpful ? 'helpful' : 'unhelpful')
  return html`
    <span class="sign is-${tone}">
      ${icon(vote === 'thumbs-up' ? 'thumbs-up' : 'thumbs-down')}
      <span class="sr-only">${word}</span>
    </span>
  `
}

function codePart({ code, filename, lang, path }: Feedback): HtmlPart {
  if (code === undefined) return undefined
  const name = [filename, lang].filter((part) => part !== undefined).join(', ')
  return html`
    <figure class="feedback-code">
      ${name !== '' && html`<figcaption class="hint">${name}</figcaption>`}
      <div class="code"><pre tabindex="0" aria-label="Code on ${path}">${code}</pre></div>
    </figure>
  `
}

function menu(screen: ProjectScreen, { id, status, path }: Feedback, place: Place): HtmlPart {
  const { visit, site } = screen
  const query = placeQuery(place)
  const address = pageAddress(path, site.url)
  const mayWrite = screen.may('feedback:write')
  const changes = FEEDBACK_STATES.filter((state) => mayWrite && state !== status).map((state) => ({
    label: ACTIONS[state],
    post: {
      action: withQuery(screen.path(`feedback/${id}`), query),
      token: visit.formToken,
      fields: { state, was: status },
    },
  }))
  return actionMenu(`the comment on ${path}`, [
    ...changes,
    address !== undefined && { label: 'Open the page', href: address },
    mayWrite && {
      label: 'Delete…',
      href: withQuery(screen.path(`feedback/${id}/delete`), query),
      isDanger: true,
    },
  ])
}
