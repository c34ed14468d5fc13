/**
 * Caches search data, so that after an edit only one page is indexed again. The cache has two
 * files: a small one with the names of written files, and one with the terms of all pages as
 * numbers. A build without changes reads only the small one. If these files are lost, the next
 * build only takes longer.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packTermUse, TermTable, type TermUse, unpackTermUse } from '@octavo/search'

/** Names of files that were written, by a key of everything that determines their content. */
type Written = {
  readonly pageFiles: Readonly<Record<string, string>>
  readonly indexes: Readonly<Record<string, readonly string[]>>
  readonly shards: Readonly<Record<string, string>>
}

const EMPTY_RECORD: Written = { pageFiles: {}, indexes: {}, shards: {} }

type RecordsHead = {
  /** Number of pages that were indexed since the terms were numbered. */
  readonly updateCount: number
  readonly terms: readonly string[]
  readonly pages: readonly (readonly [key: string, length: number])[]
  /** The pages and counts of indexes, each with its length in numbers. */
  readonly counts: readonly (readonly [index: string, length: number])[]
}

/** The keys of an index's pages and, for a large index, the counts of their terms. */
type IndexCounts = { readonly keys: readonly string[]; readonly use: TermUse | undefined }

export class SearchCache {
  readonly #files: { readonly written: string; readonly records: string }
  readonly #folder: string
  readonly #before: Written
  readonly #now = {
    pageFiles: new Map<string, string>(),
    indexes: new Map<string, readonly string[]>(),
    shards: new Map<string, string>(),
  }
  #records: Records | undefined

  constructor(folder: string, version: string) {
    const name = join(folder, `search-${version.slice(0, 16)}`)
    this.#folder = folder
    this.#files = { written: `${name}.json`, records: `${name}.bin` }
    this.#before = readWritten(this.#files.written)
  }

  pageFile(key: string): string | undefined {
    return this.#before.pageFiles[key]
  }

  index(key: string): readonly string[] | undefined {
    return this.#before.indexes[key]
  }

  keepPageFile(key: string, name: string): void {
    this.#now.pageFiles.set(key, name)
  }

  shard(key: string): string | undefined {
    return this.#before.shards[key]
  }

  /** Keeps an index and the shards that it uses. */
  keepIndex(key: string, names: readonly string[]): void {
    this.#now.indexes.set(key, names)
    const kept = new Set(names)
    for (const [shard, name] of Object.entries(this.#before.shards)) {
      if (kept.has(name)) this.keepShard(shard, name)
    }
  }

  keepShard(key: string, name: string): void {
    this.#now.shards.set(key, name)
  }

  /** The terms of all pages, which are read on demand. */
  get records(): Records {
    this.#records ??= readRecords(this.#files.records)
    return this.#records
  }

  /** Keeps everything that an earlier build stored. */
  keepAll(): void {
    const { pageFiles, indexes, shards } = this.#before
    for (const [key, name] of Object.entries(pageFiles)) this.#now.pageFiles.set(key, name)
    for (const [key, names] of Object.entries(indexes)) this.#now.indexes.set(key, names)
    for (const [key, name] of Object.entries(shards)) this.#now.shards.set(key, name)
  }

  dropIndex(key: string, shardPrefix: string): void {
    this.#now.indexes.delete(key)
    for (const shard of this.#now.shards.keys())
      if (shard.startsWith(shardPrefix)) this.#now.shards.delete(shard)
  }

  /** Saves the cache. `keys` are the keys of all current pages. */
  finish(keys: Pick<ReadonlySet<string>, 'has'>): void {
    mkdirSync(this.#folder, { recursive: true })
    const { pageFiles, indexes, shards } = this.#now
    const written = {
      pageFiles: Object.fromEntries(pageFiles),
      indexes: Object.fromEntries(indexes),
      shards: Object.fromEntries(shards),
    }
    const text = JSON.stringify(written)
    if (text !== JSON.stringify(this.#before)) put(this.#files.written, text)
    if (this.#records?.isChanged) put(this.#files.records, this.#records.bytes(keys))
  }
}

/** Maximum number of updates per page before terms are renumbered, which drops unused terms. */
const UPDATES_PER_PAGE_MAX = 4
const UPDATES_MIN = 2_000

export class Records {
  readonly table: TermTable
  readonly #pages: Map<string, Uint8Array>
  /** The counts of earlier builds, which are packed together with the places of their pages. */
  readonly #packedCounts: ReadonlyMap<string, Uint32Array>
  readonly #places: readonly string[]
  readonly #counts = new Map<string, IndexCounts>()
  isChanged = false
  #updateCount: number

  constructor(
    table = new TermTable(),
    pages = new Map<string, Uint8Array>(),
    { updateCount = 0, counts = new Map<string, Uint32Array>() } = {},
  ) {
    this.table = table
    this.#pages = pages
    this.#packedCounts = counts
    this.#places = [...pages.keys()]
    this.#updateCount = updateCount
  }

  get(key: string): Uint8Array | undefined {
    return this.#pages.get(key)
  }

  set(key: string, terms: Uint8Array): void {
    this.#pages.set(key, terms)
    this.#updateCount += 1
    this.isChanged = true
  }

  /** Returns what the last build counted for an index. */
  counts(index: string): IndexCounts | undefined {
    const known = this.#counts.get(index)
    const packed = this.#packedCounts.get(index)
    if (known !== undefined || packed === undefined) return known
    const length = packed[0] ?? 0
    const keys = Array.from(packed.subarray(1, 1 + length), (place) => this.#places[place] ?? '')
    const counted = packed.subarray(1 + length)
    const use = counted.length === 0 ? undefined : unpackTermUse(counted, this.table.terms.length)
    return { keys, use }
  }

  setCounts(index: string, counts: IndexCounts): void {
    this.#counts.set(index, counts)
    this.isChanged = true
  }

  bytes(keys: Pick<ReadonlySet<string>, 'has'>): Uint8Array {
    const kept = [...this.#pages].filter(([key]) => keys.has(key))
    if (this.#updateCount > Math.max(UPDATES_MIN, UPDATES_PER_PAGE_MAX * kept.length))
      return new Uint8Array()
    const counts = this.#packCounts(new Map(kept.map(([key], place) => [key, place])))
    const head: RecordsHead = {
      updateCount: this.#updateCount,
      terms: this.table.terms,
      pages: kept.map(([key, bytes]) => [key, bytes.length]),
      counts: counts.map(([index, packed]) => [index, packed.length]),
    }
    const line = Buffer.from(`${JSON.stringify(head)}\n`)
    const numbers = counts.map(([, { buffer }]) => new Uint8Array(buffer))
    return Buffer.concat([line, ...kept.map(([, bytes]) => bytes), ...numbers])
  }

  /** Packs the counts of the indexes whose pages all still exist. */
  #packCounts(placeOf: ReadonlyMap<string, number>) {
    const packed: [index: string, counts: Uint32Array<ArrayBuffer>][] = []
    for (const index of new Set([...this.#packedCounts.keys(), ...this.#counts.keys()])) {
      const { keys, use } = this.counts(index) ?? {}
      if (keys?.every((key) => placeOf.has(key)) !== true) continue
      const places = keys.map((key) => placeOf.get(key) ?? 0)
      const counted = use === undefined ? [] : packTermUse(use)
      const numbers = new Uint32Array(1 + places.length + counted.length)
      numbers.set([keys.length, ...places])
      numbers.set(counted, 1 + places.length)
      packed.push([index, numbers])
    }
    return packed
  }
}

/**
 * Replaces a file atomically, so that a concurrent build reads either this file or the previous
 * one.
 */
function put(file: string, content: string | Uint8Array): void {
  writeFileSync(`${file}.${process.pid}`, content)
  renameSync(`${file}.${process.pid}`, file)
}

function readWritten(file: string): Written {
  try {
    const written = JSON.parse(readFileSync(file, 'utf8')) as Partial<Written>
    const { pageFiles, indexes, shards } = written
    if (typeof pageFiles !== 'object' || typeof indexes !== 'object') return EMPTY_RECORD
    if (typeof shards !== 'object') return EMPTY_RECORD
    return { pageFiles, indexes, shards }
  } catch {
    return EMPTY_RECORD
  }
}

/** Reads the terms of all pages. An unreadable file is treated as empty. */
function readRecords(file: string): Records {
  try {
    const bytes = readFileSync(file)
    const start = bytes.indexOf(10) + 1
    const head = JSON.parse(bytes.toString('utf8', 0, start)) as RecordsHead
    const { updateCount, terms } = head
    if (lengthOf(head, start) !== bytes.length || !terms.every((term) => typeof term === 'string'))
      return new Records()
    let at = start
    const pages = new Map<string, Uint8Array>()
    for (const [key, length] of head.pages) {
      pages.set(key, bytes.subarray(at, at + length))
      at += length
    }
    const counts = new Map<string, Uint32Array>()
    for (const [index, length] of head.counts) {
      // A copy, because numbers must be aligned in memory.
      counts.set(
        index,
        new Uint32Array(Uint8Array.from(bytes.subarray(at, at + length * 4)).buffer),
      )
      at += length * 4
    }
    return new Records(new TermTable(terms), pages, { updateCount, counts })
  } catch {
    return new Records()
  }
}

function lengthOf({ pages, counts }: RecordsHead, start: number): number {
  const ofPages = pages.reduce((sum, [, length]) => sum + length, start)
  return counts.reduce((sum, [, length]) => sum + length * 4, ofPages)
}
