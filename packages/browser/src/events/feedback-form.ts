/** The form in which a reader says why, of a page and of code. */
import { EVENT_LIMITS } from '@octavo/model/site-event'
import type { FeedbackWords } from '@octavo/theme/browser'
import { element } from '../assistant/elements.ts'
import { bytesOf } from './send-feedback.ts'

/** In the language of the page; written before this by the service. */
declare const FEEDBACK_WORDS: FeedbackWords
export const words: FeedbackWords = FEEDBACK_WORDS

/** Of the request. Letters of most scripts take two or three bytes each. */
const COMMENT_BYTES = 1_300

export type FeedbackForm = {
  readonly form: HTMLFormElement
  readonly comment: HTMLTextAreaElement
  /** Says something to everybody; stands outside the form, which goes away. */
  readonly status: HTMLElement
  readonly ask: (question: string) => void
}

/** `send` gives whether it was taken; then `done` follows. */
export function makeForm(input: {
  readonly question: string
  /** Between the comment and the buttons. */
  readonly more?: readonly Node[]
  readonly cancel: () => void
  readonly send: (comment: string) => Promise<boolean>
  readonly done: () => void
}): FeedbackForm {
  const comment = element('textarea', { rows: 3, maxLength: EVENT_LIMITS.commentLength })
  comment.addEventListener('input', () => keepWithin(comment))
  const question = element('span', { textContent: input.question })
  const status = element('p', { role: 'status', tabIndex: -1 })
  const send = element('button', { className: 'oct-feedback-send', textContent: words.trySend })
  const cancel = element('button', { type: 'button', textContent: words.tryCancel })
  cancel.onclick = input.cancel
  const form = element(
    'form',
    {},
    element('label', {}, question, comment),
    ...(input.more ?? []),
    element('div', {}, send, cancel),
  )
  form.onsubmit = async (event) => {
    event.preventDefault()
    // Not `disabled`: it would take the focus away.
    if (form.ariaBusy === 'true') return
    form.ariaBusy = 'true'
    const isTaken = await input.send(comment.value.trim())
    form.ariaBusy = 'false'
    status.textContent = isTaken ? words.askThanks : words.feedbackFailed
    if (isTaken) input.done()
  }
  const ask = (text: string) => {
    question.textContent = text
  }
  return { form, comment, status, ask }
}

/** As `maxLength` does it, for bytes. */
function keepWithin(field: HTMLTextAreaElement): void {
  while (bytesOf(field.value) > COMMENT_BYTES) field.value = field.value.slice(0, -1)
}
