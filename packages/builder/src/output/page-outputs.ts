/** Writes the files of each page: its HTML, and its Markdown for programs. */

import type { Config } from '@octavo/model'
import { markdownPartPath, printMarkdownFiles } from '@octavo/search'
import type { BasePath, Frame, LabeledHtml } from '@octavo/theme'
import type { CompiledPage } from '../compile/compile-page.ts'
import type { Origins } from '../compile/origins.ts'
import type { FeedbackLinks } from '../plan/feedback-links.ts'
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
  /**
   * Returns a key that changes with everything that is on all pages: configuration, navigation and
   * theme.
   */
  readonly frameKey: () => string
  /** The site's URL, if known. */
  readonly base: string | undefined
  readonly basePath: BasePath
  readonly cards: PageCards
  readonly withoutHtml: boolean
  /** Returns the date of the page's last change, if it is shown. */
  readonly modifiedOf: (page: PlannedPage) => string | undefined
  /** Returns the links for editing the page and reporting problems, if they are enabled. */
  readonly feedbackOf: (page: PlannedPage) => FeedbackLinks
  /** Returns the content security policy of a page that loads from the given hosts. */
  readonly policyFor: (origins: Origins) => string
}

export class PageOutputs {
  readonly #input: PageOutputsInput
  /** The key of each page, from which the keys of outputs with many pages are computed. */
  readonly keys = new Map<string, string>()
  /** For each page, a key that covers only the page's own content. */
  readonly contents = new Map<string, string>()

  constructor(input: PageOutputsInput) {
    this.#input = input
  }

  /** Returns true if the page's files exist and have the same key. */
  keep(page: PlannedPage, parts: readonly string[]): boolean {
    const key = this.#keyOf(page, parts)
    const facts = { key, access: page.access }
    const { output } = this.#input
    if (!pathsOf(page).every((path) => output.keep(markdownPath(path), facts))) return false
    // A long page has further files, which are removed when the page is written again.
    for (let part = 2; output.keep(markdownPartPath(page.path, part), facts); ) part += 1
    if (!this.#htmlPaths(page).every((path) => output.keep(path, facts))) return false
    this.#input.cards.put(page)
    // Only a changelog has a feed.
    output.keep(feedPath(page.path), facts)
    this.keys.set(page.path, key)
    return true
  }

  write(page: PlannedPage, parts: readonly string[], compiled: CompiledPage): void {
    const key = this.#keyOf(page, parts)
    const facts = { key, access: page.access }
    const { output, base, basePath } = this.#input
    const paths = this.#htmlPaths(page)
    if (paths.length > 0) {
      const { html, ranges } = this.#render(page, compiled)
      const labelled = ranges.length === 0 ? facts : { ...facts, ranges }
      for (const path of paths) output.write(path, html, labelled)
    }
    const [markdown = '', ...more] = this.#markdownFiles(page, compiled)
    for (const path of pathsOf(page)) output.write(markdownPath(path), markdown, facts)
    for (const [index, text] of more.entries())
      output.write(markdownPartPath(page.path, index + 2), text, facts)
    if (compiled.updates !== undefined) {
      const updates = compiled.updates.map((one) => ({ ...one, html: basePath.html(one.html) }))
      output.write(feedPath(page.path), rssXml(page, updates, base), facts)
    }
    this.keys.set(page.path, key)
  }

  /**
   * Returns one part of a page's Markdown, starting from 1; only long pages have several parts.
   * Returns undefined if the part does not exist.
   */
  printMarkdown(page: PlannedPage, compiled: CompiledPage, part: number): string | undefined {
    return this.#markdownFiles(page, compiled)[part - 1]
  }

  #markdownFiles(page: PlannedPage, compiled: CompiledPage): readonly string[] {
    const { basePath, frame } = this.#input
    const text = basePath.markdown(printPage(page, compiled, frame.config.markdown?.instructions))
    const { path, title } = page
    return printMarkdownFiles(text, {
      path,
      title,
      addressOf: (file) => basePath.whole(encodeURI(`/${file}`)),
    })
  }

  renderHtml(page: PlannedPage, compiled: CompiledPage): string {
    return this.#render(page, compiled).html
  }

  #render(page: PlannedPage, compiled: CompiledPage): LabeledHtml {
    const { frame, policyFor, cards, modifiedOf, feedbackOf } = this.#input
    const image = cards.put(page)
    const lastModified = modifiedOf(page)
    const { path, url, title, description, entry, access, frontmatter } = page
    return frame.renderLabeled({
      path,
      url,
      title,
      entry,
      access,
      frontmatter,
      inheritsVersion: page.inheritsVersion === true,
      ...(description === undefined ? {} : { description }),
      content: compiled.html,
      headings: compiled.headings,
      markdownUrl: markdownUrl(url),
      ...(image && { image }),
      ...(lastModified === undefined ? {} : { lastModified }),
      ...feedbackOf(page),
      ...(compiled.updates && { feedUrl: encodeURI(`/${feedPath(path)}`) }),
      ...(compiled.origins && { policy: policyFor(compiled.origins) }),
      ...(compiled.styles === undefined ? {} : { styleParts: compiled.styles }),
      ...(compiled.utilities === undefined ? {} : { utilities: compiled.utilities }),
      directory: frame.renderDirectory(entry),
    })
  }

  #htmlPaths(page: PlannedPage): readonly string[] {
    return this.#input.withoutHtml ? [] : pathsOf(page).map(htmlPath)
  }

  #keyOf(page: PlannedPage, parts: readonly string[]): string {
    const { path, url, title, description, access, frontmatter } = page
    this.contents.set(path, parts.join(' '))
    const facts = [
      this.#input.frameKey(),
      path,
      url,
      title,
      description,
      access,
      frontmatter.fields,
      frontmatter.metadata,
      this.#input.modifiedOf(page),
      this.#input.feedbackOf(page),
      // The directory contains titles and descriptions of other pages.
      this.#input.frame.renderDirectory(page.entry),
      ...parts,
    ]
    return hashBytes(JSON.stringify(facts))
  }
}

/**
 * Returns the paths of a page. `guides/index` keeps its own path for old links, but its URL is that
 * of the folder.
 */
export function pathsOf({ path, alias }: PlannedPage): readonly string[] {
  return alias === undefined ? [path] : [path, alias]
}

/** The type of `markdown.instructions` in docs.json: instructions for programs that read a page. */
export type Instructions = NonNullable<Config['markdown']>['instructions']

export function printPage(
  page: PlannedPage,
  { markdown }: CompiledPage,
  instructions?: Instructions,
): string {
  return printMarkdownPage({ head: printMarkdownHead(page), markdown, tail: instructions })
}

export type MarkdownPage = {
  /** The title, labels and description. */
  readonly head: string
  readonly markdown: string
  readonly tail: Instructions | undefined
}

export function printMarkdownPage({ head, markdown, tail = [] }: MarkdownPage): string {
  const lines = [tail].flat().filter((line) => line.trim() !== '')
  const blocks = [head, markdown.trimEnd(), ...(lines.length === 0 ? [] : ['---', ...lines])]
  return `${joinBlocks(blocks)}\n`
}

export function printMarkdownHead(page: PlannedPage): string {
  const { title, description, entry, frontmatter } = page
  const { fields, metadata } = frontmatter
  const isDeprecated = fields.deprecated === true || entry?.deprecated === true
  const labels = [
    ...(fields.version === undefined ? [] : [`Version ${fields.version}`]),
    ...(isDeprecated ? ['**Deprecated**'] : []),
  ]
  const about =
    description === undefined || metadata.hideDescription === true
      ? ''
      : `> ${description.replaceAll(/\s+/g, ' ').trim()}`
  return joinBlocks([`# ${title}`, labels.join(' · '), about])
}

function joinBlocks(blocks: readonly string[]): string {
  return blocks.filter((block) => block.trim() !== '').join('\n\n')
}
