/** Structured data of a page for search engines (schema.org). */
import { breadcrumbs, grantsAccess, homePage, languageTag } from '@octavo/model'
import { type Html, MARK_CHARACTERS, markup } from '../markup/html.ts'
import type { AccessMarks } from './access-marks.ts'
import { divisionsAround, type FrameInput, type PageView } from './frame-input.ts'

export type StructuredDataInput = {
  readonly base: string
  readonly view: PageView
  readonly site: FrameInput
  readonly marks: AccessMarks
  readonly description: string | undefined
  readonly canonical: string | undefined
  readonly whole: (path: string) => string
}

type Thing = Readonly<Record<string, unknown>>

export function structuredData(input: StructuredDataInput): readonly Thing[] {
  const { view, site } = input
  const isHome = view.url === '/' || view.url === homePage(site.navigation)?.url
  return isHome ? [webSite(input), organization(input)] : [article(input), trail(input)].flat()
}

function webSite({ base, site: { config } }: StructuredDataInput): Thing {
  return {
    '@type': 'WebSite',
    '@id': `${base}/#website`,
    url: `${base}/`,
    name: config.name,
    ...(config.description === undefined ? {} : { description: config.description }),
    publisher: { '@id': organizationId({ base, config }) },
  }
}

function organization({ base, site: { config }, whole }: StructuredDataInput): Thing {
  const { id: _, logo, name, ...written } = config.seo?.organization ?? {}
  return {
    '@type': 'Organization',
    '@id': organizationId({ base, config }),
    url: `${base}/`,
    name: name ?? config.name,
    ...written,
    ...(logo === undefined
      ? {}
      : { logo: /^https?:/i.test(logo) ? logo : whole(`/${logo.replace(/^\/+/, '')}`) }),
  }
}

function organizationId({ base, config }: { base: string; config: FrameInput['config'] }): string {
  return config.seo?.organization?.id ?? `${base}/#organization`
}

function article(input: StructuredDataInput): Thing {
  const { base, view, description, canonical } = input
  const { createdDate, authors } = view.frontmatter.fields
  const names = authorNames(authors)
  const language = view.entry && languageOf(view.entry)
  return {
    '@type': view.entry?.operation === undefined ? 'TechArticle' : 'APIReference',
    headline: view.title,
    ...(description === undefined ? {} : { description }),
    ...(canonical === undefined ? {} : { url: canonical }),
    ...(language === undefined ? {} : { inLanguage: language }),
    ...(createdDate === undefined ? {} : { datePublished: createdDate }),
    ...(view.lastModified === undefined ? {} : { dateModified: view.lastModified }),
    ...(names.length === 0 ? {} : { author: names.map((name) => ({ '@type': 'Person', name })) }),
    isPartOf: { '@id': `${base}/#website` },
  }
}

/** Returns the names in a string, an object with a name, or a list of these. */
function authorNames(written: unknown): readonly string[] {
  return [written].flat().flatMap((one: unknown) => {
    const name = typeof one === 'object' && one !== null && 'name' in one ? one.name : one
    return typeof name === 'string' && name !== '' ? [name] : []
  })
}

function languageOf(entry: NonNullable<PageView['entry']>): string | undefined {
  const division = divisionsAround(entry.section).find(({ kind }) => kind === 'language')
  return division && languageTag(division.language ?? division.label)
}

/** Returns the breadcrumbs of a page. A breadcrumb without a page has no URL and is omitted. */
function trail({ view, marks, whole, canonical }: StructuredDataInput): readonly Thing[] {
  if (view.entry === undefined) return []
  const label = view.access ?? 'default'
  const steps = breadcrumbs(view.entry).filter(
    (step): step is { readonly label: string; readonly url: string } =>
      step.url?.startsWith('/') === true &&
      step.url !== view.url &&
      // Structured data is the same for every reader, so it only contains what all readers of the
      // page may see.
      grantsAccess(label, marks.ofHref(step.url)),
  )
  // If several breadcrumbs in a row lead to the same page, the last one is used.
  const distinct = steps.filter(({ url }, index) => steps[index + 1]?.url !== url)
  if (distinct.length === 0) return []
  const items = [
    ...distinct.map(({ label, url }) => ({ name: label, item: whole(url) })),
    { name: view.title, item: canonical },
  ]
  const itemListElement = items.map((item, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    ...item,
  }))
  return [{ '@type': 'BreadcrumbList', itemListElement }]
}

const UNSAFE = new RegExp(`[<${MARK_CHARACTERS.join('')}]`, 'g')

/**
 * Prints structured data as JSON-LD, which browsers do not run. An escaped `<` cannot end the
 * element.
 */
export function printStructuredData(things: readonly Thing[]): Html {
  const [first, ...others] = things
  const data = others.length === 0 ? first : { '@graph': things }
  const json = JSON.stringify({ '@context': 'https://schema.org', ...data })
  return markup(
    `<script type="application/ld+json">${json.replaceAll(UNSAFE, (sign) => (sign === '<' ? '\\u003c' : ''))}</script>`,
  )
}
