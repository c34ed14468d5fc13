/**
 * A site with pages for the public, for all readers with access, and for two groups. Each page
 * contains unique words.
 */
import { type AccessLabel, parseManifestRoot, parseManifestRun } from '@octavo/model'
import type { TestSite } from './test-deployment.ts'

/** Words that occur on only one page each: in its title, heading, text, description and address. */
export const CANARIES = {
  open: ['vozkuqmixtad', 'huqybrenolpf', 'jexwatosgyub', 'qidmuxpelvra', 'zytkocwanbeh'],
  default: ['fuxrimdaqlop', 'kewbystoxnig', 'oxgadwuprezt', 'ibqumzlefohk', 'wyrpoxnadcij'],
  staff: ['tuvqezhimsab', 'narwykjodufx', 'pyzobexfikug', 'luqwadtygres', 'cimxohvepuzb'],
  partners: ['rygfutnaqwod', 'mehzixpluboc', 'dowyqakrinuf', 'guzpexalmtiy', 'bexoqurwydah'],
  both: ['sifnuvkoqzem', 'xadgoplyhuci', 'ytwuqoberzin', 'evqikzampoxd', 'ugxyfodwenla'],
  news: ['hocwiqtazymu', 'jipxuvagodre', 'quzetlonybif', 'zaxmohwegcyk', 'fyrduqinopxe'],
  operation: ['wuxakbozedip', 'keqytgawlomu', 'oznixfupadeh', 'ivwadqyrocut', 'tyqopxemuzag'],
  image: ['nuxzirbokway'],
} as const
export type CanaryPage = keyof typeof CANARIES

export const LABELS: Readonly<Record<CanaryPage, AccessLabel>> = {
  open: 'public',
  default: 'default',
  staff: ['staff'],
  partners: ['partners'],
  both: ['partners', 'staff'],
  news: ['staff'],
  operation: ['staff'],
  image: ['staff'],
}

function pageOf(name: CanaryPage, frontmatter: string, more = ''): string {
  const [title, heading, text, description] = CANARIES[name]
  return `---\ntitle: ${title}\ndescription: ${description}\n${frontmatter}\n---\n\nAll about ${text}.\n\n## The ${heading}\n\nHow to set up ${text}: press the ${text} button.\n${more}`
}

export const pathOf = (name: Exclude<CanaryPage, 'image'>) => `/guides/${CANARIES[name][4]}`

const [title, heading, text, description, slug] = CANARIES.operation
const svg = (words: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><text>${words}</text></svg>`

export const PRIVATE_FILES = {
  'octavo-questions.jsonl': JSON.stringify({
    question: `What is ${CANARIES.staff[0]}?`,
    page: pathOf('staff'),
    spans: [CANARIES.staff[2]],
  }),
  'docs.json': JSON.stringify({
    name: 'Greenhouse',
    contextual: { options: ['copy', 'view', 'download-spec'] },
    redirects: [{ source: '/old', destination: pathOf('staff') }],
    navbar: { links: [{ label: CANARIES.partners[0], href: pathOf('partners') }] },
    navigation: {
      tabs: [
        {
          tab: 'Guides',
          groups: [
            { group: 'Open', public: true, pages: ['index', pathOf('open').slice(1)] },
            {
              group: 'Inside',
              pages: (['default', 'staff', 'partners', 'both', 'news'] as const).map((name) =>
                pathOf(name).slice(1),
              ),
            },
          ],
        },
        { tab: 'API', openapi: 'plants.yaml' },
      ],
    },
  }),
  'index.mdx': '---\ntitle: Welcome\n---\n\nHello.\n',
  [`${pathOf('open').slice(1)}.mdx`]: pageOf('open', ''),
  [`${pathOf('default').slice(1)}.mdx`]: pageOf('default', '', '\n![Shared](/images/shared.svg)\n'),
  [`${pathOf('staff').slice(1)}.mdx`]: pageOf(
    'staff',
    'groups: [staff]',
    '\n![Own](/images/own.svg)\n',
  ),
  [`${pathOf('partners').slice(1)}.mdx`]: pageOf('partners', 'groups: [partners]'),
  [`${pathOf('both').slice(1)}.mdx`]: pageOf('both', 'groups: [staff, partners]'),
  [`${pathOf('news').slice(1)}.mdx`]: pageOf(
    'news',
    'groups: [staff]\nrss: true',
    `\n<Update label="July">More of ${CANARIES.news[2]}.</Update>\n`,
  ),
  'images/shared.svg': svg('shared'),
  'images/own.svg': svg(CANARIES.image[0]),
  'plants.yaml': `openapi: 3.1.0
info: { title: Plants, version: "1" }
servers: [{ url: https://api.example.com }]
paths:
  /plants:
    get:
      summary: List plants
      x-svc: { metadata: { public: true, playground: auth } }
      responses: { "200": { description: Plants. } }
    put:
      summary: Replace plants
      responses: { "200": { description: Plants. } }
    post:
      summary: ${title}
      description: It is ${text}.
      x-svc: { href: /guides/${slug}, metadata: { groups: [staff] } }
      requestBody:
        content: { application/json: { schema: { $ref: "#/components/schemas/${heading}" } } }
      responses: { "201": { description: Done. } }
components:
  schemas:
    ${heading}:
      type: object
      properties: { ${description}: { type: string } }
`,
}

/** Returns the manifest of a site, parsed as a host does it. */
export function manifestOf({ root: text, blobs }: TestSite) {
  const parsed = parseManifestRoot(text)
  if (parsed.kind === 'malformed') throw new Error(parsed.reason)
  const { root } = parsed
  const entries = root.runs.flatMap(({ sha256 }, index) => {
    const run = parseManifestRun(blobs.get(sha256)?.toString() ?? '', root, index)
    if (run.kind === 'malformed') throw new Error(run.reason)
    return run.entries
  })
  return { root, entries }
}
