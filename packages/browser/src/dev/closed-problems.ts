/**
 * Errors that the author has dismissed. They do not open the panel again, not even on other pages.
 */
import type { Problem } from './problem-panel.ts'

const STORAGE_KEY = 'octavo-dev-closed'

/**
 * Returns a key for a problem. It does not contain the line: an edit above an error must not turn
 * it into a new one.
 */
export function problemKey({ file, code, message }: Problem): string {
  return `${file} ${code} ${message}`
}

export class ClosedProblems {
  /** The keys of the dismissed errors, each with the page on which it was dismissed. */
  #keys = readKeys()

  /** Checks whether there is an error that the author has not dismissed. */
  hasNew(keys: readonly string[]): boolean {
    return keys.some((key) => this.#keys[key] === undefined)
  }

  add(keys: readonly string[]): void {
    const { pathname } = location
    this.#save({ ...this.#keys, ...Object.fromEntries(keys.map((key) => [key, pathname])) })
  }

  /**
   * Forgets dismissed errors of this page that are fixed, so that they open the panel if they occur
   * again.
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
      // Without storage, the dismissed errors are remembered until the author leaves the page.
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
