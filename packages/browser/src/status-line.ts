/**
 * Returns the status line at the end of a page. It contains interface text for scripts, and
 * messages for screen readers.
 */
function statusLine(): HTMLElement | null {
  return document.getElementById('oct-status')
}

/** Returns interface text in the page's language. */
export function word(name: string): string {
  return statusLine()?.dataset[name] ?? ''
}

/** Announces a message to screen readers. */
export function announce(text: string): void {
  const line = statusLine()
  if (line === null) return
  // Setting the same text again would not be announced, so the text is removed first.
  line.textContent = ''
  requestAnimationFrame(() => {
    line.textContent = text
  })
}
