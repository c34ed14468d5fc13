/**
 * A test site with a page for every access label. Each page contains words that are on no other
 * page.
 */
import type { AccessLabel } from '@octavo/model'
import type { Files } from './temporary-site.ts'

/** Random letters, so that the words cannot occur by chance in other pages, indexes or archives. */
const WORDS = [
  'vozkuqmixtad',
  'huqybrenolpf',
  'jexwatosgyub',
  'qidmuxpelvra',
  'zytkocwanbeh',
  'fuxrimdaqlop',
  'kewbystoxnig',
  'oxgadwuprezt',
  'ibqumzlefohk',
  'wyrpoxnadcij',
  'tuvqezhimsab',
  'narwykjodufx',
  'pyzobexfikug',
  'luqwadtygres',
  'cimxohvepuzb',
  'rygfutnaqwod',
  'mehzixpluboc',
  'dowyqakrinuf',
  'guzpexalmtiy',
  'bexoqurwydah',
  'sifnuvkoqzem',
  'xadgoplyhuci',
  'ytwuqoberzin',
  'evqikzampoxd',
  'ugxyfodwenla',
  'hocwiqtazymu',
  'jipxuvagodre',
  'quzetlonybif',
  'zaxmohwegcyk',
  'fyrduqinopxe',
  'wuxakbozedip',
  'keqytgawlomu',
  'oznixfupadeh',
  'ivwadqyrocut',
  'tyqopxemuzag',
  'nuxzirbokway',
  'pegyqudofvix',
  'laxwuzitobeq',
  'cydoxkeruqan',
  'ramqofixyzuw',
  'mowubtyxelaq',
  'dixqanzugopy',
] as const

/** Words that occur on only one page. */
type Canaries = {
  readonly title: string
  readonly heading: string
  readonly text: string
  readonly description: string
  readonly slug: string
}

type LabelledPage = Canaries & {
  readonly label: AccessLabel
  readonly path: string
  readonly isListed: boolean
  readonly frontmatter: string
}

type PageOptions = {
  readonly number: number
  readonly label: AccessLabel
  readonly frontmatter: string
  readonly folder?: string
  readonly path?: string
  readonly isListed?: boolean
}

function page(options: PageOptions): LabelledPage {
  const { number, label, frontmatter, folder = '', isListed = true } = options
  const [slug = '', title = '', heading = '', text = '', description = ''] = WORDS.slice(number * 5)
  const { path = `${folder}${slug}` } = options
  const words = { slug, title, heading, text, description }
  return { ...words, path, label, frontmatter, isListed }
}

const PUBLIC = page({ number: 0, label: 'public', frontmatter: 'public: true' })
const DEFAULT = page({ number: 1, folder: 'guides/', label: 'default', frontmatter: '' })
const OF_A = page({ number: 2, folder: 'guides/', label: ['a'], frontmatter: 'groups: [a]' })
const OF_B = page({ number: 3, folder: 'guides/', label: ['b'], frontmatter: 'groups: [b]' })
const OF_BOTH = page({
  number: 4,
  folder: 'guides/',
  label: ['a', 'b'],
  frontmatter: 'groups: [b, a]',
})
const UNLISTED = page({
  number: 5,
  folder: 'guides/',
  label: ['a'],
  frontmatter: 'groups: [a]',
  isListed: false,
})
const ROOT = page({ number: 6, folder: 'team/', label: ['a'], frontmatter: 'groups: [a]' })
/** The German version of a page. */
const GERMAN = page({
  number: 7,
  path: `de/${OF_A.path}`,
  label: ['a'],
  frontmatter: 'groups: [a]',
})

export const LABELLED_PAGES = [PUBLIC, DEFAULT, OF_A, OF_B, OF_BOTH, UNLISTED, ROOT, GERMAN]

/** An operation that is restricted to groups, with a schema that only this operation uses. */
export const OPERATION = {
  label: ['a'],
  title: 'kobzuvexartq',
  text: 'wiqdoxumpeza',
  slug: 'naxqivutoker',
  schema: 'Zuqpexolamit',
  field: 'hywozqebrudi',
} as const

function print(
  { title, description, heading, text, frontmatter }: LabelledPage,
  more = '',
): string {
  const head = [`title: ${title}`, `description: ${description}`, frontmatter].filter(Boolean)
  return `---\n${head.join('\n')}\n---\n\nAbout ${text}.\n\n## The ${heading}\n\nMore of ${text}.\n${more}`
}

const SPECIFICATION = `openapi: 3.1.0
info: { title: Plants, version: "1" }
servers: [{ url: https://api.example.com }]
paths:
  /plants:
    get:
      summary: List plants
      responses:
        "200":
          description: Plants.
          content: { application/json: { schema: { $ref: "#/components/schemas/Plant" } } }
    post:
      summary: ${OPERATION.title}
      description: It is ${OPERATION.text}.
      x-svc: { href: /api/${OPERATION.slug}, metadata: { groups: [a] } }
      requestBody:
        content: { application/json: { schema: { $ref: "#/components/schemas/${OPERATION.schema}" } } }
      responses: { "201": { description: Done. } }
    head:
      summary: Count plants
      x-svc: { metadata: { public: true } }
      responses: { "200": { description: A number. } }
components:
  schemas:
    Plant:
      type: object
      properties: { name: { type: string }, parent: { $ref: "#/components/schemas/Plant" } }
    ${OPERATION.schema}:
      type: object
      properties: { ${OPERATION.field}: { type: string }, plant: { $ref: "#/components/schemas/Plant" } }
`

const COUNTER = `import { useState } from 'react'
export const Counter = () => { const [n, set] = useState(0); return <button onClick={() => set(n + 1)}>{n} ${OF_A.text}</button> }
`

export const LABELLED_SITE: Files = {
  'docs.json': JSON.stringify({
    name: 'Greenhouse',
    colors: { primary: '#0f766e' },
    logo: '/images/logo.svg',
    styling: { eyebrows: 'breadcrumbs' },
    contextual: { options: ['copy', 'download-spec'] },
    navbar: { links: [{ label: OF_B.title, href: `/${OF_B.path}` }] },
    footer: { links: [{ items: [{ label: OF_A.title, href: `/${OF_A.path}` }] }] },
    redirects: [{ source: `/old-${OF_A.slug}`, destination: `/${OF_A.path}` }],
    navigation: {
      global: { anchors: [{ anchor: OF_BOTH.title, href: `/${OF_BOTH.path}` }] },
      languages: [
        {
          language: 'en',
          tabs: [
            {
              tab: 'Guides',
              groups: [
                {
                  group: 'Start',
                  pages: [PUBLIC.path, OF_A.path, DEFAULT.path, OF_B.path, OF_BOTH.path],
                },
                {
                  group: 'Team',
                  root: ROOT.path,
                  directory: 'card',
                  pages: [{ group: 'Inside', pages: [OF_B.path] }, DEFAULT.path],
                },
              ],
            },
            { tab: 'Team A', directory: 'accordion', pages: [ROOT.path] },
            { tab: 'API', openapi: 'api/plants.yaml' },
          ],
        },
        { language: 'de', pages: ['de/index', GERMAN.path] },
      ],
    },
  }),
  [`${PUBLIC.path}.mdx`]: print(PUBLIC),
  [`${DEFAULT.path}.mdx`]: print(DEFAULT, '\n![Shared](/images/shared.svg)\n'),
  [`${OF_A.path}.mdx`]: print(
    OF_A,
    '\nimport { Counter } from "/snippets/counter.jsx"\n\n<Counter />\n\n![Shared](/images/shared.svg) ![Own](/images/own.svg) [File](/files/own.pdf)\n\n<Update label="First">Text.</Update>\n',
  ),
  [`${OF_B.path}.mdx`]: print(OF_B),
  [`${OF_BOTH.path}.mdx`]: print(OF_BOTH, '\n![Own](/images/own.svg) ![Logo](/images/logo.svg)\n'),
  [`${UNLISTED.path}.mdx`]: print(UNLISTED),
  [`${ROOT.path}.mdx`]: print(ROOT),
  [`${GERMAN.path}.mdx`]: print(GERMAN),
  'de/index.mdx': '---\ntitle: Anfang\n---\n\nText.\n',
  'api/plants.yaml': SPECIFICATION,
  'snippets/counter.jsx': COUNTER,
  'images/logo.svg': svg('logo'),
  'images/shared.svg': svg('shared'),
  'images/own.svg': svg('own'),
  'images/unused.svg': svg('unused'),
  'files/own.pdf': `%PDF ${OF_A.text}`,
}

function svg(text: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><text>${text}</text></svg>`
}
