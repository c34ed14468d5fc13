/**
 * Writes the Markdown of all pages as one text and as an archive. After an edit, unchanged pages
 * are copied from the archive of the previous build, because reading thousands of small files would
 * take longer than everything else.
 */
import { crc32 } from 'node:zlib'
import type { Access } from '@octavo/model'
import { countMarkdownFiles, joinMarkdownFiles, markdownPartPath } from '@octavo/search'
import type { BasePath } from '@octavo/theme'
import type { PlannedPage } from '../plan/plan-pages.ts'
import { FULL_TEXT, MARKDOWN_ARCHIVE, markdownPath } from '../plan/site-paths.ts'
import { type StoredFile, ZipArchive } from '../plan/zip-files.ts'
import { hashBytes } from '../source/hash-bytes.ts'
import type { EarlierParts, PartNote, SiteOutput } from './site-output.ts'

export type FullTextInput = {
  readonly output: SiteOutput
  readonly basePath: BasePath
  /** Determines who may read the files. */
  readonly access: Access
}

export type FullTextPage = Pick<PlannedPage, 'path' | 'url'> & {
  /** A hash of everything that determines the page. */
  readonly key: string
}

/** The Markdown of a page as it is stored in the archive. */
type PageText = StoredFile & {
  /** The number of bytes of the text without the white space at its end. */
  readonly textSize: number
}

/** The maximum number of files in a ZIP archive. */
const ZIP_ENTRIES_MAX = 65_535
/** Keys are shortened, so that the build record stays small. */
const KEY_LENGTH = 32

/** `pages` are the pages that programs may list, in the order of the navigation. */
export function writeFullText(
  { output, basePath, access }: FullTextInput,
  pages: readonly FullTextPage[],
): void {
  const facts = { key: hashBytes(...pages.map((page) => shortKey(page.key))), access }
  const kept = [FULL_TEXT, MARKDOWN_ARCHIVE].map((path) => output.keep(path, facts))
  if (kept.every(Boolean)) return
  const before = new ArchivedTexts(output.openEarlier(MARKDOWN_ARCHIVE))
  const text = output.openParts(FULL_TEXT, facts)
  const files = output.openParts(MARKDOWN_ARCHIVE, facts)
  const archive = new ZipArchive()
  const notes: PartNote[] = []
  for (const [index, page] of pages.entries()) {
    const key = shortKey(page.key)
    const one = before.find(key) ?? readPage(output, page)
    if (index > 0) text.add('\n---\n\n')
    text.add(one.data.subarray(0, one.textSize))
    text.add(`\n\nSource: ${basePath.whole(page.url)}\n`)
    if (index >= ZIP_ENTRIES_MAX) continue
    for (const part of archive.add(markdownPath(page.path), one)) files.add(part)
    const { data, checksum, textSize } = one
    notes.push([key, archive.size - data.length, data.length, checksum, textSize])
  }
  files.add(archive.finish())
  text.close()
  files.close(notes)
  before.close()
}

/** Returns the pages of the last build with their keys, or undefined if they are not all known. */
export function earlierPages(
  output: Pick<SiteOutput, 'openEarlier'>,
  pages: readonly Pick<PlannedPage, 'path' | 'url'>[],
): readonly FullTextPage[] | undefined {
  const archive = output.openEarlier(MARKDOWN_ARCHIVE)
  archive?.close()
  if (archive?.notes.length !== pages.length) return undefined
  return pages.map((page, index) => ({ ...page, key: archive.notes[index]?.[0] ?? '' }))
}

function shortKey(key: string): string {
  return key.slice(0, KEY_LENGTH)
}

/** Reads the Markdown in the archive of the previous build, by the key of its page. */
class ArchivedTexts {
  readonly #archive: EarlierParts | undefined
  readonly #notes: ReadonlyMap<string, PartNote>

  constructor(archive: EarlierParts | undefined) {
    this.#archive = archive
    this.#notes = new Map(archive?.notes.map((note) => [note[0], note]))
  }

  find(key: string): PageText | undefined {
    const [, offset = 0, size = 0, checksum = 0, textSize = 0] = this.#notes.get(key) ?? []
    const data = size === 0 ? undefined : this.#archive?.read(offset, size)
    return data && { data, checksum, textSize }
  }

  close(): void {
    this.#archive?.close()
  }
}

function readPage(output: SiteOutput, page: FullTextPage): PageText {
  const markdown = readWhole(output, page)
  const data = Buffer.from(markdown)
  return { data, checksum: crc32(data), textSize: Buffer.byteLength(markdown.trimEnd()) }
}

/** Returns a page's Markdown without the text that is added to each of its files. */
function readWhole(output: SiteOutput, { path }: FullTextPage): string {
  const read = (file: string) => Buffer.from(output.readBytes(file)).toString('utf8')
  const first = read(markdownPath(path))
  const rest = Array.from({ length: countMarkdownFiles(first) - 1 }, (_, index) =>
    read(markdownPartPath(path, index + 2)),
  )
  return joinMarkdownFiles([first, ...rest])
}
