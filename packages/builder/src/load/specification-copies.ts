/**
 * The last good copy of each hosted specification: one file each, a line of facts and then the bytes
 * as they came. A file that is cut off, changed or made for another URL is no copy.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashFile } from '../source/hash-bytes.ts'

export type SpecificationCopy = {
  readonly text: string
  readonly fetchedAtMs: number
  readonly etag: string | undefined
  readonly lastModified: string | undefined
}

type Facts = Omit<SpecificationCopy, 'text'> & { readonly url: string; readonly sha256: string }

export class SpecificationCopies {
  readonly #folder: string

  /** `cacheFolder` is the cache of the site. It may be missing; the first copy makes it. */
  constructor(cacheFolder: string) {
    this.#folder = join(cacheFolder, 'specifications')
  }

  read(url: string): SpecificationCopy | undefined {
    try {
      const bytes = readFileSync(this.#fileOf(url))
      const end = bytes.indexOf('\n')
      const facts = JSON.parse(bytes.toString('utf8', 0, end)) as Facts
      const body = bytes.subarray(end + 1)
      if (facts.url !== url || facts.sha256 !== hashFile(body)) return undefined
      const { fetchedAtMs, etag, lastModified } = facts
      return { text: body.toString(), fetchedAtMs, etag, lastModified }
    } catch {
      // No copy, or none that can be read: the document is fetched as if for the first time.
      return undefined
    }
  }

  write(url: string, { text, fetchedAtMs, etag, lastModified }: SpecificationCopy): void {
    const facts: Facts = { url, fetchedAtMs, etag, lastModified, sha256: hashFile(text) }
    const file = this.#fileOf(url)
    try {
      mkdirSync(this.#folder, { recursive: true })
      replaceFile(file, `${JSON.stringify(facts)}\n${text}`)
    } catch {
      // A folder that cannot be written to: this run has the text, and the next one fetches again.
    }
  }

  #fileOf(url: string): string {
    return join(this.#folder, hashFile(url).slice(0, 32))
  }
}

/** Whoever reads the file meanwhile sees the old content or the new one, never a part. */
function replaceFile(file: string, content: string): void {
  const unfinished = `${file}.${process.pid}`
  try {
    writeFileSync(unfinished, content)
    renameSync(unfinished, file)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
}
