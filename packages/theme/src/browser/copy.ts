import { announce, word } from './words.ts'

const DONE_MS = 1_500

/** Copies the code, or the prompt, that the button belongs to. */
export function copyCode(button: HTMLElement): void {
  const source = button.closest('.oct-code')?.querySelector('pre code')
  if (!source) return
  const copy = source.cloneNode(true) as HTMLElement
  // Nobody wants the lines that an example takes away.
  for (const line of copy.querySelectorAll('.removed')) line.remove()
  void copyFor(button, (copy.textContent ?? '').trimEnd())
}

/** Copies a text, and says at the button that it was done. */
export async function copyFor(button: HTMLElement, text: string): Promise<void> {
  await copyText(text)
  button.dataset.done = ''
  setTimeout(() => delete button.dataset.done, DONE_MS)
  announce(word('copied'))
}

/** The address of a heading. The link itself works as any link does. */
export function copyLink(link: HTMLAnchorElement): void {
  void copyAloud(link.href)
}

/** Copies, and says so. */
export function copyAloud(text: string): Promise<void> {
  return copyText(text).then(() => announce(word('copied')))
}

async function copyText(text: string): Promise<void> {
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
  if (!isDone) throw new Error('The browser does not copy.')
}
