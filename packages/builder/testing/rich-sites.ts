/** Three test sites that together use nearly all features of a build. */
import type { Files } from './temporary-site.ts'

const COUNT = 44

const PNG = 'not really a picture'
const SPECIFICATION = {
  openapi: '3.1.0',
  info: { title: 'Plants', version: '1' },
  tags: [{ name: 'Plants' }],
  paths: {
    '/plants': {
      get: {
        tags: ['Plants'],
        summary: 'List plants',
        description: 'All of **them**.',
        responses: { '200': { description: 'OK', content: { 'application/json': {} } } },
      },
    },
    '/plants/{id}': {
      delete: { tags: ['Plants'], summary: 'Remove a plant', responses: { '204': {} } },
    },
  },
}

function pages(write: (number: number) => string): Files {
  return Object.fromEntries(
    Array.from({ length: COUNT }, (_, index) => [`guides/page-${index}.mdx`, write(index)]),
  )
}

const LISTED = Array.from({ length: COUNT }, (_, index) => `guides/page-${index}`)

/** A site with snippets, values, variables and author components. */
export const SNIPPETS: Files = {
  'docs.json': JSON.stringify({
    name: 'Snippets',
    colors: { primary: '#0D9373' },
    variables: { product: 'Acme' },
    navigation: { groups: [{ group: 'Guides', pages: LISTED }] },
  }),
  ...pages(
    (number) => `---
title: Page ${number}
description: About ${number}.
---
import Note from '/snippets/note.mdx'
import { Box, LIST } from '/snippets/box.jsx'
import Late from '/snippets/late.mdx'

export const local = ${number}

# {{product}}

<Note number={local} />
<Box title="T${number}">**Bold** ${number}</Box>
{LIST.map((item) => <span key={item}>{item}</span>)}

\`\`\`ts page.ts
const value: number = ${number}
\`\`\`
`,
  ),
  'snippets/note.mdx':
    'import Inner from "./inner.mdx"\n\n<Note>Number {number} of {{product}} <Inner /></Note>\n',
  'snippets/inner.mdx': 'The inner text.\n',
  'snippets/box.jsx':
    'export const LIST = ["a", "b"]\nexport const Box = ({ title, children }) => <div className="box"><b>{title}</b>{children}</div>\n',
  'snippets/late.mdx': 'Late.\n',
}

/** A site with every common component, code in several languages, and problems. */
export const COMPONENTS: Files = {
  'docs.json': JSON.stringify({
    name: 'Components',
    navigation: {
      tabs: [
        {
          tab: 'One',
          icon: 'leaf',
          groups: [{ group: 'A', root: 'index', pages: LISTED.slice(0, 30) }],
        },
        { tab: 'Two', groups: [{ group: 'B', pages: LISTED.slice(30) }] },
      ],
    },
    navbar: { $ref: './navbar.json' },
  }),
  'navbar.json': JSON.stringify({ links: [{ label: 'Home', href: 'https://example.com' }] }),
  'index.mdx':
    '---\ntitle: Start\n---\n\n<CardGroup><Card title="A" href="/guides/page-1">x</Card></CardGroup>\n',
  'hidden.md': '---\ntitle: Hidden\nhidden: true\n---\nPlain {not} an <expression>.\n',
  ...pages(
    (number) => `---
title: "Component ${number}"
tag: ${number % 3 === 0 ? 'NEW' : 'OLD'}
---
<Tabs><Tab title="First">One ${number}</Tab><Tab title="Second">Two</Tab></Tabs>
<Steps><Step title="Go" icon="rocket">Went</Step></Steps>
<Accordion title="More" icon="${number === 9 ? 'rokcet' : 'fa-rocket'}">Inside [link](/guides/page-${(number + 1) % COUNT})</Accordion>
${number === 7 ? '\n<Unknwon>still shown</Unknwon>\n\n{window.location.href} <b onClick="x">b</b>\n' : ''}
| a | b |
| - | - |
| ${number} | \`x\` |

<CodeGroup>
\`\`\`python a.py
print(${number})
\`\`\`
\`\`\`bash
echo ${number}
\`\`\`
</CodeGroup>

$x^${number}$ and a note[^1].

[^1]: The note.
`,
  ),
}

/** A site with specifications, redirects, assets and custom styles. */
export const REFERENCE: Files = {
  'docs.json': JSON.stringify({
    name: 'Reference',
    navigation: {
      tabs: [
        { tab: 'Guides', groups: [{ group: 'Guides', pages: [...LISTED, 'api/own'] }] },
        { tab: 'API', openapi: ['api/plants.json', '/api/more.yaml'] },
      ],
    },
    redirects: [
      { source: '/old', destination: '/guides/page-0' },
      { source: '/older/:slug*', destination: '/guides/:slug*' },
      { source: '/guides/page-1.md', destination: '/guides/page-1' },
    ],
  }),
  'api/plants.json': JSON.stringify(SPECIFICATION),
  'api/more.yaml': `openapi: 3.0.3
info: { title: More, version: '1' }
paths:
  /more:
    post:
      summary: Make more
      responses: { '201': { description: Made } }
`,
  'api/own.mdx': '---\ntitle: Own\nopenapi: GET /plants\n---\nOwn words.\n',
  'images/logo.png': PNG,
  'images/drawing.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  'style.css': 'body { color: red }',
  ...pages(
    (number) => `---\ntitle: Page ${number}\n---\n![Logo](/images/logo.png)\n\nText ${number}.\n`,
  ),
}
