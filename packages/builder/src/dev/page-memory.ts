import type { CompiledPage } from '../compile/compile-page.ts'

type Kept = {
  readonly promise: Promise<CompiledPage>
  /** Missing while it is being made. */
  page?: CompiledPage
}

/** Compiled pages, until a file changes that they are made of. */
export class PageMemory {
  readonly #pages = new Map<string, Kept>()
  /** As they were before they changed: their code need not be highlighted again. */
  readonly #before = new Map<string, CompiledPage>()
  #operations = new Map<string, Promise<CompiledPage>>()
  #settings = ''

  get isEmpty(): boolean {
    return this.#pages.size === 0
  }

  get(
    file: string,
    make: (before: CompiledPage | undefined) => Promise<CompiledPage>,
  ): Promise<CompiledPage> {
    const known = this.#pages.get(file)
    if (known !== undefined) return known.promise
    const kept: Kept = { promise: make(this.#before.get(file)) }
    this.#pages.set(file, kept)
    void kept.promise.then((page) => {
      kept.page = page
    })
    return kept.promise
  }

  operation(key: string, make: () => Promise<CompiledPage>): Promise<CompiledPage> {
    const known = this.#operations.get(key) ?? make()
    this.#operations.set(key, known)
    return known
  }

  forget(files: ReadonlySet<string>): void {
    for (const [file, { page }] of this.#pages) {
      // Of a page that is being made it is not known what it is made of.
      const isTouched =
        page === undefined || files.has(file) || page.files.some((used) => files.has(used))
      if (!isTouched) continue
      this.#pages.delete(file)
      if (page !== undefined && !page.failed) this.#before.set(file, page)
    }
  }

  /** Settings that every page is made with; others make other pages. True when they are others. */
  use(settings: string): boolean {
    if (this.#operations.size > OPERATIONS_MAX) this.#operations = new Map()
    if (settings === this.#settings) return false
    this.#settings = settings
    this.#pages.clear()
    return true
  }
}

/** Each edit of a specification makes its pages anew; the old ones are let go in time. */
const OPERATIONS_MAX = 1_000
