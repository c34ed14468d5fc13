/**
 * Remembers what a build knows of each page, so that the next build can replace a page's text
 * without loading the site. The file has one line for the site and one per page; after an edit,
 * only the lines of the edited pages are parsed. Losing it only costs time.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Access, ManifestFacts } from '@octavo/model'
import type { CompilerSettings } from '../compile/page-compiler.ts'
import type { Instructions } from '../output/page-outputs.ts'
import type { SearchPlace } from '../output/search/search-place.ts'

export type RecordedSite = {
  readonly settings: CompilerSettings
  readonly siteName: string
  /** The origin of the site, such as `https://example.com`. */
  readonly origin: string | undefined
  /** The value of `markdown.instructions` in docs.json. */
  readonly instructions: Instructions | undefined
  readonly manifest: ManifestFacts
  readonly fullText: {
    readonly access: Access
    /** The paths of the pages, with the URL of each page whose URL is not its path. */
    readonly pages: readonly (string | readonly [path: string, url: string])[]
  }
}

/** A page whose text can be replaced. */
export type RecordedPage = {
  readonly path: string
  readonly title: string
  /** The path and the alias. */
  readonly paths: readonly string[]
  /** A hash of the frontmatter and of the imports. */
  readonly head: string
  /** The title, labels and description at the start of the page's Markdown. */
  readonly markdownHead: string
  /** Undefined if search does not find the page. */
  readonly search: SearchPlace | undefined
}

export function saveEditRecord(file: string, text: string): void {
  writeFileSync(`${file}.${process.pid}`, text)
  renameSync(`${file}.${process.pid}`, file)
}

export type EditRecord = {
  readonly site: RecordedSite
  readonly page: (file: string) => RecordedPage | undefined
}

export function readEditRecord(file: string): EditRecord | undefined {
  try {
    const text = readFileSync(file, 'utf8')
    return {
      site: JSON.parse(text.slice(0, text.indexOf('\n'))) as RecordedSite,
      page(path) {
        const start = `\n${lineStart(path)}`
        const at = text.indexOf(start)
        if (at < 0) return undefined
        const from = at + start.length
        return JSON.parse(text.slice(from, text.indexOf('\n', from))) as RecordedPage
      },
    }
  } catch {
    return undefined
  }
}

/** Returns the start of a page's line. */
export function lineStart(file: string): string {
  return `${JSON.stringify(file)} `
}
