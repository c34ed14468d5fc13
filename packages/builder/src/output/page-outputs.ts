/** The files of each page: its HTML, and its Markdown for readers that are programs. */

import type { Frame, LabelledHtml } from '@octavo/theme'
import type { CompiledPage } from '../compile/compile-page.ts'
import type { Origins } from '../compile/origins.ts'
import type { PlannedPage } from '../plan/plan-pages.ts'
import { feedPath, htmlPath, markdownPath } from '../plan/site-paths.ts'
import { hashBytes } from '../source/hash-bytes.ts'
import { markdownUrl } from './llms.ts'
import type { PageCards } from './page-cards.ts'
import { rssXml } from './rss.ts'
import type { SiteOutput } from './site-output.ts'

export type PageOutputsInput = {
  readonly output: SiteOutput
  readonly frame: Frame
  /** Changes when anything does that all pages show: configuration, navigation, theme. */
  readonly frameKey: () => string
  /** Where the site will be, if that is known. */
  readonly base: string | undefined
  readonly cards: PageCards
  readonly withoutHtml: boolean
  /** The policy of a page that loads from these other hosts. */
  readonly policyFor: (origins: Origins) => string
}

export class PageOutputs {
  readonly #input: PageOutputsInput
  /** What each page was made of, for outputs that are made of many. */
  readonly keys = new Map<string, string>()
  /** What the content alone of each page was made of. */
  readonly contents = new Map<string, string>()

  constructor(input: PageOutputsInput) {
    this.#input = input
  }

  /** True when the page is there already, made of the same parts. */
  keep(page: PlannedPage, parts: readonly string[]): boolean {
    const key = this.#keyOf(page, parts)
    const facts = { key, access: page.access }
    const { output } = this.#input
    if (!output.keep(markdownPath(page.path), facts)) return false
    if (!this.#htmlPaths(page).every((path) => output.keep(path, facts))) return false
    this.#input.cards.put(page)
    // Only a changelog has one.
    output.keep(feedPath(page.path), facts)
    this.keys.set(page.path, key)
    return true
  }

  write(page: PlannedPage, parts: readonly string[], compiled: CompiledPage): void {
    const key = this.#keyOf(page, parts)
    const facts = { key, access: page.access }
    const { output, base } = this.#input
    const paths = this.#htmlPaths(page)
    if (paths.length > 0) {
      const { html, ranges } = this.#render(page, compiled)
      const labelled = ranges.length === 0 ? facts : { ...facts, ranges }
      for (const path of paths) output.write(path, html, labelled)
    }
    output.write(markdownPath(page.path), printPage(page, compiled), facts)
    if (compiled.updates !== undefined) {
      output.write(feedPath(page.path), rssXml(page, compiled.updates, base), facts)
    }
    this.keys.set(page.path, key)
  }

  renderHtml(page: PlannedPage, compiled: CompiledPage): string {
    return this.#render(page, compiled).html
  }

  #render(page: PlannedPage, compiled: CompiledPage): LabelledHtml {
    const { frame, policyFor, cards } = this.#input
    const image = cards.put(page)
    const { path, url, title, description, entry, access, frontmatter } = page
    return frame.renderLabelled({
      path,
      url,
      title,
      entry,
      access,
      frontmatter,
      ...(description === undefined ? {} : { description }),
      content: compiled.html,
      headings: compiled.headings,
      markdownUrl: markdownUrl(url),
      ...(image && { image }),
      ...(compiled.updates && { feedUrl: encodeURI(`/${feedPath(path)}`) }),
      ...(compiled.origins && { policy: policyFor(compiled.origins) }),
      ...(compiled.styles === undefined ? {} : { styleParts: compiled.styles }),
      ...(compiled.utilities === undefined ? {} : { utilities: compiled.utilities }),
      directory: frame.renderDirectory(entry),
    })
  }

  #htmlPaths({ path, alias }: PlannedPage): readonly string[] {
    if (this.#input.withoutHtml) return []
    return [path, ...(alias === undefined ? [] : [alias])].map(htmlPath)
  }

  #keyOf(page: PlannedPage, parts: readonly string[]): string {
    const { path, title, description, access, frontmatter } = page
    this.contents.set(path, parts.join(' '))
    const facts = [
      this.#input.frameKey(),
      path,
      title,
      description,
      access,
      frontmatter.fields,
      frontmatter.metadata,
      // It shows what other pages say of themselves.
      this.#input.frame.renderDirectory(page.entry),
      ...parts,
    ]
    return hashBytes(JSON.stringify(facts))
  }
}

export function printPage({ title, description }: PlannedPage, { markdown }: CompiledPage): string {
  const head =
    description === undefined
      ? `# ${title}`
      : `# ${title}\n\n> ${description.replaceAll(/\s+/g, ' ').trim()}`
  return markdown.trim() === '' ? `${head}\n` : `${head}\n\n${markdown}`
}
