/** Loaded when a reader copies something for the first time. */

const DONE_MS = 1_500

/** Copies the code or prompt that a button belongs to, then calls `done`. */
export function copyCode(button: HTMLElement, done: () => void): void {
  const source = button.closest('.oct-code')?.querySelector('pre code')
  if (!source) return
  const copy = source.cloneNode(true) as HTMLElement
  // Lines that a diff removes are not copied, and of a terminal session, only the commands are.
  for (const part of copy.querySelectorAll('.removed,.t-prompt,.t-output')) part.remove()
  const text = (copy.textContent ?? '').trimEnd()
  const isSession = source.querySelector('.t-prompt') !== null
  void copyFor(button, isSession ? text.replace(/\n+/g, '\n').trim() : text, done)
}

/** Copies text and shows on the button that it was copied. */
export async function copyFor(button: HTMLElement, text: string, done: () => void): Promise<void> {
  await copyText(text)
  button.dataset.done = ''
  setTimeout(() => delete button.dataset.done, DONE_MS)
  done()
}

export async function copyText(text: string): Promise<void> {
  // The clipboard API needs a secure context, which a site on an internal network may not have.
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  const focused = document.activeElement
  field.value = text
  document.body.append(field)
  field.select()
  const isDone = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  if (!isDone) throw new Error('The browser could not copy the text.')
}
