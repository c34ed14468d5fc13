/** The files with the sections of pages, as a build wrote them. A deployment may hold anything. */
import type { LibraryPage, LibrarySection } from './site-library.ts'

/** A page with its sections, in reading order. */
export type PageSections = {
  readonly page: LibraryPage
  readonly sections: readonly LibrarySection[]
}

/** Characters in one file of sections. */
const SECTIONS_FILE_MAX = 64 * 1024 * 1024

/** Pages of one file, in the order of the build; those that are malformed have no sections. */
export function parseSections(text: string): readonly PageSections[] {
  if (text.length > SECTIONS_FILE_MAX) throw new Error('A file of sections is too large.')
  return list(JSON.parse(text)).map(readPage)
}

function readPage(value: unknown): PageSections {
  const written = record(value)
  const page: LibraryPage = {
    path: string(written.path),
    url: string(written.url),
    title: string(written.title),
    description: string(written.description),
    trail: list(written.trail).map(string),
    ...(typeof written.operation === 'string' && { operation: written.operation }),
  }
  const sections = list(written.sections).map((one): LibrarySection => {
    const { id, headings, text } = record(one)
    return { page, id: string(id), headings: list(headings).map(string), text: string(text) }
  })
  return { page, sections }
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function string(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
