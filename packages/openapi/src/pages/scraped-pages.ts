/** Generates one MDX file per operation, for authors who want to add content to the pages. */
import { distinctNames, pageUrl, pathOfHref, printOperation } from '@octavo/model'
import type { Json } from '../document/spec-document.ts'
import { isHidden } from '../operations/extensions.ts'
import { listedMethod, listOperations } from '../operations/list-operations.ts'
import { operationListings } from '../operations/operation-listings.ts'
import type { Specification } from '../specification.ts'
import { OperationPages } from './operation-page.ts'

export type ScrapedPage = {
  /** The path below the output folder without its extension, such as `plants/list-plants`. */
  readonly path: string
  readonly text: string
  /** The label of the page's group; undefined if its operation has no tag. */
  readonly group: string | undefined
}

export type Scraped = {
  readonly pages: readonly ScrapedPage[]
  /** Operations that are marked `x-hidden` and get no page. */
  readonly hidden: readonly string[]
  /** Pages whose URL differs from `x-svc.href`, because that is outside of the output folder. */
  readonly moved: readonly { readonly name: string; readonly from: string; readonly to: string }[]
}

export type ScrapeInput = {
  /** The path, within the documentation, of the specification to which the pages refer. */
  readonly source: string
  /** The output folder, relative to the root of the documentation; empty for the root itself. */
  readonly folder: string
}

export function scrapePages(
  specification: Specification,
  { source, folder }: ScrapeInput,
): Scraped {
  const reader = new OperationPages(specification, { pillFields: [] })
  const operations = new Map(
    listOperations(specification).map((operation) => {
      const { path } = operation
      return [printOperation({ method: listedMethod(operation), path }), operation]
    }),
  )
  const distinct = distinctNames(() => false)
  const pages: ScrapedPage[] = []
  const hidden: string[] = []
  const moved: Scraped['moved'][number][] = []
  const below = folder === '' ? '' : `${folder}/`
  for (const listing of operationListings(specification)) {
    const name = printOperation({ method: listing.method, path: listing.path })
    const operation = operations.get(name)
    if (operation === undefined) continue
    if (isHidden(specification.document, operation.node)) {
      hidden.push(name)
      continue
    }
    const wanted = pathOfHref(listing)
    const path = distinct(wanted?.startsWith(below) ? wanted.slice(below.length) : listing.slug)
    if (wanted !== undefined && wanted !== `${below}${path}`) {
      moved.push({ name, from: pageUrl(wanted), to: pageUrl(`${below}${path}`) })
    }
    const { title, deprecated, metadata, content } = reader.page(operation)
    const fields: Record<string, Json> = {
      title,
      openapi: `${source} ${name}`,
      ...(deprecated ? { deprecated } : {}),
      ...(isRecord(metadata) ? metadata : {}),
    }
    pages.push({ path, text: printPage(fields, content), group: listing.group })
  }
  return { pages, hidden, moved }
}

/** Prints frontmatter and content. Values are printed as JSON, which is also valid YAML. */
function printPage(fields: Readonly<Record<string, Json>>, content: string | undefined): string {
  const lines = Object.entries(fields).map(
    ([key, value]) => `${printKey(key)}: ${printJson(value)}`,
  )
  return `---\n${lines.join('\n')}\n---\n${content === undefined ? '' : `\n${content.trimEnd()}\n`}`
}

function printKey(key: string): string {
  return /^[a-z][\w-]*$/i.test(key) ? key : printJson(key)
}

function printJson(value: Json): string {
  return JSON.stringify(value)
}

function isRecord(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type NavigationEntry = string | { readonly group: string; readonly pages: readonly string[] }

/** Returns entries for `navigation`, with pages of the same tag in a group. */
export function scrapedNavigation(
  pages: readonly ScrapedPage[],
  folder: string,
): readonly NavigationEntry[] {
  const at = (page: ScrapedPage) => (folder === '' ? page.path : `${folder}/${page.path}`)
  const groups = Map.groupBy(pages, ({ group }) => group)
  return [...groups].flatMap(([group, members]): readonly NavigationEntry[] =>
    group === undefined ? members.map(at) : [{ group, pages: members.map(at) }],
  )
}
