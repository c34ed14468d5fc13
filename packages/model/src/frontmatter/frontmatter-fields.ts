/** Every field of a page's frontmatter that means something to Octavo. */

import { PLAYGROUND_MODES } from '../config/api.ts'
import { contextual } from '../config/chrome.ts'
import { icon, iconStyle, link } from '../config/values.ts'
import type { Place } from '../diagnostic.ts'
import {
  amount,
  anything,
  byType,
  flag,
  listOf,
  mapOf,
  oneOf,
  text,
  unsupported,
  withoutEffect,
} from '../schema/schema.ts'
import { optional, type ShapeValue, shape } from '../schema/shape.ts'

const nobodyReads = (name: string) => ({
  message: `Octavo lets readers in by their groups and shuts none out by them, so nobody gets in by a rule with ${name}.`,
  hint: 'Name the groups that may read the page instead.',
})

const accessRule = shape({
  includes: optional(listOf(text(), { min: 1 }), 'Groups that may read the page; `*` for all.'),
  excludes: optional(unsupported(listOf(text()), nobodyReads), 'Groups that may not; they win.'),
})

const notShown = (name: string) => ({
  message: `Octavo does not show anything of ${name} yet.`,
  hint: 'The key may stay; write on the page what readers need until then.',
})

const everybodyReads = (name: string) => ({
  message: `Octavo does not ask readers to sign in yet: everybody who reaches the site can read this page, whatever ${name} says.`,
  hint: 'Keep what is secret out of the pages. The key may stay.',
})

export const FRONTMATTER_FIELDS = {
  title: optional(text(), 'Title of the page; from the file name by default.'),
  sidebarTitle: optional(text(), 'Label in the navigation.'),
  description: optional(text(), 'Below the title, and for search engines and agents.'),
  icon: optional(icon, 'Icon in the navigation.'),
  iconType: optional(iconStyle, 'Old form of `icon.style`.'),
  tag: optional(text(), 'Badge in the navigation.'),
  mode: optional(
    oneOf(['default', 'wide', 'custom', 'frame', 'center', 'assistant']),
    'Which parts of the layout the page has.',
  ),
  url: optional(link, 'The navigation entry leads there instead.'),
  hidden: optional(flag, 'Not in the navigation, and not indexed.'),
  noindex: optional(flag, 'Not in search, sitemap and search engines.'),
  searchable: optional(flag, 'Found by the site search and the assistant.'),
  boost: optional(amount, 'Weight in the search.'),
  keywords: optional(listOf(text()), 'More words to find the page by.'),
  deprecated: optional(flag, 'Shows a label.'),
  hideFooterPagination: optional(flag, 'No links to the previous and the next page.'),
  hideApiMarker: optional(flag, 'No method badge in the navigation.'),
  related: optional(
    withoutEffect(byType(flag, listOf(byType(text(), mapOf(text())))), 'pages list none'),
    'Related pages, or `false` for none.',
  ),
  contextual: optional(
    byType(contextual, flag),
    'Menu of this page instead of the global one; `false` for none.',
  ),
  groups: optional(
    unsupported(listOf(byType(text(), accessRule)), everybodyReads),
    'Who may read the page.',
  ),
  public: optional(flag, 'Readable without signing in.'),
  timestamp: optional(flag, 'Show when the page was last changed.'),
  lastUpdatedDate: optional(text(), 'When it was last changed; beats the date from git.'),
  createdDate: optional(text(), 'When it was written, for search engines.'),
  authors: optional(anything, 'Who wrote it, for search engines.'),
  version: optional(text(), 'Version that the page describes; a label beside the title.'),
  rss: optional(flag, 'Offer an RSS feed of its updates.'),
  openapi: optional(
    text(),
    '`[<specification>] METHOD /path`, or `<specification> webhook <name>`.',
  ),
  'openapi-schema': optional(text(), '`[<specification>] <SchemaName>`.'),
  asyncapi: optional(unsupported(text(), notShown), '`<document> <channel>`.'),
  graphql: optional(unsupported(anything, notShown), 'Generated GraphQL page.'),
  sdk: optional(unsupported(anything, notShown), 'Generated SDK page.'),
  api: optional(text(), '`METHOD path-or-address` of an API page written by hand.'),
  authMethod: optional(text(), 'Credential of an API page written by hand.'),
  auth: optional(text(), 'Credential of an API page written by hand.'),
  contentType: optional(text(), 'Media type of an API page written by hand.'),
  playground: optional(oneOf(PLAYGROUND_MODES), 'Playground of this page.'),
  canonical: optional(text(), 'Address that search engines should index instead.'),
  robots: optional(text(), 'Robots meta tag.'),
}

type FrontmatterFields = ShapeValue<typeof FRONTMATTER_FIELDS>

export type Frontmatter = {
  readonly fields: FrontmatterFields
  /** Every other key, kept as it is: meta tags such as `og:title`, and data of the author's own. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** Where `openapi` or `openapi-schema` stands. */
  readonly openapiPlace?: Place
}

export const EMPTY_FRONTMATTER: Frontmatter = { fields: {}, metadata: {} }
