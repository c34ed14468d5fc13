/** What search engines and agents see. */
import { byType, flag, listOf, mapOf, oneOf, text, withoutEffect } from '../schema/schema.ts'
import { optional, required, shape } from '../schema/shape.ts'

const metatags = mapOf(text())

const scoped = shape({
  path: required(text({ expected: 'a folder path' }), 'Folder the tags belong to.'),
  metatags: required(metatags, 'Tags of the pages in that folder.'),
})

const scopedTags = listOf(scoped, {
  uniqueBy: (item) => (item.type === 'object' ? item.members.get('path')?.value : undefined),
})

export const seo = shape(
  {
    metatags: optional(metatags, 'Meta tags of every page.'),
    paths: optional(scopedTags, 'Meta tags of the pages in a folder; the longest path wins.'),
    organization: optional(
      shape({
        id: optional(text(), 'Identifier (an address).'),
        name: optional(text(), 'Name.'),
        legalName: optional(text(), 'Registered name.'),
        url: optional(text(), 'Home page.'),
        logo: optional(text(), 'Logo.'),
        sameAs: optional(listOf(text()), 'Profiles elsewhere.'),
      }),
      'Who publishes the site, for structured data.',
    ),
    indexing: optional(oneOf(['navigable', 'all']), 'Which pages search engines may index.'),
    trailingSlash: optional(flag, 'Add a trailing slash to URLs.'),
  },
  { legacy: { indexHiddenPages: 'Use `seo.indexing` with the value `all`.' } },
)

export const markdown = shape({
  schema: optional(
    withoutEffect(flag, 'it is a file of its own'),
    'Put the specification into the Markdown of API pages.',
  ),
  instructions: optional(
    byType(text(), listOf(text())),
    'Text for agents at the end of the Markdown of each page.',
  ),
})
