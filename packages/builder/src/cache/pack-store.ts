/**
 * Stores compiled pages in one append-only file with an index next to it, because writing thousands
 * of small files would take longer than compiling the pages. Every record has a checksum. If the
 * folder is lost, the next build only takes longer.
 */
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { CompiledPage } from '../compile/compile-page.ts'
import { type PageBody, type PageFacts, splitPage } from '../compile/page-facts.ts'
import { hashBytes, hashFile } from '../source/hash-bytes.ts'
import type { ArtifactStore, PageEntries } from './artifact-store.ts'
import { removeOldCaches } from './remove-old-caches.ts'

/**
 * The position of a record in the pack. A record has a head of fixed length, the facts and the
 * body.
 */
type Slot = readonly [offset: number, factsLength: number, bodyLength: number]

type Index = {
  readonly pack: string
  /** The length of the pack when this index was written, in bytes. */
  readonly length: number
  readonly entries: PageEntries
  readonly slots: Readonly<Record<string, Slot>>
}

const PACK_NAME = /^pages-[\da-f]{16}\.pack$/
/** A pack is rewritten when less than this share of it is still used. */
const USED_SHARE_MIN = 0.5
const SUM_LENGTH = 16
/** The head contains the key, a checksum of the facts and a checksum of the body. */
const HEAD_LENGTH = 64 + 2 * SUM_LENGTH

export class PackStore implements ArtifactStore {
  readonly entries: PageEntries
  readonly #folder: string
  readonly #version: string
  readonly #slots: Map<string, Slot>
  #pack: number
  #packName: string
  #length: number

  /**
   * Opens the pages of earlier builds for reading. Returns undefined if there was no earlier build.
   */
  static openEarlier(folder: string, version: string): PackStore | undefined {
    const earlier = openIndex(folder, version)
    return earlier && new PackStore(folder, version, earlier)
  }

  /**
   * `version` must cover everything that determines the compiled pages, except the source files.
   */
  constructor(folder: string, version: string, earlier = openIndex(folder, version)) {
    this.#folder = folder
    this.#version = version
    mkdirSync(folder, { recursive: true })
    const index = earlier?.index
    this.entries = index?.entries ?? {}
    this.#packName = index?.pack ?? newPackName(version)
    this.#pack = earlier?.pack ?? openSync(join(folder, this.#packName), 'w+')
    this.#length = fstatSync(this.#pack).size
    this.#slots = new Map(Object.entries(index?.slots ?? {}))
  }

  readonly has = (key: string): boolean => this.#slots.has(key)

  readonly facts = (key: string): PageFacts | undefined => {
    const slot = this.#slots.get(key)
    if (slot === undefined) return undefined
    const [offset, factsLength] = slot
    const bytes = this.#read(offset, HEAD_LENGTH + factsLength)
    return parse<PageFacts>(key, bytes, 'facts', bytes.subarray(HEAD_LENGTH))
  }

  readonly load = (key: string): CompiledPage | undefined => {
    const slot = this.#slots.get(key)
    if (slot === undefined) return undefined
    const [offset, factsLength, bodyLength] = slot
    const bytes = this.#read(offset, HEAD_LENGTH + factsLength + bodyLength)
    const end = HEAD_LENGTH + factsLength
    const facts = parse<PageFacts>(key, bytes, 'facts', bytes.subarray(HEAD_LENGTH, end))
    const body = parse<PageBody>(key, bytes, 'body', bytes.subarray(end))
    return facts && body && { ...facts, ...body }
  }

  readonly put = (key: string, page: CompiledPage): void => {
    const { facts, body } = splitPage(page)
    this.#write(key, JSON.stringify(facts), JSON.stringify(body))
  }

  readonly loadData = (key: string): unknown => {
    const slot = this.#slots.get(key)
    if (slot === undefined) return undefined
    const bytes = this.#read(slot[0], HEAD_LENGTH + slot[2])
    return parse(key, bytes, 'body', bytes.subarray(HEAD_LENGTH))
  }

  readonly putData = (key: string, data: unknown): void => {
    this.#write(key, '', JSON.stringify(data))
  }

  /** Saves changed entries and keeps all others. */
  finishEdit(changed: PageEntries): void {
    const used = new Set(this.#slots.keys())
    for (const file of Object.keys(changed)) used.delete(this.entries[file]?.artifact ?? '')
    for (const { artifact } of Object.values(changed)) used.add(artifact)
    this.finish({ ...this.entries, ...changed }, used)
  }

  close(): void {
    closeSync(this.#pack)
  }

  readonly finish = (entries: PageEntries, used: ReadonlySet<string>): void => {
    const slots = [...this.#slots].filter(([key]) => used.has(key))
    const size = slots.reduce((sum, [, slot]) => sum + lengthOf(slot), 0)
    const kept = size < this.#length * USED_SHARE_MIN ? this.#repack(slots) : slots
    closeSync(this.#pack)
    const index: Index = {
      pack: this.#packName,
      length: this.#length,
      entries,
      slots: Object.fromEntries(kept),
    }
    const file = join(this.#folder, indexName(this.#version))
    // The index is replaced atomically, so a concurrent build reads either this index or the
    // previous one.
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(index))
    renameSync(`${file}.${process.pid}`, file)
    removeOldCaches(this.#folder)
  }

  #write(key: string, facts: string, body: string): void {
    const bytes = Buffer.from(`${key}${sumOf(facts)}${sumOf(body)}${facts}${body}`)
    const factsLength = Buffer.byteLength(facts)
    writeSync(this.#pack, bytes, 0, bytes.length, this.#length)
    this.#slots.set(key, [this.#length, factsLength, bytes.length - HEAD_LENGTH - factsLength])
    this.#length += bytes.length
  }

  #repack(slots: readonly (readonly [string, Slot])[]): (readonly [string, Slot])[] {
    const name = newPackName(`${this.#packName}${this.#length}`)
    const pack = openSync(join(this.#folder, name), 'w+')
    let length = 0
    const moved = slots.map(([key, slot]) => {
      const bytes = this.#read(slot[0], lengthOf(slot))
      writeSync(pack, bytes, 0, bytes.length, length)
      length += bytes.length
      return [key, [length - bytes.length, slot[1], slot[2]]] as const
    })
    closeSync(this.#pack)
    rmSync(join(this.#folder, this.#packName), { force: true })
    this.#pack = pack
    this.#packName = name
    this.#length = length
    return moved
  }

  #read(offset: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length)
    return bytes.subarray(0, readSync(this.#pack, bytes, 0, length, offset))
  }
}

function lengthOf([, factsLength, bodyLength]: Slot): number {
  return HEAD_LENGTH + factsLength + bodyLength
}

function sumOf(content: string | Uint8Array): string {
  return hashFile(content).slice(0, SUM_LENGTH)
}

/** Returns undefined if the record was overwritten by another build or is damaged on disk. */
function parse<Value>(
  key: string,
  record: Buffer,
  part: 'facts' | 'body',
  content: Buffer,
): Value | undefined {
  const start = key.length + (part === 'facts' ? 0 : SUM_LENGTH)
  if (record.toString('latin1', 0, key.length) !== key) return undefined
  if (record.toString('latin1', start, start + SUM_LENGTH) !== sumOf(content)) return undefined
  return JSON.parse(content.toString('utf8')) as Value
}

function indexName(version: string): string {
  return `pages-${version.slice(0, 16)}.json`
}

function newPackName(seed: string): string {
  return `pages-${hashBytes(seed).slice(0, 16)}.pack`
}

/** Returns undefined if there was no earlier build, or if its files are damaged. */
function openIndex(folder: string, version: string) {
  const index = readIndex(join(folder, indexName(version)))
  const pack = index && openPack(join(folder, index.pack), index)
  return pack === undefined ? undefined : { index, pack }
}

/** Returns undefined if the file is missing or broken; the pages are then compiled again. */
function readIndex(path: string): Index | undefined {
  try {
    const index = JSON.parse(readFileSync(path, 'utf8')) as Partial<Index> | null
    const { pack, length, entries, slots } = index ?? {}
    if (typeof pack !== 'string' || !PACK_NAME.test(pack) || typeof length !== 'number') return
    if (typeof entries !== 'object' || typeof slots !== 'object') return
    return { pack, length, entries, slots }
  } catch {
    return undefined
  }
}

/** Returns undefined if the pack is missing or truncated; the cache is then treated as empty. */
function openPack(path: string, { length }: Index): number | undefined {
  try {
    const pack = openSync(path, 'r+')
    if (fstatSync(pack).size >= length) return pack
    closeSync(pack)
    return undefined
  } catch {
    return undefined
  }
}
