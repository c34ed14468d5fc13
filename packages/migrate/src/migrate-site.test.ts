import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type MigratedSite, migrateSite } from './migrate-site.ts'
import { isMigrationFolder, writeMigration } from './write/write-folder.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'octavo-migrate-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const CONFIG = 'site_name: Plants\ntheme:\n  name: material\n'

/** Writes a site of MkDocs and migrates it. */
function migrate(files: Readonly<Record<string, string>>): MigratedSite {
  for (const [path, text] of Object.entries({ 'mkdocs.yml': CONFIG, ...files })) {
    const file = join(root, 'old', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const migrated = migrateSite(join(root, 'old'), { hasIcon: (name) => name === 'check' })
  if (migrated === undefined) throw new Error('The site was not recognized.')
  return migrated
}

const textOf = ({ files }: MigratedSite, path: string) => new TextDecoder().decode(files.get(path))
const bodyOf = (migrated: MigratedSite, path: string) =>
  textOf(migrated, path)
    .replace(/^---\n[\s\S]*?\n---\n\n/, '')
    .trim()
const page = (text: string) =>
  bodyOf(migrate({ 'docs/index.md': `# Start\n\n${text}` }), 'index.mdx')
const configOf = (migrated: MigratedSite) => JSON.parse(textOf(migrated, 'docs.json'))
const leftOf = ({ report }: MigratedSite) =>
  report.left.map(({ file, line, what }) => `${file}:${line} ${what}`)

describe('the pages of MkDocs', () => {
  test.each<[string, string, string]>([
    [
      'a callout',
      '!!! note "Water"\n\n    Every day.',
      '<Note title="Water">\n\nEvery day.\n\n</Note>',
    ],
    ['braces and angle brackets', 'Use {a} if a < b and `{c}`.', 'Use \\{a} if a \\< b and `{c}`.'],
    ['a comment', 'One <!-- two --> three', 'One {/* two */} three'],
    ['a void tag', 'One<br>two', 'One<br />two'],
    [
      'an address in angle brackets',
      'See <https://a.example/b_c>.',
      'See [https://a.example/b\\_c](https://a.example/b_c).',
    ],
    ['indented code', 'Run:\n\n    npm i {x}', 'Run:\n\n```text\nnpm i {x}\n```'],
    ['the id of a heading', '## Water { #daily }', '## Water {#daily}'],
    [
      'a heading whose anchor would change',
      '## Fees & billing',
      '## Fees & billing {#fees-billing}',
    ],
    ['a heading whose anchor stays', '## Water', '## Water'],
    [
      'code options',
      '```py title="a.py" hl_lines="2"\nx\n```',
      '```py title="a.py" hl_lines="2"\nx\n```',
    ],
    ['the number of a code annotation', '```py\nx # (1)!\n```', '```py\nx # (1)\n```'],
    ['a raised part of a word', 'A^T^A and `A^T^A`', 'A<sup>T</sup>A and `A^T^A`'],
    ['attributes with a stray dot', '**Pot**{. lg .middle } A', '**Pot** A'],
    [
      'the address of a link below its paragraph',
      'See [pots].\n[pots]: https://a.example',
      'See [pots].\n\n[pots]: https://a.example',
    ],
    ['a definition', 'Pot\n:   A container.', '**Pot**\n\nA container.'],
    [
      'an image with a width',
      '![Pot](https://a.example/p.png){ width="30" }',
      '<img src="https://a.example/p.png" alt="Pot" width="30" />',
    ],
    [
      'an image in HTML for one color scheme',
      '<img src="https://a.example/p.png#only-dark" alt="Pot">',
      '<img src="https://a.example/p.png" className="hidden dark:block" alt="Pot" />',
    ],
    ['an icon', ':material-check:', '<Icon icon="check" iconLibrary="lucide" />'],
    [
      'a paragraph that looks like an import',
      'import plants from here',
      '&#105;mport plants from here',
    ],
    [
      'a generated reference',
      '::: plants.Pot\n    options: {}',
      '<span id="plants.Pot"></span>\n\n<Note>\n\nThe reference of `plants.Pot` is generated from its source code. It is not part of this page yet.\n\n</Note>',
    ],
    [
      'an icon in the title of a tab',
      '=== ":material-check: Yes"\n\n    Good.',
      '<Tabs>\n\n<Tab title="Yes" icon="check" iconLibrary="lucide">\n\nGood.\n\n</Tab>\n\n</Tabs>',
    ],
    [
      'a grid of cards',
      '<div class="grid cards" markdown>\n\n-   __Pots__\n\n    ---\n\n    Clay.\n\n</div>',
      '<CardGroup cols={2}>\n\n<Card title="Pots">\n\nClay.\n\n</Card>\n\n</CardGroup>',
    ],
    [
      'nothing in a code block',
      '```html\n<div class="grid cards" markdown>\n- a\n</div>\n```',
      '```html\n<div class="grid cards" markdown>\n- a\n</div>\n```',
    ],
  ])('%s is converted', (_, old, text) => {
    expect(page(old)).toBe(text)
  })

  test('the first heading becomes the title, and its anchor leads to the page', () => {
    const migrated = migrate({
      'docs/index.md': '# *My* plants',
      'docs/pot.md': '[Top](index.md#my-plants)',
    })
    expect(textOf(migrated, 'index.mdx')).toContain('title: My plants\n')
    expect(bodyOf(migrated, 'pot.mdx')).toBe('[Top](/)')
  })

  test('links between files become addresses of pages, in callouts too', () => {
    const migrated = migrate({
      'docs/index.md':
        '!!! tip\n    See [pots](guides/pots.md#clay) and [guides](guides/index.md).',
      'docs/guides/index.md': '# Guides',
      'docs/guides/pots.md': '# Pots\n\n## Clay',
    })
    expect(bodyOf(migrated, 'index.mdx')).toContain(
      '[pots](/guides/pots#clay) and [guides](/guides)',
    )
  })

  test('a link to a page that is not in the folder leads to a placeholder, which is reported', () => {
    const migrated = migrate({ 'docs/index.md': '[API](api.md#pot)' })
    expect(bodyOf(migrated, 'index.mdx')).toBe('[API](/api)')
    expect(textOf(migrated, 'api.mdx')).toContain('noindex: true')
    expect(leftOf(migrated)).toContainEqual(
      expect.stringContaining('`api.md` is not in the folder'),
    )
  })

  test('an included file becomes part of the page, and a missing one is reported', () => {
    const migrated = migrate({
      'docs/index.md': '--8<-- "part.md:water"\n\n--8<-- "none.md"',
      'part.md': 'a\n<!-- --8<-- [start:water] -->\nDaily.\n<!-- --8<-- [end:water] -->',
    })
    expect(bodyOf(migrated, 'index.mdx')).toBe('Daily.')
    expect(leftOf(migrated)).toEqual([
      'docs/index.md:3 The included file is not in the folder: --8<-- "none.md"',
    ])
  })
})

describe('the configuration of MkDocs', () => {
  test('the navigation, colors, links and redirects become docs.json', () => {
    const config = configOf(
      migrate({
        'mkdocs.yml': `${CONFIG}  features: [navigation.tabs, navigation.indexes]
  palette: { primary: teal }
  logo: logo.svg
repo_url: https://github.com/acme/plants
site_url: https://acme.example/docs/
plugins:
  - redirects: { redirect_maps: { old.md: guides/pots.md } }
markdown_extensions:
  - pymdownx.emoji: { emoji_index: !!python/name:material.extensions.emoji.twemoji }
extra:
  analytics: { provider: google, property: G-ABC123 }
nav:
  - Home: index.md
  - Guides: [guides/index.md, Clay pots: guides/pots.md]
  - Forum: https://forum.example
`,
        'docs/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
        'docs/index.md': '# Start',
        'docs/guides/index.md': '# Guides',
        'docs/guides/pots.md': '# Pots',
      }),
    )
    expect(config).toMatchObject({
      name: 'Plants',
      colors: { primary: '#009485' },
      logo: '/logo.svg',
      navbar: { links: [{ type: 'github', href: 'https://github.com/acme/plants' }] },
      integrations: { ga4: { measurementId: 'G-ABC123' } },
      redirects: [
        { source: '/old', destination: '/guides/pots' },
        { source: '/docs/:path*', destination: '/:path*' },
      ],
    })
    expect(config.navigation.tabs.map(({ tab }: { tab: string }) => tab)).toEqual([
      'Home',
      'Guides',
      'Forum',
    ])
    expect(config.navigation.tabs[1].groups).toEqual([
      { group: '', pages: ['guides/index', 'guides/pots'] },
    ])
  })

  test('a page without directory addresses keeps its old address as a redirect', () => {
    const migrated = migrate({
      'mkdocs.yml': `${CONFIG}use_directory_urls: false\n`,
      'docs/index.md': '',
      'docs/a.md': '',
    })
    expect(configOf(migrated).redirects).toContainEqual({
      source: '/:path*.html',
      destination: '/:path*',
    })
  })

  test('variables of the macros plugin stay variables, and calls are reported and not run', () => {
    const migrated = migrate({
      'mkdocs.yml': `${CONFIG}plugins: [macros]\nextra: { version: "2.1" }\n`,
      'docs/index.md': 'Use {{ version }} and {{ run("x") }}.',
    })
    expect(bodyOf(migrated, 'index.mdx')).toBe('Use {{version}} and `{{ run("x") }}`.')
    expect(configOf(migrated).variables).toEqual({ version: '2.1' })
    expect(leftOf(migrated)).toHaveLength(1)
  })
})

describe('hostile folders', () => {
  test('a file that includes itself ends with a finding', () => {
    const migrated = migrate({
      'docs/index.md': '--8<-- "a.md"',
      'a.md': 'x\n--8<-- "b.md"',
      'b.md': '--8<-- "a.md"',
    })
    expect(bodyOf(migrated, 'index.mdx')).toBe('x')
    expect(leftOf(migrated).join()).toContain('The file includes itself')
  })

  test('includes that multiply end with a finding', () => {
    const files = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [
        `${index}.md`,
        `--8<-- "${index + 1}.md"\n`.repeat(20),
      ]),
    )
    const migrated = migrate({
      ...files,
      '12.md': 'x'.repeat(1_000),
      'docs/index.md': '--8<-- "0.md"',
    })
    expect(leftOf(migrated).join()).toContain('The page includes too much text')
  })

  test('configuration that inherits from itself ends with a finding', () => {
    const migrated = migrate({
      'mkdocs.yml': `INHERIT: b.yml\n${CONFIG}`,
      'b.yml': 'INHERIT: mkdocs.yml',
      'docs/index.md': '',
    })
    expect(leftOf(migrated).join()).toContain('`INHERIT` leads back to the same file')
  })

  test('a page that no page of Octavo may be ends with a finding, and moves as it is', () => {
    const body = '> '.repeat(20_000).trim()
    const migrated = migrate({ 'docs/index.md': body })
    expect(bodyOf(migrated, 'index.mdx')).toBe(body)
    expect(leftOf(migrated).join()).toContain('more than 100 list or quote markers')
  })

  test('neither an include nor a symbolic link leads out of the folder', () => {
    writeFileSync(join(root, 'secret.md'), 'secret')
    mkdirSync(join(root, 'old/docs'), { recursive: true })
    symlinkSync(join(root, 'secret.md'), join(root, 'old/docs/link.md'))
    const migrated = migrate({
      'docs/index.md': '--8<-- "../secret.md"\n\n--8<-- "docs/link.md"\n\n![x](../../secret.md)',
    })
    for (const bytes of migrated.files.values())
      expect(new TextDecoder().decode(bytes)).not.toContain('secret\n')
    expect(leftOf(migrated).join()).toContain('symbolic link')
  })
})

describe('a second run', () => {
  const first = { 'docs/index.md': 'one', 'docs/a.md': 'a', 'docs/b.md': 'b' }
  const write = (migrated: MigratedSite) => writeMigration(join(root, 'new'), migrated.files, false)

  test('a second run changes nothing', () => {
    write(migrate(first))
    const { unchanged, isStateDamaged, ...changes } = write(migrate(first))
    expect(isStateDamaged).toBe(false)
    expect(unchanged).toBe(4)
    expect(Object.values(changes).flat()).toEqual([])
  })

  test('a second run updates what changed, and keeps what someone edited', () => {
    write(migrate(first))
    writeFileSync(join(root, 'new/a.mdx'), 'mine')
    writeFileSync(join(root, 'new/b.mdx'), 'mine')
    const changes = write(
      migrate({ ...first, 'docs/index.md': 'two', 'docs/b.md': 'c', 'docs/d.md': 'd' }),
    )
    expect(changes).toMatchObject({ created: ['d.mdx'], kept: ['a.mdx'], conflicts: ['b.mdx'] })
    expect(changes.updated).toEqual(['docs.json', 'index.mdx'])
    expect(readFileSync(join(root, 'new/b.mdx'), 'utf8')).toBe('mine')
    expect(readFileSync(join(root, 'new/.migration/new/b.mdx'), 'utf8')).toContain('c\n')
  })

  test('a folder with other files is not overwritten, and no file is written through a link', () => {
    mkdirSync(join(root, 'new/elsewhere'), { recursive: true })
    expect(isMigrationFolder(join(root, 'new'))).toBe(false)
    symlinkSync(root, join(root, 'new/guides'))
    const migrated = migrate({ 'docs/guides/pots.md': 'x' })
    expect(() => write(migrated)).toThrow('is not a file inside the new site')
  })

  test('a state of the last run that names a file outside of the folder removes nothing', () => {
    writeFileSync(join(root, 'victim.txt'), 'x')
    mkdirSync(join(root, 'new/.migration'), { recursive: true })
    const hash = createHash('sha256').update('x').digest('hex').slice(0, 32)
    writeFileSync(
      join(root, 'new/.migration/files.json'),
      JSON.stringify({ '../victim.txt': hash }),
    )
    expect(write(migrate({ 'docs/index.md': 'x' })).kept).toEqual(['../victim.txt'])
    expect(readFileSync(join(root, 'victim.txt'), 'utf8')).toBe('x')
  })
})
