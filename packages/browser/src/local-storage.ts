/** Stores the reader's choices in the browser. If storage is disabled, they are not stored. */
export function read(name: string): string | null {
  try {
    return localStorage.getItem(`octavo-${name}`)
  } catch {
    return null
  }
}

/** Removes the entry if the value is empty. */
export function keep(name: string, value: string): void {
  try {
    if (value === '') localStorage.removeItem(`octavo-${name}`)
    else localStorage.setItem(`octavo-${name}`, value)
  } catch {
    // Storage is full or disabled: the choice applies to this page only.
  }
}
