/** The files of each page: its HTML, and its Markdown for readers that are programs. */
import type { Frame } from '@octavo/theme'
import type { CompiledPage } from '../compile-page.ts'
import { hashBytes } from '../hash-bytes.ts'
import type { OutputFolder } from '../output-folder.ts'
import type { PlannedPage } from '../plan-pages.ts'
import { markdownUrl } from './llms.ts'
import type { Origins } from './origins.ts'
import type { PageCards } from './page-cards.ts'
import { rssXml } from './rss.ts'

export type PageOutputsInput = {
  readonly output: OutputFolder
  readonly frame: Frame
  /** Changes when anything does that all pages show: configuration, navigation, theme. */
  readonly frameKey: string
  /** Where the site will be, if that is known. */
  readonly base: string | undefined
  readonly cards: PageCards
  /** The policy of a page that loads from these other hosts. */
  readonly policyFor: (origins: Origins) => string
}

export class PageOutputs {
  readonly #input: PageOutputsInput
  /** What each page was made of, for outputs that are made of many. */
  readonly keys = new Map<string, string>()

  constructor(input: PageOutputsInput) {
    this.#input = input
  }

  /** True when the page is there already, made of the same parts. */
  keep(page: PlannedPage, parts: readonly string[]): boolean {
    const key = this.#keyOf(page, parts)
    const { output } = this.#input
    if (!output.keep(htmlPath(page.path), key)) return false
    if (!output.keep(markdownPath(page.path), key)) return false
    if (page.alias !== undefined && !output.keep(htmlPath(page.alias), key)) return false
    this.#input.cards.put(page)
    // Only a changelog has one.
    output.keep(`${page.path}/rss.xml`, key)
    this.keys.set(page.path, key)
    return true
  }

  write(page: PlannedPage, parts: readonly string[], compiled: CompiledPage): void {
    const key = this.#keyOf(page, parts)
    const { output, frame, policyFor, cards } = this.#input
    const image = cards.put(page)
    const { path, url, title, description, entry, frontmatter } = page
    const html = frame.renderPage({
      ...{ path, url, title, entry, frontmatter },
      ...(description === undefined ? {} : { description }),
      ...{ content: compiled.html, headings: compiled.headings, markdownUrl: markdownUrl(url) },
      ...(image && { image }),
      ...(compiled.updates && { feedUrl: encodeURI(`/${path}/rss.xml`) }),
      ...(compiled.origins && { policy: policyFor(compiled.origins) }),
      ...(compiled.styles === undefined ? {} : { styleParts: compiled.styles }),
      directory: frame.renderDirectory(entry),
    })
    output.write(htmlPath(path), key, html)
    if (page.alias !== undefined) output.write(htmlPath(page.alias), key, html)
    output.write(markdownPath(path), key, printPage(page, compiled))
    if (compiled.updates !== undefined) {
      const { base } = this.#input
      output.write(`${path}/rss.xml`, key, rssXml(page, compiled.updates, base))
    }
    this.keys.set(path, key)
  }

  #keyOf(page: PlannedPage, parts: readonly string[]): string {
    const { path, title, description, frontmatter } = page
    const facts = [
      this.#input.frameKey,
      path,
      title,
      description,
      frontmatter.fields,
      frontmatter.metadata,
      // It shows what other pages say of themselves.
      this.#input.frame.renderDirectory(page.entry),
      ...parts,
    ]
    return hashBytes(JSON.stringify(facts))
  }
}

/** `guides/start` is `guides/start/index.html`, so that any host serves it at `/guides/start`. */
export function htmlPath(path: string): string {
  return path === 'index' ? 'index.html' : `${path}/index.html`
}

export function markdownPath(path: string): string {
  return `${path}.md`
}

function printPage({ title, description }: PlannedPage, { markdown }: CompiledPage): string {
  const head =
    description === undefined
      ? `# ${title}`
      : `# ${title}\n\n> ${description.replaceAll(/\s+/g, ' ').trim()}`
  return markdown.trim() === '' ? `${head}\n` : `${head}\n\n${markdown}`
}
