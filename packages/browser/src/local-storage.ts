/** What the reader chose, kept by the browser. Where that is switched off, nothing is kept. */
export function read(name: string): string | null {
  try {
    return localStorage.getItem(`octavo-${name}`)
  } catch {
    return null
  }
}

/** An empty value is forgotten. */
export function keep(name: string, value: string): void {
  try {
    if (value === '') localStorage.removeItem(`octavo-${name}`)
    else localStorage.setItem(`octavo-${name}`, value)
  } catch {
    // Full or switched off: the choice holds for this page.
  }
}
