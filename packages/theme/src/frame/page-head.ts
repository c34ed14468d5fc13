/**
 * The `<head>` for browsers, search engines and link previews. Absolute URLs are omitted if the
 * site's URL is unknown: a wrong URL is worse than no URL.
 */
import { type Config, HOST_SCRIPT_PATH, isSearchablePage, stripCodeMarks } from '@octavo/model'
import { escapeHtml, type Html, html, markup } from '../markup/html.ts'
import { isSafeAddress } from '../markup/safe-address.ts'
import type { AccessMarks } from './access-marks.ts'
import { renderFavicons } from './favicons.ts'
import type { FrameInput, PageView } from './frame-input.ts'
import { HEAD_SCRIPT } from './head-script.ts'
import { LanguageLinks } from './language-links.ts'
import { metaTags } from './meta-tags.ts'
import { absoluteUrl, canonicalBase, publicBase } from './site-addresses.ts'
import { printStructuredData, structuredData } from './structured-data.ts'

/** Renders the part of the head that all pages share. */
export function renderSiteHead({ config, assets, favicon }: FrameInput): Html {
  const { primary, light } = config.colors
  // The script comes before the stylesheets, because an inline script waits for those above it.
  const fixed = config.appearance?.strict === true ? markup(' data-fixed') : undefined
  const script = html`<script${fixed}>${markup(HEAD_SCRIPT)}</script>`
  return html`${script}${renderFavicons(config, favicon)}<meta name="theme-color" content="${primary}" media="(prefers-color-scheme: light)"><meta name="theme-color" content="${light ?? primary}" media="(prefers-color-scheme: dark)">${assets.scripts.map((url) => html`<script type="module" src="${url}"></script>`)}<script type="module" src="/${HOST_SCRIPT_PATH}" async></script>`
}

/** Renders the part of the head that differs per page. */
export class PageHead {
  readonly #site: FrameInput
  readonly #marks: AccessMarks
  readonly #languages: LanguageLinks
  /** The site's canonical URL; undefined if unknown. */
  readonly #base: string | undefined
  readonly #imageBase: string | undefined

  constructor(site: FrameInput, marks: AccessMarks) {
    this.#site = site
    this.#marks = marks
    this.#languages = new LanguageLinks(marks)
    this.#base = canonicalBase(site)
    this.#imageBase = publicBase(site)
  }

  render(written: PageView): string {
    const { config, policy } = this.#site
    const view = { ...written, title: stripCodeMarks(written.title) }
    const { fields } = view.frontmatter
    const tags = metaTags(view, config)
    const about = view.description ?? config.description
    const description = about === undefined ? undefined : stripCodeMarks(about)
    const title = view.title === config.name ? view.title : `${view.title} - ${config.name}`
    const canonical = this.#canonical(view)
    const robots = robotsOf(view, config, tags.get('robots'))
    tags.delete('robots')
    const secure = view.policy ?? policy
    return html`${secure && html`<meta http-equiv="Content-Security-Policy" content="${secure}">`}<title>${title}</title>${description && html`<meta name="description" content="${description}">`}${canonical && html`<link rel="canonical" href="${canonical}">`}${robots && html`<meta name="robots" content="${robots}">`}${fields.keywords && html`<meta name="keywords" content="${fields.keywords.join(', ')}">`}${fields.assistant === false ? html`<meta name="octavo:assistant" content="off">` : undefined}${alternates(view)}${this.#preview(view, tags, { description, canonical })}${isNoindex(robots) ? undefined : this.#forEngines(view, { description, canonical })}`.toString()
  }

  #canonical({ frontmatter, url }: PageView): string | undefined {
    const written = frontmatter.fields.canonical
    if (written === undefined) return this.#whole(url)
    return isSafeAddress(written) ? (this.#wholeIfPath(written) ?? written) : undefined
  }

  #whole(path: string): string | undefined {
    const { trailingSlash } = this.#site.config.seo ?? {}
    return this.#base && absoluteUrl(this.#base, path, { trailingSlash: trailingSlash === true })
  }

  #wholeIfPath(address: string): string | undefined {
    return address.startsWith('/') && !address.startsWith('//') ? this.#whole(address) : undefined
  }

  /** Returns tags for link previews: the author's tags, then our defaults for missing ones. */
  #preview(
    view: PageView,
    tags: Map<string, string>,
    known: { readonly description: string | undefined; readonly canonical: string | undefined },
  ): readonly (Html | undefined)[] {
    const { config } = this.#site
    this.#addImage(view, tags)
    const ours: readonly (readonly [string, string | undefined])[] = [
      ['og:title', view.title],
      ['og:description', known.description],
      ['og:type', 'website'],
      ['og:site_name', config.name],
      ['og:url', known.canonical],
      ['twitter:card', tags.has('og:image') ? 'summary_large_image' : 'summary'],
    ]
    for (const [name, value] of ours) {
      if (value !== undefined && !tags.has(name)) tags.set(name, value)
    }
    return [...tags].map(([name, value]) => metaTag(name, value))
  }

  /**
   * Adds the preview image, unless the author sets one. The author's URL becomes absolute, because
   * crawlers need absolute URLs.
   */
  #addImage({ image, title }: PageView, tags: Map<string, string>): void {
    const base = this.#imageBase
    for (const name of ['og:image', 'twitter:image']) {
      const written = tags.get(name)
      if (written === undefined || /^https?:/i.test(written)) continue
      if (base === undefined || !isSafeAddress(written)) tags.delete(name)
      else tags.set(name, absoluteUrl(base, `/${written.replace(/^\.?\/+/, '')}`))
    }
    if (image === undefined || base === undefined || tags.has('og:image')) return
    tags.set('og:image', absoluteUrl(base, image.url))
    tags.set('og:image:width', String(image.width))
    tags.set('og:image:height', String(image.height))
    tags.set('og:image:alt', title)
  }

  #forEngines(
    view: PageView,
    known: { readonly description: string | undefined; readonly canonical: string | undefined },
  ): Html | undefined {
    const base = this.#base
    // If another page is canonical, data about this page would contradict it.
    if (base === undefined || view.frontmatter.fields.canonical !== undefined) return undefined
    const whole = (path: string) => this.#whole(path) ?? path
    const data = structuredData({
      ...known,
      base,
      view,
      site: this.#site,
      marks: this.#marks,
      whole,
    })
    return html`${this.#languages.render(view, whole)}${printStructuredData(data)}`
  }
}

function alternates({ markdownUrl, feedUrl, title }: PageView): Html {
  return html`${markdownUrl && html`<link rel="alternate" type="text/markdown" href="${markdownUrl}">`}${feedUrl && html`<link rel="alternate" type="application/rss+xml" title="${title}" href="${feedUrl}">`}`
}

/**
 * Returns the value of the robots tag: the page's own value, else `noindex` for noindex or hidden
 * pages, else the site's value.
 */
function robotsOf(
  view: PageView,
  { seo }: Config,
  general: string | undefined,
): string | undefined {
  const { robots, noindex, hidden } = view.frontmatter.fields
  if (robots !== undefined) return robots
  const isHidden = hidden === true || (view.entry !== undefined && !isSearchablePage(view.entry))
  return noindex || (isHidden && seo?.indexing !== 'all') ? 'noindex' : general
}

function isNoindex(robots: string | undefined): boolean {
  return robots !== undefined && /\b(?:noindex|none)\b/i.test(robots)
}

const PROPERTY = /^(?:og|article|book|profile|music|video|fb):/

function metaTag(name: string, value: string): Html | undefined {
  if (!/^[\w:.-]+$/.test(name)) return undefined
  const key = PROPERTY.test(name) ? 'property' : 'name'
  return markup(`<meta ${key}="${name}" content="${escapeHtml(value)}">`)
}
