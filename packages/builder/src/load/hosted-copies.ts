/**
 * Stores the last good copies of files that docs.json names by URL. Each copy is a file with a line
 * of metadata followed by the bytes. A copy that is truncated, changed or from another URL is
 * ignored.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashFile } from '../source/hash-bytes.ts'

export type HostedCopy = {
  readonly bytes: Uint8Array
  readonly fetchedAtMs: number
  readonly etag: string | undefined
  readonly lastModified: string | undefined
}

type Facts = Omit<HostedCopy, 'bytes'> & { readonly url: string; readonly sha256: string }

export class HostedCopies {
  readonly #folder: string

  /** `cacheFolder` is the site's cache folder. It is created when the first copy is written. */
  constructor(cacheFolder: string, kind: 'specifications' | 'fonts') {
    this.#folder = join(cacheFolder, kind)
  }

  read(url: string): HostedCopy | undefined {
    try {
      const bytes = readFileSync(this.#fileOf(url))
      const end = bytes.indexOf('\n')
      const facts = JSON.parse(bytes.toString('utf8', 0, end)) as Facts
      const body = bytes.subarray(end + 1)
      if (facts.url !== url || facts.sha256 !== hashFile(body)) return undefined
      const { fetchedAtMs, etag, lastModified } = facts
      return { bytes: body, fetchedAtMs, etag, lastModified }
    } catch {
      // If the copy is missing or unreadable, the file is fetched as if for the first time.
      return undefined
    }
  }

  write(url: string, { bytes, fetchedAtMs, etag, lastModified }: HostedCopy): void {
    const facts: Facts = { url, fetchedAtMs, etag, lastModified, sha256: hashFile(bytes) }
    const file = this.#fileOf(url)
    try {
      mkdirSync(this.#folder, { recursive: true })
      replaceFile(file, Buffer.concat([Buffer.from(`${JSON.stringify(facts)}\n`), bytes]))
    } catch {
      // If the folder is not writable, the next run fetches the file again.
    }
  }

  #fileOf(url: string): string {
    return join(this.#folder, hashFile(url).slice(0, 32))
  }
}

/**
 * Replaces a file atomically, so that a concurrent reader sees either the old content or the new
 * one.
 */
function replaceFile(file: string, content: Uint8Array): void {
  const unfinished = `${file}.${process.pid}`
  try {
    writeFileSync(unfinished, content)
    renameSync(unfinished, file)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
}
