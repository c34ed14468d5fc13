/**
 * Pages that were compiled before, by content. A page is found by the hash of its text; since it may
 * be made of snippets too, it counts only while these have the hashes they had. All pages are in one
 * file that only grows, with an index beside it: thousands of small files would take longer to write
 * than the pages take to compile. Losing the folder costs time and nothing else.
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
import type { Config } from '@octavo/model'
import type { CompiledPage } from '../compile/compile-page.ts'
import { hasDiagram } from '../compile/has-diagram.ts'
import { type KnownCode, takeCode } from '../compile/known-code.ts'
import { OriginSet, type Origins } from '../compile/origins.ts'
import { hashBytes } from '../source/hash-bytes.ts'
import { removeOldCaches } from './remove-old-caches.ts'

type Entry = {
  /** Hash of the file itself. */
  readonly text: string
  /** The other files it is made of, and their hashes; an empty hash stands for a missing file. */
  readonly files: readonly (readonly [path: string, hash: string])[]
  readonly artifact: string
  readonly problems?: true
  readonly islands?: readonly string[]
}

/** Where an artifact stands in the pack. */
type Slot = readonly [offset: number, length: number]

type Index = {
  readonly pack: string
  /** Bytes of it that are accounted for. */
  readonly length: number
  readonly pages: Readonly<Record<string, Entry>>
  readonly slots: Readonly<Record<string, Slot>>
  /** Other hosts that artifacts load from; few do. */
  readonly origins: Readonly<Record<string, Origins>>
  /** Artifacts with diagrams. */
  readonly diagrams: readonly string[]
}

export type FoundPage = { readonly artifact: string; readonly hasProblems: boolean }

const PACK_NAME = /^pages-[\da-f]{16}\.pack$/
/** A pack of which less than this share is still used is written anew. */
const USED_SHARE_MIN = 0.5

/** Everything beside the files that decides what a page becomes. */
export function cacheSettings(version: string, { variables = {}, icons, api }: Config): string {
  return hashBytes(version, JSON.stringify([variables, api]), icons?.library ?? '')
}

export class PageCache {
  readonly #folder: string
  readonly #version: string
  readonly #index: Index | undefined
  readonly #now = new Map<string, Entry>()
  readonly #slots: Map<string, Slot>
  readonly #used = new Set<string>()
  readonly #origins: Map<string, Origins>
  readonly #diagrams: Set<string>
  #pack: number
  #packName: string
  #length: number

  /** Pages of earlier builds, only to look at; nothing where there are none. */
  static openEarlier(
    folder: string,
    version: string,
  ): Pick<PageCache, 'find' | 'load'> | undefined {
    const index = readIndex(join(folder, indexName(version)))
    const pack = index && openPack(join(folder, index.pack), index)
    if (pack === undefined) return undefined
    closeSync(pack)
    return new PageCache(folder, version, index)
  }

  /** `version` covers everything beside the files that decides what a page becomes. */
  constructor(
    folder: string,
    version: string,
    index: Index | undefined = readIndex(join(folder, indexName(version))),
  ) {
    this.#folder = folder
    this.#version = version
    mkdirSync(folder, { recursive: true })
    const opened = index === undefined ? undefined : openPack(join(folder, index.pack), index)
    this.#index = opened === undefined ? undefined : index
    this.#packName = this.#index?.pack ?? newPackName(version)
    this.#pack = opened ?? openSync(join(folder, this.#packName), 'w+')
    this.#length = fstatSync(this.#pack).size
    this.#slots = new Map(Object.entries(this.#index?.slots ?? {}))
    this.#origins = new Map(Object.entries(this.#index?.origins ?? {}))
    this.#diagrams = new Set(this.#index?.diagrams)
  }

  /** The page as compiled before, if neither it nor what it is made of has changed. */
  find(file: string, textHash: string, hashOf: (path: string) => string): FoundPage | undefined {
    const entry = this.#index?.pages[file]
    if (entry === undefined || entry.text !== textHash) return undefined
    if (!entry.files.every(([path, hash]) => hashOf(path) === hash)) return undefined
    if (!this.#slots.has(entry.artifact)) return undefined
    this.#now.set(file, entry)
    this.#used.add(entry.artifact)
    return { artifact: entry.artifact, hasProblems: entry.problems === true }
  }

  load(artifact: string): CompiledPage | undefined {
    const slot = this.#slots.get(artifact)
    if (slot === undefined) return undefined
    this.#used.add(artifact)
    return parsePage(this.#read(slot), artifact)
  }

  /** Highlighted code of the page as it was when it was compiled last, whatever it is now. */
  codeBefore(file: string): KnownCode {
    const artifact = this.#index?.pages[file]?.artifact ?? ''
    const slot = this.#slots.get(artifact)
    const before = slot && parsePage(this.#read(slot), artifact)
    return before === undefined ? [] : takeCode(before)
  }

  /** Keeps a page under a key of the caller's. */
  put(artifact: string, page: CompiledPage): void {
    const bytes = Buffer.from(`${artifact}\n${JSON.stringify(page)}`)
    writeSync(this.#pack, bytes, 0, bytes.length, this.#length)
    this.#slots.set(artifact, [this.#length, bytes.length])
    this.#used.add(artifact)
    if (page.origins !== undefined) this.#origins.set(artifact, page.origins)
    if (hasDiagram(page.html)) this.#diagrams.add(artifact)
    this.#length += bytes.length
  }

  /** Under which name the page of a file is kept. */
  artifactOf(file: string): string | undefined {
    return this.#now.get(file)?.artifact
  }

  /** Files whose components a browser has to run, over all pages. */
  islands(): readonly string[] {
    return [...new Set([...this.#now.values()].flatMap(({ islands }) => islands ?? []))].toSorted()
  }

  /** Other hosts that any page of this build loads from. */
  origins(): Origins | undefined {
    const set = new OriginSet()
    for (const [artifact, origins] of this.#origins) {
      if (this.#used.has(artifact)) set.addAll(origins)
    }
    return set.result()
  }

  /** Whether any page has a diagram that a browser has to draw. */
  hasDiagrams(): boolean {
    return this.#diagrams.values().some((artifact) => this.#used.has(artifact))
  }

  store(
    file: string,
    textHash: string,
    page: CompiledPage,
    hashOf: (path: string) => string,
  ): string {
    const artifact = hashBytes(this.#version, file, textHash, ...page.files.map(hashOf))
    this.put(artifact, page)
    this.#now.set(file, {
      text: textHash,
      files: page.files.map((used) => [used, hashOf(used)]),
      artifact,
      ...(page.diagnostics.length > 0 ? { problems: true as const } : {}),
      ...(page.islands === undefined ? {} : { islands: page.islands }),
    })
    return artifact
  }

  /** Marks an artifact as still in use without reading it. */
  touch(artifact: string): void {
    this.#used.add(artifact)
  }

  /** Remembers which pages there are, for the next build. */
  finish(): void {
    const slots = [...this.#slots].filter(([artifact]) => this.#used.has(artifact))
    const used = slots.reduce((sum, [, [, length]]) => sum + length, 0)
    const kept = used < this.#length * USED_SHARE_MIN ? this.#repack(slots) : slots
    closeSync(this.#pack)
    const index: Index = {
      pack: this.#packName,
      length: this.#length,
      pages: Object.fromEntries(this.#now),
      slots: Object.fromEntries(kept),
      origins: Object.fromEntries(
        [...this.#origins].filter(([artifact]) => this.#used.has(artifact)),
      ),
      diagrams: [...this.#diagrams].filter((artifact) => this.#used.has(artifact)),
    }
    const file = join(this.#folder, indexName(this.#version))
    // Another build may read it at the same moment: it sees all of it, or the one before.
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(index))
    renameSync(`${file}.${process.pid}`, file)
    removeOldCaches(this.#folder)
  }

  #repack(slots: readonly (readonly [string, Slot])[]): (readonly [string, Slot])[] {
    const name = newPackName(`${this.#packName}${this.#length}`)
    const pack = openSync(join(this.#folder, name), 'w+')
    let length = 0
    const moved = slots.map(([artifact, slot]) => {
      const bytes = this.#read(slot)
      writeSync(pack, bytes, 0, bytes.length, length)
      length += bytes.length
      return [artifact, [length - bytes.length, bytes.length]] as const
    })
    closeSync(this.#pack)
    rmSync(join(this.#folder, this.#packName), { force: true })
    this.#pack = pack
    this.#packName = name
    this.#length = length
    return moved
  }

  #read([offset, length]: Slot): Buffer {
    const bytes = Buffer.allocUnsafe(length)
    readSync(this.#pack, bytes, 0, length, offset)
    return bytes
  }
}

function indexName(version: string): string {
  return `pages-${version.slice(0, 16)}.json`
}

function newPackName(seed: string): string {
  return `pages-${hashBytes(seed).slice(0, 16)}.pack`
}

/** Nothing for a file that is missing or broken: then the work is done again. */
function readIndex(path: string): Index | undefined {
  try {
    const index = JSON.parse(readFileSync(path, 'utf8')) as Partial<Index> | null
    const { pack, length, pages, slots, origins, diagrams } = index ?? {}
    if (typeof pack !== 'string' || !PACK_NAME.test(pack) || typeof length !== 'number') return
    if (typeof pages !== 'object' || typeof slots !== 'object') return
    if (typeof origins !== 'object' || !Array.isArray(diagrams)) return
    return { pack, length, pages, slots, origins, diagrams }
  } catch {
    return undefined
  }
}

/** Nothing where the index is there and its pack is not, or not all of it: as good as no cache. */
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

/** A slot that another build has written over has another name, and is compiled again. */
function parsePage(bytes: Buffer, artifact: string): CompiledPage | undefined {
  const head = `${artifact}\n`
  try {
    if (bytes.toString('latin1', 0, head.length) !== head) return undefined
    return JSON.parse(bytes.toString('utf8', head.length)) as CompiledPage
  } catch {
    return undefined
  }
}
