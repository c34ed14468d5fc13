import { describe, expect, test } from 'vitest'
import { bodyOf, configOf, migrateFiles, reportOf, textOf } from '../../testing/migrate-files.ts'

const SUMMARY = '# Table of contents\n\n* [Start](README.md)\n* [Pots](guides/pots.md)\n'
const POTS = '# Pots\n\n## Clay & glass\n\n## 1. Size\n'

const migrate = (files: Readonly<Record<string, string>>) =>
  migrateFiles({
    'SUMMARY.md': SUMMARY,
    'README.md': '# Start\n',
    'guides/pots.md': POTS,
    ...files,
  })
const page = (text: string, files: Readonly<Record<string, string>> = {}) =>
  migrate({ ...files, 'README.md': `# Start\n\n${text}\n` })
const body = (text: string) => bodyOf(page(text), 'index.mdx')

describe('the pages of GitBook', () => {
  test.each<[string, string, string]>([
    [
      'a hint',
      '{% hint style="warning" %}\nWater it.\n{% endhint %}',
      '<Warning>\nWater it.\n</Warning>',
    ],
    [
      'tabs',
      '{% tabs %}\n{% tab title="Clay" %}\nHeavy.\n{% endtab %}\n{% endtabs %}',
      '<Tabs>\n<Tab title="Clay">\nHeavy.\n</Tab>\n</Tabs>',
    ],
    [
      'code with options',
      '{% code title="a.js" overflow="wrap" lineNumbers="true" %}\n```js\nx\n```\n{% endcode %}',
      '```js title="a.js" wrap lines\nx\n```',
    ],
    [
      'a link to a page',
      '{% content-ref url="guides/pots.md" %}\n[pots.md](guides/pots.md)\n{% endcontent-ref %}',
      '<Card title="Pots" href="/guides/pots" horizontal />',
    ],
    [
      'an embedded video',
      '{% embed url="https://youtu.be/abc-1" %}',
      '<iframe src="https://www.youtube.com/embed/abc-1" title="Video" className="w-full aspect-video" allowFullScreen></iframe>',
    ],
    [
      'an embedded page',
      '{% embed url="https://a.example/b" %}\nMore\n{% endembed %}',
      '<Card title="a.example/b" href="https://a.example/b" horizontal />\n\nMore',
    ],
    [
      'steps',
      '{% stepper %}\n{% step %}\n**Fill the pot**\n\nWith soil.\n{% endstep %}\n\n{% step %}\nWait.\n{% endstep %}\n{% endstepper %}',
      '<Steps>\n<Step title="Fill the pot">\nWith soil.\n</Step>\n\n<Step title="Step 2">\nWait.\n</Step>\n</Steps>',
    ],
    ['an anchor of a heading', '## Size <a href="#big" id="big"></a>', '## Size {#big}'],
    ['the anchor that GitBook makes', '## Clay & glass', '## Clay & glass {#clay-and-glass}'],
    ['a heading that begins with a number', '## 1. Size', '## 1. Size {#id-1.-size}'],
    ['a heading whose anchor stays', '## Glass', '## Glass'],
    [
      'a figure with a caption',
      '<figure><img src="https://a.example/p.png" alt=""><figcaption><p>A <strong>pot</strong></p></figcaption></figure>',
      '<Frame caption="A **pot**"><img src="https://a.example/p.png" alt="" /></Frame>',
    ],
    [
      'a foldable block',
      '<details>\n\n<summary>Why <code>x</code></summary>\n\nText.\n\n</details>',
      '<Accordion title="Why x">\n\nText.\n\n</Accordion>',
    ],
    [
      'cards',
      '<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td><strong>Pots</strong></td><td><a href="guides/pots.md">pots.md</a></td></tr></tbody></table>',
      '<CardGroup cols={2}>\n\n<Card title="Pots" href="/guides/pots" />\n\n</CardGroup>',
    ],
    [
      'code in HTML',
      '<pre class="language-js"><code class="lang-js"><strong>a &#x3C; b\n</strong>c\n</code></pre>',
      '```js\na < b\nc\n```',
    ],
    ['a mention', '[pots.md](guides/pots.md "mention")', '[Pots](/guides/pots)'],
    ['a broken reference', 'See [pots](broken-reference).', 'See pots.'],
    ['amounts of money', 'From $1 to $2.', 'From \\$1 to \\$2.'],
    ['braces', 'Use {a}.', 'Use \\{a}.'],
    [
      'a GitHub anchor in a link',
      '[x](guides/pots.md#clay--glass)',
      '[x](/guides/pots#clay-and-glass)',
    ],
    ['nothing in code', '```\n{% hint %}\n```', '```\n{% hint %}\n```'],
  ])('%s is converted', (_, old, text) => {
    expect(body(old).replaceAll(/\n\n+(?=<)|(?<=>)\n\n+/g, '\n')).toBe(
      text.replaceAll(/\n\n+(?=<)|(?<=>)\n\n+/g, '\n'),
    )
  })

  test('frontmatter keeps its description, icon and layout, and names what it drops', () => {
    const migrated = migrate({
      'README.md':
        '---\ndescription: All pots\nicon: rocket\nlayout:\n  outline:\n    visible: false\nother: 1\n---\n\n# Start\n',
    })
    expect(textOf(migrated, 'index.mdx')).toBe(
      '---\ntitle: Start\ndescription: All pots\nicon: rocket\nmode: wide\n---\n\n\n',
    )
    expect(reportOf(migrated)).toContain(
      'README.md:1 The field `other` of the frontmatter has no equivalent and was removed.',
    )
  })

  test('reusable content becomes a snippet, whose links are relative to its own file', () => {
    const migrated = page('{% include ".gitbook/includes/care.md" %}', {
      '.gitbook/includes/care.md': 'See [pots](../../guides/pots.md).',
    })
    expect(bodyOf(migrated, 'index.mdx')).toBe('<Snippet file="gitbook/includes/care.mdx" />')
    expect(textOf(migrated, 'snippets/gitbook/includes/care.mdx')).toBe(
      'See [pots](/guides/pots).\n',
    )
  })

  test('variables of the space become variables, and those of the page text', () => {
    const migrated = migrate({
      '.gitbook/vars.yaml': 'name: Fern\n',
      'README.md':
        '---\nvars:\n  size: big\n---\n\n# Start\n\n<code class="expression">space.vars.name</code> <code class="expression">page.vars.size</code>\n',
    })
    expect(configOf(migrated).variables).toEqual({ name: 'Fern' })
    expect(bodyOf(migrated, 'index.mdx')).toBe('{{name}} big')
  })

  test('a single operation becomes that of the page', () => {
    const tag =
      '{% openapi src=".gitbook/assets/a.yaml" path="/pots" method="get" %}\n[a](.gitbook/assets/a.yaml)\n{% endopenapi %}'
    const files = { '.gitbook/assets/a.yaml': 'openapi: 3.0.0\n' }
    expect(textOf(page(tag, files), 'index.mdx')).toContain(
      'openapi: "/gitbook/assets/a.yaml GET /pots"',
    )
    const hosted = tag.replaceAll('.gitbook/assets/a.yaml', 'https://a.example/a.json')
    expect(textOf(page(hosted), 'index.mdx')).toContain(
      'openapi: "https://a.example/a.json GET /pots"',
    )
  })

  test('several operations become pages below their page', () => {
    const tag = (method: string, path = '/pots/{id}') =>
      `{% swagger src="../.gitbook/assets/a.yaml" path="${path}" method="${method}" %}\n{% endswagger %}`
    const migrated = migrate({
      'guides/pots.md': `# Pots\n\n${tag('get')}\n\n${tag('delete')}\n\n${tag('get', '/pots/id')}\n`,
      '.gitbook/assets/a.yaml': "swagger: '2.0'\n",
    })
    expect(bodyOf(migrated, 'guides/pots.mdx').split('\n\n')).toEqual([
      '<Card title="GET /pots/&#123;id}" href="/guides/pots/get-pots-id" horizontal />',
      '<Card title="DELETE /pots/&#123;id}" href="/guides/pots/delete-pots-id" horizontal />',
      '<Card title="GET /pots/id" href="/guides/pots/get-pots-id-2" horizontal />',
    ])
    expect(textOf(migrated, 'guides/pots/delete-pots-id.mdx').trim()).toBe(
      '---\nopenapi: "/gitbook/assets/a.yaml DELETE /pots/{id}"\n---',
    )
    expect(JSON.stringify(configOf(migrated))).toContain(
      '"guides/pots","pages":["guides/pots/get-pots-id","guides/pots/delete-pots-id","guides/pots/get-pots-id-2"]',
    )
  })

  test('an operation without a specification is text, which is reported', () => {
    const migrated = page('{% openapi-operation spec="pots" path="/pots" method="get" %}\n')
    expect(bodyOf(migrated, 'index.mdx')).toBe('**`GET /pots`**')
    expect(reportOf(migrated).join('\n')).toContain(
      'README.md:3 The operation `GET /pots` is shown as text.',
    )
  })
})

describe('the structure of GitBook', () => {
  test('escaped signs in the list of pages are shown without backslashes', () => {
    const migrated = migrate({ 'SUMMARY.md': '* [a\\_b \\[c\\]](README.md)\n' })
    expect(textOf(migrated, 'index.mdx')).toContain('a_b [c]')
  })

  test('headings and nested items become groups, and a page with items opens its group', () => {
    const migrated = migrate({
      'SUMMARY.md':
        '* [Start](README.md)\n\n## Guides\n\n* [All guides](guides/README.md "Guides")\n  * [Pots](guides/pots.md)\n* [Site](https://a.example)\n',
      'guides/README.md': '# All guides\n',
    })
    expect(configOf(migrated).navigation).toEqual({
      groups: [
        { group: '', pages: ['index'] },
        {
          group: 'Guides',
          pages: [
            { group: 'All guides', root: 'guides/index', pages: ['guides/pots'] },
            'links/site',
          ],
        },
      ],
    })
    expect(textOf(migrated, 'guides/index.mdx')).toContain('sidebarTitle: Guides')
  })

  test('spaces become tabs, each below its folder, except the one around them', () => {
    const migrated = migrate({
      '.gitbook.yaml': 'root: ./\n',
      'api/.gitbook.yaml': 'structure:\n  readme: start.md\n',
      'api/SUMMARY.md': '* [API](start.md)\n',
      'api/start.md': '# API\n',
    })
    expect(configOf(migrated).navigation).toEqual({
      tabs: [
        { tab: 'Documentation', groups: [{ group: '', pages: ['index', 'guides/pots'] }] },
        { tab: 'Api', groups: [{ group: '', pages: ['api/index'] }] },
      ],
    })
  })

  test('redirects keep old addresses, and those that lead nowhere are named', () => {
    const migrated = migrate({
      '.gitbook.yaml':
        'redirects:\n  old/pots: ./guides/pots.md\n  gone: nothing.md\n  guides/pots: README.md\n',
    })
    expect(configOf(migrated).redirects).toEqual([
      { source: '/old/pots', destination: '/guides/pots' },
    ])
    expect(reportOf(migrated)).toEqual(
      expect.arrayContaining([
        '.gitbook.yaml:3 The redirect from `gone` leads to `nothing.md`, which does not exist.',
        '.gitbook.yaml:4 The redirect from `guides/pots` has no effect, because that page exists.',
      ]),
    )
  })

  test('a file that no list has is hidden if a page links to it, and otherwise named', () => {
    const migrated = page('[Draft](draft.md)', { 'draft.md': '# Draft\n', 'notes.md': '# Notes\n' })
    expect(textOf(migrated, 'draft.mdx')).toContain('hidden: true')
    expect(migrated.files.has('notes.mdx')).toBe(false)
    expect(reportOf(migrated)).toContain(
      'notes.md:1 The list of pages does not have this file, so it was not moved.',
    )
  })

  test('assets of dot folders get a public address', () => {
    const migrated = page('![Pot](.gitbook/assets/a%20b.png)', { '.gitbook/assets/a b.png': 'x' })
    expect(bodyOf(migrated, 'index.mdx')).toBe('![Pot](/gitbook/assets/a%20b.png)')
    expect(migrated.files.has('gitbook/assets/a b.png')).toBe(true)
  })

  test('a file that Octavo does not serve becomes text, except a specification', () => {
    const migrated = page('[a](a.json) [b](b.yaml)', {
      'a.json': '{}',
      'b.yaml': 'openapi: 3.1.0\n',
    })
    expect(bodyOf(migrated, 'index.mdx')).toBe('[a](/a.json.txt) [b](/b.yaml)')
    expect(reportOf(migrated)).toContain(
      'README.md:3 `a.json` is published as text, since Octavo does not serve such files.',
    )
  })

  test('a list of mdBook is not one of GitBook', () => {
    expect(() => migrateFiles({ 'book.toml': '', 'src/SUMMARY.md': SUMMARY })).toThrow('recognized')
  })
})

describe('hostile folders of GitBook', () => {
  test.each<[string, Readonly<Record<string, string>>, string]>([
    [
      'an include cycle',
      {
        'README.md': '# Start\n\n{% include "a.md" %}\n',
        'a.md': '{% include "b.md" %}\n',
        'b.md': '{% include "a.md" %}\n',
      },
      'b.md:1 The included file was omitted: it includes itself.',
    ],
    [
      'an include outside of the folder',
      { 'README.md': '# Start\n\n{% include "../../secret.md" %}\n' },
      'README.md:3 The included file was omitted: it is outside of the folder.',
    ],
    [
      'a symbolic link out of the folder',
      { 'README.md': '# Start\n\n[x](link.md)\n', 'link.md': '-> /etc/passwd' },
      'link.md:1 The file was skipped: it is a symbolic link that does not lead to a file in this folder.',
    ],
    [
      'a root outside of the folder',
      { '.gitbook.yaml': 'root: ../../\n' },
      '.gitbook.yaml:1 The root `../../` is outside of the folder.',
    ],
    [
      'a page that is too large',
      { 'guides/pots.md': `# Pots\n${'x'.repeat(2 * 1024 * 1024)}` },
      'guides/pots.md:1 The file is no page, because it is too large.',
    ],
    ['damaged YAML', { '.gitbook.yaml': 'root: [\n' }, '.gitbook.yaml:'],
  ])('%s ends with a finding', (_, files, finding) => {
    const entries = reportOf(migrate(files))
    expect(entries.some((entry) => entry.startsWith(finding))).toBe(true)
  })

  test('a list that is nested very deeply is listed on fewer levels', () => {
    const items = Array.from({ length: 500 }, (_, depth) => `${' '.repeat(depth)}* [P](README.md)`)
    expect(
      JSON.stringify(configOf(migrate({ 'SUMMARY.md': items.join('\n') }))).length,
    ).toBeLessThan(20_000)
  })

  test('a page of open tags is converted in a short time', () => {
    const tags = ['{% openapi src="a" %}', '<table>', '<figure><img>', '<pre><code>', '[a](b "']
    const started = performance.now()
    for (const tag of tags) body(`${tag}\n`.repeat(300))
    expect(performance.now() - started).toBeLessThan(20_000)
  })
})
