/** Writes the root of an index with the shards and the vocabulary that it names. */
import { countTerms, makeIndex, recountTerms, type SearchRoot, type TermUse } from '@octavo/search'
import { hashBytes } from '../../source/hash-bytes.ts'
import { compress, dataPath, rootPath, type SearchFiles, writeData } from './data-files.ts'
import type { SearchCache } from './search-cache.ts'

export type IndexRoot = {
  readonly files: SearchFiles
  readonly cache: SearchCache
  /** The name of the scope. */
  readonly scope: string
  /** A hash that covers everything that determines the index, except the pages. */
  readonly version: string
  readonly about: Parameters<typeof makeIndex>[0]['about']
  /** The keys of the pages of the index, in order. */
  readonly keys: readonly string[]
}

/** The minimum number of pages of an index whose counts are stored for the next build. */
const COUNTED_PAGES_MIN = 500
const NO_TERMS = new Uint8Array()

/** Returns the key of an index, which covers everything that determines its content. */
export function indexKey({ files, scope, version, about, keys }: IndexRoot): string {
  const { boosts, tabs = [], language, pageFolders } = about
  const facts = JSON.stringify([boosts, tabs, language])
  return hashBytes(version, `${files.name} ${scope}`, facts, ...pageFolders, ...keys)
}

/** Returns the start of the keys of an index's shards. */
export function shardPrefix({ files, scope }: Pick<IndexRoot, 'files' | 'scope'>): string {
  return `${files.name}${scope} `
}

/** The terms of all pages must be in the cache. */
export function writeIndexRoot(index: IndexRoot): void {
  const { files, cache, scope, about, keys } = index
  const { records } = cache
  const shardKey = (shard: string) => shardPrefix(index) + shard
  const names: string[] = []
  const root: SearchRoot = makeIndex({
    hash: hashBytes,
    pages: keys.map((key) => records.get(key) ?? NO_TERMS),
    terms: records.table.terms,
    use: countPages(index),
    put: (content, shard) => {
      const name = writeData(files, { name: `${scope}/`, content })
      names.push(name)
      if (shard !== undefined) cache.keepShard(shardKey(shard), name)
      return name
    },
    keep: (shard) => {
      const name = cache.shard(shardKey(shard))
      if (name === undefined || !keepData(files, [name])) return undefined
      names.push(name)
      return name
    },
    about,
  })
  const key = indexKey(index)
  const facts = { key, access: files.access }
  files.output.write(rootPath(files, scope), compress(JSON.stringify(root)), facts)
  cache.keepIndex(key, names)
}

/**
 * Returns true if all files exist. They are up to date, because their names contain a hash of the
 * content.
 */
export function keepData(files: SearchFiles, names: readonly string[]): boolean {
  return names.every((name) => files.output.keepNamed(dataPath(files, name), files.access))
}

/** Counts the terms of a large index. If few pages have changed, only those are counted. */
function countPages({ files, cache: { records }, scope, keys }: IndexRoot): TermUse | undefined {
  const index = `${files.name} ${scope}`
  const use = keys.length < COUNTED_PAGES_MIN ? undefined : (recount() ?? count())
  records.setCounts(index, { keys, use })
  return use

  function count(): TermUse {
    const pages = keys.map((key) => records.get(key) ?? NO_TERMS)
    return countTerms({ pages, terms: records.table.terms })
  }

  function recount(): TermUse | undefined {
    const before = records.counts(index)
    if (before?.use === undefined || before.keys.length !== keys.length) return undefined
    const changed = [...keys.keys()].filter((at) => before.keys[at] !== keys[at])
    const pages = changed.map((at) => ({
      index: at,
      before: records.get(before.keys[at] ?? '') ?? NO_TERMS,
      now: records.get(keys[at] ?? '') ?? NO_TERMS,
    }))
    return recountTerms(before.use, pages, records.table.terms)
  }
}
