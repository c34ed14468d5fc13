/** Converts one page of GitBook to MDX. */
import { markdownToMdx, replaceForeign } from '@octavo/content'
import type { FindIcon } from '../page/icons.ts'
import { mapProse } from '../page/map-prose.ts'
import { isOutside, splitAddress } from '../site/addresses.ts'
import type { ForeignPage } from '../site/foreign-site.ts'
import { lineOf, type MigrationReport, type Place } from '../site/report.ts'
import type { Values } from '../site/values.ts'
import { convertBlocks, titleSteps } from './convert-blocks.ts'
import { convertMarkup } from './convert-markup.ts'
import { createHeadingIds } from './heading-anchors.ts'
import { coverOf, frontmatterOf } from './page-fields.ts'
import { isSpecification, PageOperations } from './page-operations.ts'
import type { PageSource } from './page-source.ts'
import { type Includes, placeIncludes } from './place-includes.ts'
import type { SiteAddresses } from './site-addresses.ts'

export type PageContext = {
  readonly report: MigrationReport
  readonly hasIcon: FindIcon
  readonly addresses: SiteAddresses
  readonly includes: Includes
  /** Values that pages show, by their name. */
  readonly variables: Values
  /** The title and the label of the page in the list of pages. */
  readonly listed: (file: string) => { readonly title: string; readonly label?: string } | undefined
  readonly titleOf: (source: PageSource) => string
  /** Returns true if a file of the old site has this path. */
  readonly hasPage: (path: string) => boolean
}

/** What the conversion of a part of a page needs. */
export type PartContext = PageContext & {
  readonly source: PageSource
  readonly placeOf: (written: string) => Place
  /** Returns the new address, and reports what leads to nothing. */
  readonly address: (url: string) => string
}

/** Returns the page, and the pages of API operations below it. */
export function convertPage(
  source: PageSource,
  context: PageContext,
): readonly [ForeignPage, ...ForeignPage[]] {
  const { path, file } = source
  const part = partContext(source, context)
  const operations = new PageOperations(part)
  const text = placeIncludes(source.body, part)
  const prepared = titleSteps(
    mapProse(text, (prose) => convertMarkup(convertBlocks(prose, part, operations), part)),
  )
  const mdx = convertBody(prepared, part)
  const cover = coverOf(source, part)
  const body = [cover, mdx.text].filter((one) => one.trim() !== '').join('\n\n')
  const fields = frontmatterOf(source, { ...context, heading: mdx.title?.text ?? source.heading })
  const frontmatter = { ...fields, openapi: operations.own }
  return [{ source: file, path, frontmatter, body }, ...operations.pages]
}

function partContext(source: PageSource, context: PageContext): PartContext {
  const placeOf = (written: string) => ({
    file: source.file,
    line: lineOf(source.written, written),
  })
  const reported = { ...context, source, placeOf }
  return { ...reported, address: (url) => newAddress(url, reported) ?? url }
}

function convertBody(text: string, context: PartContext) {
  const { report, placeOf, variables } = context
  const foreign = replaceForeign(text)
  for (const [kind, number] of foreign.replaced) report.convert(kind, number)
  for (const { message, offset } of foreign.left)
    report.leave(message, placeOf(foreign.text.slice(offset, offset + 60)))
  return markdownToMdx(foreign.text, {
    address: ({ url }) => newAddress(url, context),
    headingId: createHeadingIds(context.source.anchors),
    isVariable: (name) => Object.hasOwn(variables, name),
    drop: (written) => report.leave('This markup was removed.', placeOf(written)),
  })
}

function newAddress(url: string, context: Omit<PartContext, 'address'>): string | undefined {
  const { source, addresses, report, placeOf } = context
  if (isOutside(url)) return undefined
  const { path, query, fragment } = splitAddress(url)
  const page = addresses.page(source.file, path)
  if (page !== undefined) {
    const target = addresses.ofPage(page, fragment)
    if (!target.isFound)
      report.approximate(`\`${url}\` names a heading that the page does not have.`, placeOf(url))
    return page === source && target.url.includes('#')
      ? target.url.replace(/^[^#]*/, '')
      : target.url
  }
  const isData = isSpecification(path, context)
  const asset = path === '' ? undefined : addresses.asset(source.file, path, isData)
  if (asset !== undefined) {
    if (/\.txt$/.test(asset) && !/\.txt$/.test(path))
      report.approximate(
        `\`${url}\` is published as text, since Octavo does not serve such files.`,
        placeOf(url),
      )
    return asset
  }
  report.leave(`\`${url}\` leads to nothing in the old site.`, placeOf(url))
  return query === '' ? undefined : url
}
