/**
 * Puts the attacks as plain text everywhere that a site shows an author's text: titles,
 * descriptions, keywords and headings of pages (and therefore the sidebar and search results), and
 * every text field of a specification.
 */
import type { Attack } from '../../../packages/builder/testing/attack-pages.ts'
import type { Files } from '../../../packages/builder/testing/temporary-site.ts'

/** The maximum length of an attack. The attacks on pages already test longer ones. */
const TEXT_LENGTH_MAX = 300
/** A word in every title, so that a search for it finds all pages. */
export const SEARCHED_WORD = 'zephyr'

export function textSinkSite(attacks: readonly Attack[]): Files {
  const texts = attacks
    .map(({ source }) => source.replaceAll(/\s+/g, ' '))
    .filter((text) => text.length <= TEXT_LENGTH_MAX)
  const pages = texts.map((_, index) => `text-${index}`)
  return {
    ...Object.fromEntries(texts.map((text, index) => [`text-${index}.mdx`, printPage(text)])),
    'index.mdx': '---\ntitle: Start\n---\n\nStart.\n',
    'openapi.json': JSON.stringify(specificationOf(texts)),
    'docs.json': JSON.stringify({
      name: 'Texts',
      navigation: {
        groups: [
          { group: 'Pages', pages: ['index', ...pages] },
          { group: 'API', openapi: 'openapi.json' },
        ],
      },
    }),
  }
}

function printPage(text: string): string {
  const quoted = JSON.stringify(`${SEARCHED_WORD} ${text}`)
  const fence = '`'.repeat(20)
  return `---\ntitle: ${quoted}\ndescription: ${quoted}\nsidebarTitle: ${quoted}\nkeywords: [${quoted}]\n---\n\n${fence}text\n${text}\n${fence}\n`
}

function specificationOf(texts: readonly string[]): object {
  const paths = texts.map((text, index) => {
    const schema = {
      type: 'object',
      title: text,
      description: text,
      properties: { [text]: { type: 'string', description: text, default: text, enum: [text] } },
    }
    const operation = {
      summary: text,
      description: text,
      tags: [text],
      parameters: [
        {
          name: `q${index}`,
          in: 'query',
          description: text,
          schema: { type: 'string' },
          example: text,
        },
      ],
      requestBody: { description: text, content: { 'application/json': { schema } } },
      responses: { 200: { description: text, content: { 'application/json': { schema } } } },
    }
    return [`/texts/${index}`, { post: operation }] as const
  })
  return {
    openapi: '3.1.0',
    info: { title: 'Texts', version: '1' },
    servers: [{ url: 'https://api.example.com' }],
    paths: Object.fromEntries(paths),
  }
}
