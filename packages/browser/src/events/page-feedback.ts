/**
 * Asks "Was this page helpful?" at the end of a page. A click is sent immediately; the reader may
 * then add a comment.
 */
import { EVENT_LIMITS } from '@octavo/model/site-event'
import { element } from '../assistant/elements.ts'
import { makeForm, words } from './feedback-form.ts'
import { feedbackPath, newKey, sendFeedback } from './send-feedback.ts'

export function addPageFeedback(article: HTMLElement): void {
  const key = newKey()
  let helpful: boolean | undefined
  const thumb = (text: string, className: string, value: boolean) => {
    const button = element('button', { type: 'button', className, textContent: text })
    button.ariaPressed = 'false'
    button.onclick = () => void choose(value)
    return button
  }
  const yes = thumb(words.feedbackYes, 'oct-feedback-yes', true)
  const no = thumb(words.feedbackNo, 'oct-feedback-no', false)
  const question = element('p', { id: 'oct-feedback', textContent: words.feedbackHelpful })
  const row = element('div', { className: 'oct-feedback-ask', role: 'group' }, question, yes, no)
  row.setAttribute('aria-labelledby', question.id)
  const contact = element('input', { type: 'email', autocomplete: 'email' })
  contact.maxLength = EVENT_LIMITS.contactLength
  const { form, comment, status, ask } = makeForm({
    question: words.feedbackBetter,
    more: [element('label', {}, element('span', { textContent: words.feedbackContact }), contact)],
    cancel: () => {
      form.hidden = true
      const pressed = helpful ? yes : no
      pressed.focus()
    },
    send: (text) => send({ comment: text || undefined, contact: contact.value || undefined }),
    done: () => {
      row.remove()
      form.remove()
      status.focus()
    },
  })
  form.hidden = true
  const box = element('section', { className: 'oct-feedback' }, row, form, status)
  box.ariaLabel = words.feedbackHelpful

  const send = (feedback: {
    readonly comment?: string | undefined
    readonly contact?: string | undefined
  }) =>
    sendFeedback({
      type: 'feedback',
      key,
      path: feedbackPath(),
      helpful: helpful === true,
      ...feedback,
    })

  async function choose(value: boolean): Promise<void> {
    const isNew = helpful !== value
    helpful = value
    yes.ariaPressed = String(value)
    no.ariaPressed = String(!value)
    ask(value ? words.feedbackLiked : words.feedbackBetter)
    form.hidden = false
    // On a phone, focusing the field would open the keyboard, which would cover the question.
    if (!matchMedia('(pointer: coarse)').matches) comment.focus({ preventScroll: true })
    if (!isNew) return
    const isTaken = await send({})
    // If the reader has already sent a comment, the form is gone, and the thanks must stay visible.
    if (form.isConnected) status.textContent = isTaken ? '' : words.feedbackFailed
  }

  const modified = article.querySelector(':scope > .oct-modified')
  if (modified) modified.before(box)
  else article.append(box)
}
