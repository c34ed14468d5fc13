/** Settings for search engines and agents. */
import { byType, flag, listOf, mapOf, oneOf, text, withoutEffect } from '../schema/schema.ts'
import { optional, required, shape } from '../schema/shape.ts'

const metatags = mapOf(text())

const scoped = shape({
  path: required(text({ expected: 'a folder path' }), 'Folder that the tags apply to.'),
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
        id: optional(text(), 'Identifier (a URL).'),
        name: optional(text(), 'Name.'),
        legalName: optional(text(), 'Registered name.'),
        url: optional(text(), 'Home page.'),
        logo: optional(text(), 'Logo.'),
        sameAs: optional(listOf(text()), 'Profiles on other sites.'),
      }),
      'Who publishes the site, for structured data.',
    ),
    indexing: optional(oneOf(['navigable', 'all']), 'Which pages search engines may index.'),
    trailingSlash: optional(flag, 'Add a trailing slash to URLs.'),
    contentSignals: optional(
      shape({
        search: optional(flag, 'Show the pages in search results.'),
        aiInput: optional(flag, 'Use the pages in answers of AI tools.'),
        aiTrain: optional(flag, 'Train AI models with the pages.'),
      }),
      'What robots.txt says about how the pages may be used; nothing by default.',
    ),
  },
  { legacy: { indexHiddenPages: 'Use `seo.indexing` with the value `all`.' } },
)

export const markdown = shape({
  schema: optional(
    withoutEffect(flag, 'the specification is a separate file'),
    'Include the specification in the Markdown of API pages.',
  ),
  instructions: optional(
    byType(text(), listOf(text())),
    'Text for agents at the end of the Markdown of each page.',
  ),
})
