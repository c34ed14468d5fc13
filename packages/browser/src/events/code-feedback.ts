/**
 * Adds a button to each code block, next to the copy button, that lets readers report a problem
 * with the code.
 */
import { EVENT_LIMITS } from '@octavo/model/site-event'
import { element } from '../assistant/elements.ts'
import { makeForm, words } from './feedback-form.ts'
import { feedbackPath, newKey, sendFeedback } from './send-feedback.ts'

export function addCodeFeedback(block: HTMLElement): void {
  const code = block.querySelector('pre code')
  // Prompts for an assistant are not code, so they have no button.
  if (code === null || block.matches('.oct-prompt')) return
  const button = element('button', { type: 'button', className: 'oct-copy oct-report' })
  button.ariaLabel = words.feedbackCode
  button.title = words.feedbackCode
  button.ariaHasPopup = 'dialog'
  button.onclick = () => openDialog(block, code)
  const copy = block.querySelector(':scope > .oct-copy')
  if (copy) copy.after(button)
  else block.querySelector('pre')?.before(button)
}

function openDialog(block: HTMLElement, code: Element): void {
  const key = newKey()
  const title = element('h2', { id: 'oct-report', textContent: words.feedbackCode })
  const { form, comment, status } = makeForm({
    question: words.feedbackBetter,
    cancel: () => dialog.close(),
    send: (text) =>
      sendFeedback({
        type: 'code-feedback',
        key,
        path: feedbackPath(),
        code: (code.textContent ?? '').trim().slice(0, EVENT_LIMITS.codeLength),
        filename: nameOf(block),
        lang: block.dataset.language,
        comment: text || undefined,
      }),
    done: () => {
      const close = element('button', { type: 'button', textContent: words.close })
      close.onclick = () => dialog.close()
      form.replaceWith(close)
      close.focus()
    },
  })
  const sample = element('code', { textContent: code.textContent?.trim().split('\n', 1)[0] ?? '' })
  const dialog = element('dialog', { className: 'oct-feedback' }, title, sample, status, form)
  dialog.setAttribute('aria-labelledby', title.id)
  // For a click on the backdrop, the target is the dialog itself.
  dialog.onmousedown = ({ target }) => {
    if (target === dialog && comment.value === '') dialog.close()
  }
  dialog.onclose = () => dialog.remove()
  document.body.append(dialog)
  dialog.showModal()
  comment.focus()
}

/** Returns the title of the block or of its tab. */
function nameOf(block: HTMLElement): string | undefined {
  const tab = block.parentElement?.closest<HTMLElement>('.oct-code-group > .oct-tab-panel')
  const name = block.querySelector('figcaption')?.textContent ?? tab?.dataset.title
  return name?.trim().slice(0, EVENT_LIMITS.nameLength) || undefined
}
