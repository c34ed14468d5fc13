/** The comment form for feedback on pages and code. */
import { EVENT_LIMITS } from '@octavo/model/site-event'
import type { FeedbackWords } from '@octavo/theme/browser'
import { element } from '../assistant/elements.ts'
import { bytesOf } from './send-feedback.ts'

/** Interface text in the page's language. The service prepends it to this script. */
declare const FEEDBACK_WORDS: FeedbackWords
export const words: FeedbackWords = FEEDBACK_WORDS

/**
 * The maximum size of a comment in the request. In most writing systems, letters take two or three
 * bytes.
 */
const COMMENT_BYTES = 1_300

export type FeedbackForm = {
  readonly form: HTMLFormElement
  readonly comment: HTMLTextAreaElement
  /** The element with the status message. It is outside the form, because the form is removed. */
  readonly status: HTMLElement
  readonly ask: (question: string) => void
}

/**
 * Creates the form; `send` returns whether the service accepted the comment. If so, `done` is
 * called.
 */
export function makeForm(input: {
  readonly question: string
  /** Elements between the comment and the buttons. */
  readonly more?: readonly Node[]
  readonly cancel: () => void
  readonly send: (comment: string) => Promise<boolean>
  readonly done: () => void
}): FeedbackForm {
  const comment = element('textarea', { rows: 3, maxLength: EVENT_LIMITS.commentLength })
  comment.addEventListener('input', () => limitBytes(comment))
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
    // The button is not `disabled`, because it would then lose the focus.
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

/** Limits the size of the text in bytes, which `maxLength` cannot do. */
function limitBytes(field: HTMLTextAreaElement): void {
  while (bytesOf(field.value) > COMMENT_BYTES) field.value = field.value.slice(0, -1)
}
