/** Caches page heads while the server runs, and in the source state for the next start. */
import { type PageHead, readPageHead } from '../load/load-pages.ts'
import type { SourceState } from '../source/source-state.ts'
import type { SourceTree } from '../source/source-tree.ts'

export class PageHeads {
  readonly #state: SourceState
  readonly #heads = new Map<string, PageHead>()

  constructor(state: SourceState) {
    this.#state = state
  }

  headOf(tree: SourceTree, file: string): PageHead {
    const known = this.#heads.get(file)
    if (known !== undefined) return known
    // The stamp is read before the text, so that a file that is saved in between is read again.
    const stamp = tree.stampOf(file)
    const before = this.#state.find(file, stamp)?.head as PageHead | undefined
    const head = before ?? readPageHead(tree, file)
    if (before === undefined) this.#state.add(file, stamp, { head })
    this.#heads.set(file, head)
    return head
  }

  /** Returns the head of a file as it was last read. */
  known(file: string): PageHead | undefined {
    return this.#heads.get(file)
  }

  forget(file: string): void {
    this.#heads.delete(file)
  }

  save(): void {
    this.#state.save()
  }
}
