/**
 * A cache of page heads. It is kept for the next start: reading 20,000 files takes far longer than
 * checking whether they have changed.
 */
import { readFileSync, renameSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type PageHead, readPageHead } from '../load/load-pages.ts'
import type { SourceTree } from '../source/source-tree.ts'

type Kept = { readonly stamp: string; readonly head: PageHead }

export class PageHeads {
  readonly #file: string
  /** Entries of an earlier run, each valid only while its file has the same stamp. */
  readonly #before: ReadonlyMap<string, Kept>
  readonly #heads = new Map<string, Kept>()

  constructor(file: string) {
    this.#file = file
    this.#before = readKept(file)
  }

  headOf(tree: SourceTree, file: string): PageHead {
    const known = this.#heads.get(file)
    if (known !== undefined) return known.head
    // Taken before the text is read, so a file that is saved meanwhile is read again.
    const stamp = tree.stampOf(file)
    const before = this.#before.get(file)
    const kept = before?.stamp === stamp ? before : { stamp, head: readPageHead(tree, file) }
    this.#heads.set(file, kept)
    return kept.head
  }

  /** Returns the head of a file when it was last read. */
  known(file: string): PageHead | undefined {
    return this.#heads.get(file)?.head
  }

  forget(file: string): void {
    this.#heads.delete(file)
  }

  async save(): Promise<void> {
    await mkdir(dirname(this.#file), { recursive: true })
    const unfinished = `${this.#file}.${process.pid}`
    await writeFile(unfinished, JSON.stringify([...this.#heads]))
    renameSync(unfinished, this.#file)
  }
}

/** Returns an empty map if the file is missing or broken: the heads are then read again. */
function readKept(file: string): ReadonlyMap<string, Kept> {
  try {
    return new Map(JSON.parse(readFileSync(file, 'utf8')) as [string, Kept][])
  } catch {
    return new Map()
  }
}
