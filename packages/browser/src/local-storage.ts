/** Stores the reader's choices in the browser, unless storage is disabled. */
export function read(name: string): string | null {
  try {
    return localStorage.getItem(`octavo-${name}`)
  } catch {
    return null
  }
}

/** Stores a value; an empty value removes the entry. */
export function keep(name: string, value: string): void {
  try {
    if (value === '') localStorage.removeItem(`octavo-${name}`)
    else localStorage.setItem(`octavo-${name}`, value)
  } catch {
    // If storage is full or disabled, the choice applies to this page only.
  }
}
