/**
 * Parses the sections files of a build. They are untrusted, because a deployment may contain
 * anything.
 */
import { PAGES_PER_FOLDER } from '../format/index-format.ts'
import { UnreadableIndex } from '../format/unreadable-index.ts'
import { LIBRARY_LIMITS, type LibraryMeter } from './library-meter.ts'
import type { LibraryPage, LibrarySection } from './site-library.ts'

/** A page with its sections, in reading order. */
export type PageSections = {
  readonly page: LibraryPage
  readonly sections: readonly LibrarySection[]
}

/** Returns the pages of one file in build order; a malformed page has no sections. */
export function parseSections(text: string, meter: LibraryMeter): readonly PageSections[] {
  if (text.length > LIBRARY_LIMITS.sectionsFileBytesMax)
    throw new UnreadableIndex('A sections file is too large.')
  const pages = list(parseJson(text))
  if (pages.length > PAGES_PER_FOLDER)
    throw new UnreadableIndex('A sections file has too many pages.')
  return pages.map((page) => readPage(page, meter))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UnreadableIndex('A sections file is not valid JSON.')
  }
}

function readPage(value: unknown, meter: LibraryMeter): PageSections {
  const written = record(value)
  const page: LibraryPage = {
    path: name(written.path),
    url: name(written.url),
    title: name(written.title),
    description: name(written.description),
    trail: names(written.trail),
    ...(typeof written.operation === 'string' && { operation: name(written.operation) }),
  }
  const { path, url, title, description, trail, operation = '' } = page
  meter.hold([path, url, title, description, operation, ...trail])
  const sections = list(written.sections).map((one): LibrarySection => {
    const { id, headings, text } = record(one)
    const section = { page, id: name(id), headings: names(headings), text: sectionText(text) }
    meter.hold([section.id, section.text, ...section.headings])
    return section
  })
  return { page, sections }
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function names(value: unknown): readonly string[] {
  return list(value).slice(0, LIBRARY_LIMITS.trailMax).map(name)
}

function name(value: unknown): string {
  return text(value, LIBRARY_LIMITS.nameLengthMax)
}

function sectionText(value: unknown): string {
  return text(value, LIBRARY_LIMITS.sectionLengthMax)
}

function text(value: unknown, lengthMax: number): string {
  if (typeof value !== 'string') return ''
  return value.length > lengthMax ? value.slice(0, lengthMax).toWellFormed() : value
}
