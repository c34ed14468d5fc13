/** Interface texts and messages: both are in the status line at the end of a page. */
function statusLine(): HTMLElement | null {
  return document.getElementById('oct-status')
}

/** Returns an interface text in the page's language. */
export function word(name: string): string {
  return statusLine()?.dataset[name] ?? ''
}

/** Announces a message to screen readers. */
export function announce(text: string): void {
  const line = statusLine()
  if (line === null) return
  // Setting the same text again would not be announced.
  line.textContent = ''
  requestAnimationFrame(() => {
    line.textContent = text
  })
}
