/** Errors that the author has dismissed. They do not open the panel again, also on other pages. */
import type { Problem } from './problem-panel.ts'

const STORAGE_KEY = 'octavo-dev-closed'

/** Does not contain the line: an edit above an error must not make it a new one. */
export function problemKey({ file, code, message }: Problem): string {
  return `${file} ${code} ${message}`
}

export class ClosedProblems {
  /** Each with the page on which it was dismissed. */
  #keys = readKeys()

  /** True if there is an error that the author has not dismissed. */
  hasNew(keys: readonly string[]): boolean {
    return keys.some((key) => this.#keys[key] === undefined)
  }

  add(keys: readonly string[]): void {
    const { pathname } = location
    this.#save({ ...this.#keys, ...Object.fromEntries(keys.map((key) => [key, pathname])) })
  }

  /**
   * Forgets dismissed errors of this page that are fixed, so that they open the panel if they
   * return.
   */
  keepOnly(keys: readonly string[]): void {
    const { pathname } = location
    const kept = Object.entries(this.#keys).filter(
      ([key, path]) => path !== pathname || keys.includes(key),
    )
    this.#save(Object.fromEntries(kept))
  }

  #save(keys: Readonly<Record<string, string>>): void {
    this.#keys = keys
    try {
      sessionStorage.setItem(STORAGE_KEY, JSON.stringify(keys))
    } catch {
      // Without storage, it is kept until the reader leaves the page.
    }
  }
}

function readKeys(): Readonly<Record<string, string>> {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}')
  } catch {
    return {}
  }
}
