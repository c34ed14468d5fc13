/** Lists every kind of deployment file that the service opens, with the code that reads it. */
import { inflateRawSync } from 'node:zlib'
import { parseSettings } from '@octavo/assistant'
import {
  ASSISTANT_FILE_PATH,
  type ManifestEntry,
  type ManifestRoot,
  parseManifestRoot,
  parseManifestRun,
} from '@octavo/model'
import { INDEX_LIMITS, openLibrary, readMarkdown, UnreadableIndex } from '@octavo/search'
import { VectorSet } from '../../../packages/embeddings/src/vector-set.ts'
import { inflatedSizeMax } from '../../../packages/search/src/answers/inflate.ts'
import { LibraryMeter } from '../../../packages/search/src/answers/library-meter.ts'
import { parseSections } from '../../../packages/search/src/answers/parse-sections.ts'
import { checkTerms } from '../../../packages/search/src/format/check-terms.ts'
import { decodeShard, decodeVocabulary } from '../../../packages/search/src/format/index-format.ts'
import { parseSearchRoot } from '../../../packages/search/src/format/parse-search-root.ts'
import { inflateFile } from '../../../packages/service/src/reading/libraries/inflate-file.ts'
import type { TestSite } from '../../../packages/service/testing/test-deployment.ts'
import type { Chance } from '../openapi/change-specification.ts'
import { mutateBytes, mutateCompressed, mutateJson } from './mutate-bytes.ts'

const ROOT = '_octavo/search/all.bin'
const READER = { hasSiteAccess: true, groups: new Set<string>() }
const QUESTION = 'How do I turn on the hose with compost before planting tomatoes?'

export type FuzzSite = {
  readonly root: ManifestRoot
  readonly rootText: string
  readonly runTexts: readonly string[]
  readonly entries: ReadonlyMap<string, ManifestEntry>
  readonly files: ReadonlyMap<string, Buffer>
}

export function openFuzzSite({ root: rootText, blobs }: TestSite): FuzzSite {
  const parsed = parseManifestRoot(rootText)
  if (parsed.kind === 'malformed') throw new Error(parsed.reason)
  const { root } = parsed
  const runTexts = root.runs.map(({ sha256 }) => String(blobs.get(sha256)))
  const entries = runTexts.flatMap((text, index) => {
    const run = parseManifestRun(text, root, index)
    if (run.kind === 'malformed') throw new Error(run.reason)
    return run.entries
  })
  return {
    root,
    rootText,
    runTexts,
    entries: new Map(entries.map((entry) => [entry.path, entry])),
    files: new Map(entries.map(({ path, sha256 }) => [path, blobs.get(sha256) ?? Buffer.of()])),
  }
}

type Target = {
  readonly name: string
  /** The relative frequency with which this kind of file is chosen. */
  readonly share: number
  /** Creates a changed file; returns a function that reads it. */
  readonly make: (site: FuzzSite, chance: Chance) => () => unknown
}

const pathsOf = ({ files }: FuzzSite, pattern: RegExp) =>
  [...files.keys()].filter((path) => pattern.test(path))

function pickFile(site: FuzzSite, pattern: RegExp, chance: Chance) {
  const paths = pathsOf(site, pattern)
  const path = chance.pick(paths)
  const get = (one: string) => site.files.get(one) ?? Buffer.of()
  return { path, bytes: get(path), other: get(chance.pick([...site.files.keys()])) }
}

const ROOT_FILE = /^_octavo\/search\/[^/]+\.bin$/
const INDEX_FILE = /\/all\/[^/]+\.bin$/
const SECTIONS_FILE = /sections\/.*\.json$/
const MARKDOWN_FILE = /^(?:water|soil)\.md$/

function vocabularyPath({ files }: FuzzSite): string {
  const text = inflateRawSync(files.get(ROOT) ?? Buffer.of()).toString()
  const { folder, vocabulary } = JSON.parse(text) as {
    folder: string
    vocabulary: { file: string }
  }
  return `${folder.slice(1)}/${vocabulary.file}.bin`
}

/** Returns an encoded set of vectors with four numbers each. */
function someVectors(): Buffer {
  const set = new VectorSet()
  for (const text of ['a', 'b', 'c']) set.add(text, Int8Array.of(1, 2, 3, 4))
  return set.print()
}

const asText = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

export const TARGETS: readonly Target[] = [
  {
    name: 'search root',
    share: 20,
    make: ({ files }, chance) => {
      const bytes = files.get(ROOT) ?? Buffer.of()
      const changed = mutateCompressed(bytes, bytes, { chance, mutate: mutateJson })
      return async () => {
        const text = asText(
          await inflateFile(changed, inflatedSizeMax(changed.length, INDEX_LIMITS.rootBytesMax)),
        )
        return parseSearchRoot(text, { pagesMax: 100 })
      }
    },
  },
  {
    name: 'shard',
    share: 20,
    make: (site, chance) => {
      const { bytes, other } = pickFile(site, INDEX_FILE, chance)
      const changed = mutateCompressed(bytes, other, { chance, mutate: mutateBytes })
      return async () => {
        const sizeMax = inflatedSizeMax(changed.length, INDEX_LIMITS.fileBytesMax)
        const plain = await inflateFile(changed, sizeMax)
        checkTerms(plain)
        const { terms, postings } = decodeShard(plain)
        for (let term = 0; term < Math.min(terms.length, 100); term += 1) postings(term)
      }
    },
  },
  {
    name: 'vocabulary',
    share: 10,
    make: (site, chance) => {
      const bytes = site.files.get(vocabularyPath(site)) ?? Buffer.of()
      const changed = mutateCompressed(bytes, bytes, { chance, mutate: mutateBytes })
      const sizeMax = inflatedSizeMax(changed.length, INDEX_LIMITS.fileBytesMax)
      return async () => {
        const plain = await inflateFile(changed, sizeMax)
        checkTerms(plain)
        return decodeVocabulary(plain)
      }
    },
  },
  {
    name: 'sections',
    share: 15,
    make: (site, chance) => {
      const { bytes, other } = pickFile(site, SECTIONS_FILE, chance)
      const changed = mutateJson(bytes, other, chance)
      return () => parseSections(asText(changed), new LibraryMeter())
    },
  },
  {
    name: 'Markdown',
    share: 5,
    make: (site, chance) => {
      const { path, bytes, other } = pickFile(site, MARKDOWN_FILE, chance)
      const changed = mutateBytes(bytes, other, chance)
      const parts = chance.pick(['2', '99999', '9'.repeat(300)])
      const claim = `\n\n<!-- continues: part 2 of ${parts} -->\n\nMore.\n`
      const file = chance.below(2) === 0 ? changed : Buffer.concat([changed, Buffer.from(claim)])
      const read = async () => ({ access: 'default' as const, bytes: file })
      return () => readMarkdown({ read }, READER, path.replace(/\.md$/, ''))
    },
  },
  {
    name: 'manifest root',
    share: 5,
    make: ({ rootText }, chance) => {
      const changed = mutateJson(Buffer.from(rootText), Buffer.from(rootText), chance)
      return () => parseManifestRoot(asText(changed))
    },
  },
  {
    name: 'manifest run',
    share: 5,
    make: ({ root, runTexts }, chance) => {
      const index = chance.below(runTexts.length)
      const text = Buffer.from(runTexts[index] ?? '')
      const changed = mutateJson(text, text, chance)
      return () => parseManifestRun(asText(changed), root, index)
    },
  },
  {
    name: 'assistant settings',
    share: 5,
    make: ({ files }, chance) => {
      const bytes = files.get(ASSISTANT_FILE_PATH) ?? Buffer.from('{}')
      const changed = mutateJson(bytes, bytes, chance)
      return () => parseSettings(asText(changed))
    },
  },
  {
    name: 'vectors',
    share: 5,
    make: (_, chance) => {
      const changed = mutateBytes(someVectors(), someVectors(), chance)
      return () => VectorSet.parse(changed)
    },
  },
  { name: 'whole library', share: 10, make: makeChangedLibrary },
]

/** Changes one file of the deployment, then runs every query that readers and agents can run. */
function makeChangedLibrary(site: FuzzSite, chance: Chance): () => Promise<void> {
  const pattern = chance.pick([ROOT_FILE, INDEX_FILE, SECTIONS_FILE, MARKDOWN_FILE])
  const { path: changedPath, bytes, other } = pickFile(site, pattern, chance)
  const mutate = changedPath === ROOT ? mutateJson : mutateBytes
  const changed = changedPath.endsWith('.bin')
    ? mutateCompressed(bytes, other, { chance, mutate })
    : mutateJsonOrBytes(changedPath, bytes, other, chance)
  const files = {
    root: site.root,
    read: async ({ path }: { readonly path: string }) => {
      const entry = site.entries.get(path)
      if (entry === undefined) return undefined
      const own = path === changedPath ? changed : (site.files.get(path) ?? Buffer.of())
      return { access: entry.access, bytes: own }
    },
  }
  return async () => {
    const library = await openLibrary(files, { reader: READER, inflate: inflateFile })
    const { pages } = await library.pages({ limit: 10 })
    await library.search(QUESTION, 20)
    await library.findMatches(QUESTION)
    await library.grep('water', { limit: 5 })
    await library.findPage('/watre')
    await library.findOperation('GET /x')
    for (const { url } of pages.slice(0, 3)) await library.read(`${url}#hose`)
  }
}

function mutateJsonOrBytes(path: string, bytes: Buffer, other: Buffer, chance: Chance): Buffer {
  return path.endsWith('.json')
    ? mutateJson(bytes, other, chance)
    : mutateBytes(bytes, other, chance)
}

export function chooseTarget(chance: Chance): Target {
  const all = TARGETS.flatMap((target) => new Array<Target>(target.share).fill(target))
  return chance.pick(all)
}

/**
 * Reads a file, which must succeed or fail with the error for an unreadable file. Other errors are
 * rethrown.
 */
export async function readFile(read: () => unknown): Promise<'read' | 'refused'> {
  try {
    await read()
    return 'read'
  } catch (error) {
    if (error instanceof UnreadableIndex) return 'refused'
    throw error
  }
}
