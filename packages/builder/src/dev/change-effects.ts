/**
 * Finds what the latest file changes broke elsewhere: errors in other parts of the site, and links
 * to removed pages.
 */
import type { Diagnostic } from '@octavo/model'
import type { PlannedPage } from '../plan/plan-pages.ts'

/** The pages and diagnostics of a site, before or after a change. */
export type SiteFacts = {
  readonly pages: readonly PlannedPage[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Maximum number of pages to search for links to removed pages; the full build checks all. */
const READ_MAX = 2_000

export class ChangeEffects {
  /** URLs of pages that were removed and not added again. */
  readonly #removed = new Set<string>()
  /** Files of pages that mention one of the removed pages. */
  readonly #linking = new Set<string>()
  #newErrors: ReadonlySet<string> = new Set()
  #hasRemoved = false

  /** Returns true if the latest change removed a page. */
  get hasRemoved(): boolean {
    return this.#hasRemoved
  }

  get removed(): ReadonlySet<string> {
    return this.#removed
  }

  get linkingFiles(): ReadonlySet<string> {
    return this.#linking
  }

  /** Checks whether the latest change caused this error. */
  isNew(diagnostic: Diagnostic): boolean {
    return this.#newErrors.has(keyOf(diagnostic))
  }

  update(
    before: SiteFacts,
    now: SiteFacts & { readonly read: (file: string) => string | undefined },
    changed: ReadonlySet<string>,
  ): void {
    const known = new Set(before.diagnostics.map(keyOf))
    this.#newErrors = new Set(now.diagnostics.map(keyOf)).difference(known)
    this.#hasRemoved = before.pages !== now.pages && this.#followPages(before, now)
    if (this.#removed.size === 0) {
      this.#linking.clear()
      return
    }
    const isRead = (file: string) => this.#hasRemoved || changed.has(file)
    const files = now.pages.flatMap(({ file }) => (file !== undefined && isRead(file) ? file : []))
    for (const file of files.slice(0, READ_MAX)) {
      const text = now.read(file) ?? ''
      if ([...this.#removed].some((url) => text.includes(nameIn(url)))) this.#linking.add(file)
    }
  }

  /** Updates the list of removed pages. Returns true if the change removed any. */
  #followPages(before: SiteFacts, now: SiteFacts): boolean {
    const urls = new Set(now.pages.map(({ url }) => url))
    const gone = before.pages.filter(({ url }) => !urls.has(url))
    for (const { url } of gone) this.#removed.add(url)
    for (const url of this.#removed) if (urls.has(url)) this.#removed.delete(url)
    return gone.length > 0
  }
}

/** Returns the last part of a URL, which relative links also contain. */
function nameIn(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1)
}

/**
 * Returns a key without the line, because an edit above an error must not make the error look new.
 */
function keyOf({ code, message, place }: Diagnostic): string {
  return `${place.file} ${code} ${message}`
}
