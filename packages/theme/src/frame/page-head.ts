/** What stands in `<head>`: for browsers, search engines, and those who link to the page. */
import type { Config } from '@octavo/model'
import { escapeHtml, type Html, html, markup } from '../html.ts'
import { isSafeAddress } from '../safe-address.ts'
import type { FrameInput, PageView } from './frame-input.ts'
import { siteHref } from './nav-link.ts'

/** The part that all pages share: it is rendered once. */
export function renderSiteHead({ config, assets }: FrameInput): Html {
  const { primary, light } = config.colors
  return html`${favicons(config)}<meta name="theme-color" content="${primary}" media="(prefers-color-scheme: light)"><meta name="theme-color" content="${light ?? primary}" media="(prefers-color-scheme: dark)">${assets.scripts.map((url) => html`<script type="module" src="${url}"></script>`)}`
}

function favicons({ favicon }: Config): Html | undefined {
  if (favicon === undefined) return undefined
  if (typeof favicon === 'string') return html`<link rel="icon" href="${siteHref(favicon)}">`
  return html`<link rel="icon" href="${siteHref(favicon.light)}" media="(prefers-color-scheme: light)"><link rel="icon" href="${siteHref(favicon.dark)}" media="(prefers-color-scheme: dark)">`
}

/** The part of one page. */
export function renderPageHead(view: PageView, site: FrameInput): Html {
  const { config } = site
  const { fields } = view.frontmatter
  const description = view.description ?? config.description
  const title = view.title === config.name ? view.title : `${view.title} - ${config.name}`
  const canonical = canonicalUrl(view, site.siteUrl)
  const robots = fields.robots ?? (fields.noindex || fields.hidden ? 'noindex' : undefined)
  const tags = metaTags(view, config)
  const given = new Set(tags.map(([name]) => name))
  const openGraph: [string, string | undefined][] = [
    ['og:title', view.title],
    ['og:description', description],
    ['og:type', 'website'],
    ['og:site_name', config.name],
    ['og:url', canonical],
  ]
  const markdown =
    view.markdownUrl && html`<link rel="alternate" type="text/markdown" href="${view.markdownUrl}">`
  return html`<title>${title}</title>${description && html`<meta name="description" content="${description}">`}${canonical && html`<link rel="canonical" href="${canonical}">`}${robots && html`<meta name="robots" content="${robots}">`}${fields.keywords && html`<meta name="keywords" content="${fields.keywords.join(', ')}">`}${markdown}${openGraph.map(([name, value]) => value !== undefined && !given.has(name) && metaTag(name, value))}${tags.map(([name, value]) => metaTag(name, value))}`
}

function canonicalUrl(view: PageView, siteUrl: string | undefined): string | undefined {
  const written = view.frontmatter.fields.canonical
  if (written !== undefined) return isSafeAddress(written) ? written : undefined
  return siteUrl === undefined ? undefined : siteUrl.replace(/\/$/, '') + view.url
}

/** Meta tags of the site, then of the longest folder that holds the page, then of the page. */
function metaTags(view: PageView, config: Config): readonly (readonly [string, string])[] {
  const { metadata } = view.frontmatter
  const tags = new Map<string, string>(Object.entries(config.seo?.metatags ?? {}))
  const folder = config.seo?.paths
    ?.filter(({ path }) => isInFolder(view.path, path))
    .toSorted((a, b) => b.path.length - a.path.length)[0]
  for (const [name, value] of Object.entries(folder?.metatags ?? {})) tags.set(name, value)
  for (const [name, value] of Object.entries(metadata)) {
    // Other keys are data of the author's own.
    if (!name.includes(':')) continue
    if (typeof value === 'string' || typeof value === 'number') tags.set(name, String(value))
  }
  return [...tags]
}

function isInFolder(page: string, written: string): boolean {
  const folder = written.replaceAll(/^\/+|\/+$|\/?\*+$/g, '')
  return folder === '' || page === folder || page.startsWith(`${folder}/`)
}

const PROPERTY = /^(?:og|article|book|profile|music|video|fb):/

function metaTag(name: string, value: string): Html | undefined {
  if (!/^[\w:.-]+$/.test(name)) return undefined
  const key = PROPERTY.test(name) ? 'property' : 'name'
  return markup(`<meta ${key}="${name}" content="${escapeHtml(value)}">`)
}
