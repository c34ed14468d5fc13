/** Words and messages: both live in the status line that the frame writes at the end of a page. */
function statusLine(): HTMLElement | null {
  return document.getElementById('oct-status')
}

/** A word of the interface in the language of the page. */
export function word(name: string): string {
  return statusLine()?.dataset[name] ?? ''
}

/** Says something to those who cannot see that it happened. */
export function announce(text: string): void {
  const line = statusLine()
  if (line === null) return
  // The same words twice are no change, and nothing would be said.
  line.textContent = ''
  requestAnimationFrame(() => {
    line.textContent = text
  })
}
