/** All frontmatter fields that Octavo uses. */

import { PLAYGROUND_MODES } from '../config/api.ts'
import { contextual } from '../config/chrome.ts'
import { icon, iconStyle, link } from '../config/values.ts'
import type { Place } from '../diagnostics/diagnostic.ts'
import {
  amount,
  anything,
  byType,
  flag,
  listOf,
  mapOf,
  oneOf,
  reported,
  text,
  unsupported,
  withoutEffect,
} from '../schema/schema.ts'
import { optional, type ShapeValue, shape } from '../schema/shape.ts'

const excludesWarning = (name: string) => ({
  message: `Octavo can allow groups but not exclude them, so a rule with ${name} does not grant access to any reader.`,
  hint: 'List the groups that may read the page instead.',
})

const accessRule = shape({
  includes: optional(listOf(text(), { min: 1 }), 'Groups that may read the page; `*` for all.'),
  excludes: optional(
    unsupported(listOf(text()), excludesWarning),
    'Groups that may not read the page, even if `includes` lists them.',
  ),
})

const notShown = (name: string) => ({
  message: `Octavo does not support ${name} yet, so it is not shown.`,
  hint: 'You can keep the key. Until Octavo supports it, write the content on the page itself.',
})

const readByGroups = (name: string) => ({
  message: `The host applies ${name}: an Octavo service does this, but a web server with static files does not.`,
  hint: 'Nothing to do on an Octavo service. Elsewhere, anyone who can reach the site can read this page.',
})

export const FRONTMATTER_FIELDS = {
  title: optional(text(), 'Title of the page; from the file name by default.'),
  sidebarTitle: optional(text(), 'Label in the navigation.'),
  description: optional(text(), 'Shown below the title, and used by search engines and agents.'),
  icon: optional(icon, 'Icon in the navigation.'),
  iconType: optional(iconStyle, 'Old form of `icon.style`.'),
  tag: optional(text(), 'Badge in the navigation.'),
  mode: optional(
    oneOf(['default', 'wide', 'custom', 'frame', 'center', 'assistant']),
    'Which parts of the layout the page has.',
  ),
  url: optional(link, 'URL that the navigation entry links to instead.'),
  hidden: optional(flag, 'Hide the page from the navigation and from search engines.'),
  noindex: optional(flag, 'Exclude the page from search, sitemap and search engines.'),
  searchable: optional(flag, 'Include the page in site search and the assistant.'),
  assistant: optional(flag, 'Show the assistant on this page; `true` by default.'),
  boost: optional(amount, 'Weight in search.'),
  keywords: optional(listOf(text()), 'More search keywords.'),
  deprecated: optional(flag, 'Show a “Deprecated” label.'),
  hideFooterPagination: optional(flag, 'No links to the previous and the next page.'),
  hideApiMarker: optional(flag, 'No method badge in the navigation.'),
  related: optional(
    withoutEffect(
      byType(flag, listOf(byType(text(), mapOf(text())))),
      'pages list no related pages',
    ),
    'Related pages, or `false` for none.',
  ),
  contextual: optional(
    byType(contextual, flag),
    'Menu of this page instead of the global one; `false` for none.',
  ),
  groups: optional(
    reported(listOf(byType(text(), accessRule)), 'value/set-by-host', readByGroups),
    'Who may read the page.',
  ),
  public: optional(flag, 'Can be read without signing in.'),
  timestamp: optional(flag, 'Show when the page was last modified.'),
  lastUpdatedDate: optional(
    text(),
    'When the page was last modified; overrides the date from Git.',
  ),
  createdDate: optional(text(), 'When the page was created, for search engines.'),
  authors: optional(anything, 'Author of the page, for search engines.'),
  version: optional(text(), 'Version that the page describes, shown as a label next to the title.'),
  rss: optional(flag, 'Offer an RSS feed of its updates.'),
  openapi: optional(
    text(),
    '`[<specification>] METHOD /path`, or `<specification> webhook <name>`.',
  ),
  'openapi-schema': optional(text(), '`[<specification>] <SchemaName>`.'),
  asyncapi: optional(unsupported(text(), notShown), '`<document> <channel>`.'),
  graphql: optional(unsupported(anything, notShown), 'Generated GraphQL page.'),
  sdk: optional(unsupported(anything, notShown), 'Generated SDK page.'),
  api: optional(text(), '`METHOD path-or-URL` of an API page written by hand.'),
  authMethod: optional(text(), 'Credential of an API page written by hand.'),
  auth: optional(text(), 'Credential of an API page written by hand.'),
  contentType: optional(text(), 'Media type of an API page written by hand.'),
  playground: optional(oneOf(PLAYGROUND_MODES), 'Playground of this page.'),
  canonical: optional(text(), 'URL that search engines should index instead.'),
  robots: optional(text(), 'Robots meta tag.'),
}

type FrontmatterFields = ShapeValue<typeof FRONTMATTER_FIELDS>

export type Frontmatter = {
  readonly fields: FrontmatterFields
  /** All other keys, without changes: meta tags such as `og:title`, and the author's own data. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** The place of the field `openapi` or `openapi-schema`. */
  readonly openapiPlace?: Place
}

export const EMPTY_FRONTMATTER: Frontmatter = { fields: {}, metadata: {} }
