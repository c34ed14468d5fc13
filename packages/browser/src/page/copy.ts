/** Loaded when a reader first copies something. */

const DONE_MS = 1_500

/** Copies the code, or the prompt, that the button belongs to. `done` says so. */
export function copyCode(button: HTMLElement, done: () => void): void {
  const source = button.closest('.oct-code')?.querySelector('pre code')
  if (!source) return
  const copy = source.cloneNode(true) as HTMLElement
  // Nobody wants the lines that an example takes away.
  for (const line of copy.querySelectorAll('.removed')) line.remove()
  void copyFor(button, (copy.textContent ?? '').trimEnd(), done)
}

/** Copies a text, and says at the button that it was done. */
export async function copyFor(button: HTMLElement, text: string, done: () => void): Promise<void> {
  await copyText(text)
  button.dataset.done = ''
  setTimeout(() => delete button.dataset.done, DONE_MS)
  done()
}

export async function copyText(text: string): Promise<void> {
  // Browsers give the clipboard to safe addresses only; a site in an own network may have none.
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  const focused = document.activeElement
  field.value = text
  document.body.append(field)
  field.select()
  const isDone = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  if (!isDone) throw new Error('The browser could not copy.')
}
