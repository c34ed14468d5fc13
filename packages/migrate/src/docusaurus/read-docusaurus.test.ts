import { describe, expect, test } from 'vitest'
import { bodyOf, configOf, migrateFiles, reportOf, textOf } from '../../testing/migrate-files.ts'

const CONFIG =
  "module.exports = { title: 'Plants', url: 'https://a.example', baseUrl: '/', presets: [['classic', { docs: {} }]] }\n"

const migrate = (files: Readonly<Record<string, string>>) =>
  migrateFiles({ 'docusaurus.config.js': CONFIG, 'docs/index.md': '# Start\n', ...files })
const page = (text: string, files: Readonly<Record<string, string>> = {}) =>
  migrate({ ...files, 'docs/index.md': `# Start\n\n${text}\n` })
const body = (text: string, files: Readonly<Record<string, string>> = {}) =>
  bodyOf(page(text, files), 'docs/index.mdx').replaceAll(/\n{2,}/g, '\n')

describe('the pages of Docusaurus', () => {
  const files = {
    'docs/pots.md': '---\nid: pots\n---\n\n# Pots\n\n## Clay\n',
    'docs/img/a.png': 'x',
    'static/img/b.png': 'x',
    'docs/_care.mdx': 'Water {props.often}. See [pots](./pots.md).\n',
    'src/example.js': 'const a = 1\n',
  }
  test.each<[string, string, string]>([
    ['an admonition', ':::tip[Water]\n\nDaily.\n\n:::', '<Tip title="Water">\nDaily.\n</Tip>'],
    [
      'tabs',
      'import Tabs from \'@theme/Tabs\'\nimport TabItem from \'@theme/TabItem\'\n\n<Tabs groupId="os">\n<TabItem value="mac" label="macOS">\n\nA\n\n</TabItem>\n</Tabs>',
      '<Tabs>\n<Tab title="macOS">\nA\n</Tab>\n</Tabs>',
    ],
    [
      'labels of tabs in a list',
      '<Tabs values={[{ label: "One", value: "a" }]}>\n<TabItem value="a">\n\nA\n\n</TabItem>\n</Tabs>',
      '<Tabs sync={false}>\n<Tab title="One">\nA\n</Tab>\n</Tabs>',
    ],
    [
      'a highlighted line',
      '```js title="a.js"\n// highlight-next-line\na\n```',
      '```js title="a.js" {1}\na\n```',
    ],
    [
      'tabs of several code blocks',
      'A\n\n```js tab={"span":2} title="a.js"\n1\n```\n\n```js title="b.js"\n2\n```\n\n```ts tab={"span":1}\n3\n```\n\nB',
      'A\n<Tabs>\n<Tab title="JavaScript">\n```js title="a.js"\n1\n```\n```js title="b.js"\n2\n```\n</Tab>\n<Tab title="TypeScript">\n```ts\n3\n```\n</Tab>\n</Tabs>\nB',
    ],
    ['code with two variants', '```js config-tabs\n1\n```', '```js\n1\n```'],
    [
      'a component with the name of a known one',
      "import Tabs from '@site/src/tabs'\n\nA\n\n<Tabs />",
      'A',
    ],
    ['the id of a heading', '## Water {#daily}', '## Water {#daily}'],
    ['the second of two headings', '## Water\n\n## Water', '## Water\n## Water {#water-1}'],
    ['a link to a file', '[Clay](./pots.md#clay)', '[Clay](/docs/pots#clay)'],
    ['a link to a file of the site', '[Pots](@site/docs/pots.md)', '[Pots](/docs/pots)'],
    ['a link to a file from the folder of the site', '[Pots](/docs/pots.md)', '[Pots](/docs/pots)'],
    ['a link without extension', '[Pots](pots)', '[Pots](/docs/pots)'],
    ['a file of the static folder', '![B](/img/b.png)', '![B](/img/b.png)'],
    ['an image next to the page', '![A](./img/a.png)', '![A](/docs/img/a.png)'],
    [
      'a required image',
      '<img src={require(\'./img/a.png\').default} alt="A" />',
      '<img src="/docs/img/a.png" alt="A" />',
    ],
    [
      'useBaseUrl',
      '<img src={useBaseUrl(\'/img/b.png\')} alt="B" />',
      '<img src="/img/b.png" alt="B" />',
    ],
    [
      'an imported image',
      'import a from \'./img/a.png\'\n\n<img src={a} alt="A" />',
      '<img src="/docs/img/a.png" alt="A" />',
    ],
    ['a comment', 'One <!-- two -->', 'One {/* two */}'],
    ['text in mdx-code-block', '```mdx-code-block\n<Tabs groupId="a">\n```\n\nA', '<Tabs>\nA'],
    [
      'code that is written as a text',
      '<CodeBlock language="md" title="a.md">{\n  \'# A \\u007B#a}\\n\' +\n  `it\'s`\n}</CodeBlock>',
      '```md title="a.md"\n# A {#a}\nit\'s\n```',
    ],
    [
      'a component inside of code',
      "```jsx\n<CodeBlock>{'a'}</CodeBlock>\n```",
      "```jsx\n<CodeBlock>{'a'}</CodeBlock>\n```",
    ],
    [
      'imported code',
      'import Code from \'!!raw-loader!@site/src/example.js\'\n\n<CodeBlock language="js">{Code}</CodeBlock>',
      '```js\nconst a = 1\n```',
    ],
    [
      'commands for package managers',
      '```bash npm2yarn\nnpm install -D a\n```',
      '<CodeGroup>\n```bash npm\nnpm install -D a\n```\n```bash yarn\nyarn add --dev a\n```\n```bash pnpm\npnpm add --save-dev a\n```\n```bash bun\nbun add --dev a\n```\n</CodeGroup>',
    ],
    [
      'nothing in code',
      '```\nimport A from "@theme/Tabs"\n:::tip\n```',
      '```\nimport A from "@theme/Tabs"\n:::tip\n```',
    ],
  ])('%s is converted', (_, old, text) => {
    expect(body(old, files)).toBe(text)
  })

  test('a partial becomes a snippet, and keeps its props and links', () => {
    const migrated = page('import Care from \'./_care.mdx\'\n\n<Care often="daily" />', files)
    expect(bodyOf(migrated, 'docs/index.mdx')).toBe(
      'import Care from \'/snippets/docs/_care.mdx\'\n\n<Care often="daily" />',
    )
    expect(textOf(migrated, 'snippets/docs/_care.mdx')).toBe(
      'Water {props.often}. See [pots](/docs/pots).\n',
    )
  })

  test('a component of the old site is named, and what is between its tags stays', () => {
    const migrated = page(
      "import Box from '@site/src/Box'\n\n<Box a={{ b: '>' }}>\n\nText\n\n</Box>",
    )
    expect(bodyOf(migrated, 'docs/index.mdx')).toBe('Text')
    expect(reportOf(migrated).filter((entry) => entry.startsWith('docs/index.md'))).toEqual([
      'docs/index.md:3 The import of `Box` from `@site/src/Box` was removed: code and files outside of the documentation are not moved.',
      'docs/index.md:5 The component `<Box>` is not part of the new site; what is between its tags stays.',
    ])
  })

  test('a link to the blog leads to the old site', () => {
    const migrated = page('[News](/blog/news)', { 'blog/news.md': '# News\n' })
    expect(bodyOf(migrated, 'docs/index.mdx')).toBe('[News](https://a.example/blog/news)')
    expect(reportOf(migrated).join('\n')).toContain('blog:1 The blog with 1 files was not moved.')
  })
})

describe('the structure of Docusaurus', () => {
  test('addresses come from slug, id and file name without its number', () => {
    const migrated = migrate({
      'docs/01-one.md': '# One\n',
      'docs/a/two.md': '---\nid: second\n---\n',
      'docs/a/three.md': '---\nslug: /third\n---\n',
      'docs/a/a.md': '# A\n',
    })
    const paths = [...migrated.files.keys()].filter((file) => file.endsWith('.mdx')).sort()
    expect(paths).toEqual([
      'docs/a/index.mdx',
      'docs/a/second.mdx',
      'docs/index.mdx',
      'docs/one.mdx',
      'docs/third.mdx',
    ])
  })

  test('a sidebar becomes groups, with generated pages of categories', () => {
    const migrated = migrate({
      'sidebars.js':
        "module.exports = { docs: ['index', { type: 'category', label: 'All Pots', link: { type: 'generated-index' }, collapsed: false, items: [{ type: 'doc', id: 'pots', label: 'P' }, { type: 'link', label: 'Site', href: 'https://b.example' }] }] }",
      'docs/pots.md': '# Pots\n',
    })
    expect(configOf(migrated).navigation).toEqual({
      groups: [
        { group: '', pages: ['docs/index'] },
        {
          group: 'All Pots',
          root: 'docs/category/all-pots',
          expanded: true,
          pages: ['docs/pots', 'links/site'],
        },
      ],
    })
    expect(bodyOf(migrated, 'docs/category/all-pots.mdx')).toContain(
      '<Card title="Pots" href="/docs/pots" />',
    )
    expect(textOf(migrated, 'docs/pots.mdx')).toContain('sidebarTitle: P\n')
  })

  test('sidebars are tabs in the order of the navbar, which names them', () => {
    const items =
      "[{ type: 'doc', docId: 'index', label: 'Docs' }, { to: '/docs/pots', label: 'Pots' }]"
    const migrated = migrate({
      'docusaurus.config.js': CONFIG.replace(
        'presets:',
        `themeConfig: { navbar: { items: ${items} } }, presets:`,
      ).replace('docs: {}', "docs: { sidebarPath: './sidebars.json' }"),
      'sidebars.json': JSON.stringify({ pots: ['pots'], docs: ['index'] }),
      'docs/pots.md': '# Pots\n',
    })
    const { navigation } = configOf(migrated) as {
      navigation: { tabs: readonly { tab: string }[] }
    }
    expect(navigation.tabs.map(({ tab }) => tab)).toEqual(['Docs', 'Pots'])
  })

  test('a sidebar without a file follows folders, positions and `_category_.json`', () => {
    const migrated = migrate({
      'docs/b.md': '---\nsidebar_position: 1\n---\n',
      'docs/more/_category_.json': '{ "label": "More", "position": 2 }',
      'docs/more/c.md': '# C\n',
      'docs/index.md': '---\nsidebar_position: 3\n---\n',
    })
    expect(configOf(migrated).navigation).toEqual({
      groups: [
        { group: '', pages: ['docs/b'] },
        { group: 'More', pages: ['docs/more/c'] },
        { group: '', pages: ['docs/index'] },
      ],
    })
  })

  test('versions keep their addresses: the last one has none of its own', () => {
    const migrated = migrate({
      'versions.json': '["2.0", "1.0"]',
      'versioned_docs/version-2.0/index.md': '# Two\n',
      'versioned_docs/version-1.0/index.md': '# One\n',
    })
    expect(configOf(migrated).navigation).toEqual({
      versions: [
        { version: '2.0', default: true, groups: [{ group: '', pages: ['docs/index'] }] },
        { version: 'Next', groups: [{ group: '', pages: ['docs/next/index'] }] },
        { version: '1.0', groups: [{ group: '', pages: ['docs/1.0/index'] }] },
      ],
    })
  })

  test('the base path, html endings and listed redirects keep old addresses', () => {
    const plugin =
      "['@docusaurus/plugin-client-redirects', { fromExtensions: ['html'], redirects: [{ from: ['/old'], to: '/docs/' }] }]"
    const migrated = migrate({
      'docusaurus.config.js': `module.exports = { title: 'P', baseUrl: '/p/', plugins: [${plugin}] }`,
    })
    expect(configOf(migrated).redirects).toEqual([
      { source: '/old', destination: '/docs' },
      { source: '/:path*.html', destination: '/:path*' },
      { source: '/p/:path*', destination: '/:path*' },
    ])
  })

  test('what is code in the configuration is named with its line', () => {
    const migrated = migrate({
      'docusaurus.config.js':
        "const fs = require('fs')\nmodule.exports = {\n  title: fs.readFileSync('a'),\n  tagline: 'Green',\n}\n",
    })
    expect(configOf(migrated)).toMatchObject({ name: 'Documentation', description: 'Green' })
    expect(reportOf(migrated)).toContain(
      'docusaurus.config.js:3 `title` is code, which is not run, so it is missing: `fs` is code that is not run.',
    )
  })

  test('translations and pages in React are named', () => {
    const entries = reportOf(
      migrate({ 'i18n/fr/current/a.md': 'A', 'src/pages/index.js': 'x' }),
    ).join('\n')
    expect(entries).toContain('i18n/fr:1 The translation `fr` with 1 files was not moved.')
    expect(entries).toContain(
      'src/pages:1 The 1 files with pages and components in React were not moved',
    )
  })
})

describe('hostile folders of Docusaurus', () => {
  test.each<[string, Readonly<Record<string, string>>, string]>([
    [
      'a configuration that loops',
      { 'docusaurus.config.js': 'module.exports = { title: (() => { while (true); })() }' },
      'docusaurus.config.js:1',
    ],
    [
      'a configuration that is not JavaScript',
      { 'docusaurus.config.js': 'module.exports = {' },
      'docusaurus.config.js:1',
    ],
    ['sidebars that are not JSON', { 'sidebars.json': '{' }, 'sidebars.json:1'],
    [
      'partials that include each other',
      {
        'docs/index.md': "import A from './_a.mdx'\n\n<A />\n",
        'docs/_a.mdx': "import A from './_a.mdx'\n\n<A />\n",
      },
      'docs/_a.mdx:1',
    ],
    ['a symbolic link out of the folder', { 'docs/link.md': '-> /etc/passwd' }, 'docs/link.md:1'],
    [
      'a page that is too large',
      { 'docs/big.md': 'x'.repeat(2 * 1024 * 1024 + 1) },
      'docs/big.md:1',
    ],
    [
      'a partial outside of the folder',
      { 'docs/index.md': "import A from '../../../a.mdx'\n" },
      'docs/index.md:1',
    ],
  ])('%s ends with a finding', (_, files, place) => {
    expect(reportOf(migrate(files)).some((entry) => entry.startsWith(place))).toBe(true)
  })

  test('folders of documentation outside of the site have no pages', () => {
    const migrated = migrate({
      'docusaurus.config.js':
        "module.exports = { presets: [['classic', { docs: { path: '../../../etc' } }]] }",
    })
    expect([...migrated.files.keys()].filter((file) => file.endsWith('.mdx'))).toEqual([])
  })

  test('a page of open tags is converted in a short time', () => {
    const started = performance.now()
    for (const tag of ['<Tabs a={', '<Tabs>', 'import {', '<!--', '[a]('])
      body(`${tag}\n`.repeat(300))
    expect(performance.now() - started).toBeLessThan(20_000)
  })
})
