/** Errors whose panel the author has closed. It stays closed for them, also on the pages that follow. */
import type { Problem } from './problem-panel.ts'

const STORAGE_KEY = 'octavo-dev-closed'

/** The line is no part of it: an edit above an error does not make it another one. */
export function problemKey({ file, code, message }: Problem): string {
  return `${file} ${code} ${message}`
}

export class ClosedProblems {
  /** Each with the page on which it was closed. */
  #keys = readKeys()

  /** Is there an error that the author has not closed? */
  hasNew(keys: readonly string[]): boolean {
    return keys.some((key) => this.#keys[key] === undefined)
  }

  add(keys: readonly string[]): void {
    const { pathname } = location
    this.#save({ ...this.#keys, ...Object.fromEntries(keys.map((key) => [key, pathname])) })
  }

  /** What was closed here and is mended opens the panel again when it comes back. */
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
      // Without storage it is remembered until the page is left.
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
