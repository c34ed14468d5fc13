/**
 * Checks which edits replace only the text of a page in the files of the last build, and that the
 * result equals a cold build.
 */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Files, TemporarySite } from '../../testing/temporary-site.ts'

const page = (title: string, text: string, more = '') =>
  `---\ntitle: ${title}\n${more}---\n\n${text}\n`

const HERBS = page('Herbs', 'Sage and mint.\n\n## Care\n\nWater them, see [roses](/roses#care).')
const ROSES = page('Roses', 'They have thorns.\n\n## Care\n\n```js\nconst water = 1\n```')
/** So few pages are compiled without starting a process. */
const FILES: Files = {
  'docs.json': JSON.stringify({
    name: 'Garden Docs',
    description: 'All about gardens.',
    navigation: {
      groups: [{ group: 'Plants', pages: ['index', 'roses', 'guides/index', 'tips'] }],
    },
    markdown: { instructions: 'Ask before you cut.' },
  }),
  'index.mdx': HERBS,
  'roses.mdx': ROSES,
  'guides/index.mdx': page('Guides', 'Start here.'),
  'snippets/tip.mdx': 'Use a can.\n',
  'tips.mdx': page('Tips', "import Tip from '/snippets/tip.mdx'\n\n<Tip />"),
}

const ALONE: Readonly<Record<string, Files>> = {
  'a sentence': { 'index.mdx': HERBS.replace('mint.', 'mint. And `basil`.') },
  'a word of the same length': { 'index.mdx': HERBS.replace('mint', 'dill') },
  'characters with a meaning in replacements': {
    'index.mdx': HERBS.replace('mint', () => "$& and $' or $1"),
  },
  'a code block': { 'roses.mdx': ROSES.replace('water = 1', 'water = "often"') },
  'two pages': {
    'index.mdx': HERBS.replace('Sage', 'Thyme'),
    'roses.mdx': ROSES.replace('They', 'Roses'),
  },
  'an index page with an alias': { 'guides/index.mdx': page('Guides', 'Begin here.') },
}

const WHOLE: Readonly<Record<string, Files>> = {
  'a heading': { 'index.mdx': `${HERBS}\n## More\n\nText.\n` },
  'a link': { 'index.mdx': HERBS.replace('/roses#care', '/roses') },
  'a broken link': { 'index.mdx': HERBS.replace('/roses#care', '/missing') },
  'a finding': { 'index.mdx': HERBS.replace('mint.', 'mint. {missing}') },
  'a title': { 'index.mdx': HERBS.replace('Herbs', 'Good herbs') },
  'a component with a style of its own': {
    'roses.mdx': ROSES.replace('They', '<Steps><Step title="Cut">Now</Step></Steps>\n\nThey'),
  },
  'a snippet': { 'snippets/tip.mdx': 'Use a hose.\n' },
  'a page with a snippet': { 'tips.mdx': `${FILES['tips.mdx']}\nMore.\n` },
  'a text that needs several Markdown files': {
    'guides/index.mdx': page('Guides', `Begin here. ${'Turn left. '.repeat(6_000)}`),
  },
  'the navigation': { 'docs.json': FILES['docs.json']?.replace('Plants', 'Flowers') ?? '' },
  'a new page': { 'more.mdx': page('More', 'New.') },
}

const OPTIONS = { siteUrl: 'https://docs.example.com' }

/** Returns the file that only a build of the whole site replaces. */
function editRecord({ root }: TemporarySite): number {
  const folder = join(root, 'cache')
  const name = readdirSync(folder).find((one) => one.startsWith('edits-')) ?? ''
  return statSync(join(folder, name)).ino
}

async function buildAfter(site: TemporarySite, edit: Files) {
  const before = editRecord(site)
  site.write(edit)
  const { diagnostics, pageCount } = await site.build(OPTIONS)
  return { isWhole: editRecord(site) !== before, found: { diagnostics, pageCount } }
}

const coldBuilds = new Map<string, ReturnType<typeof buildNew>>()

/** Builds each site only once. */
function buildCold(files: Files): ReturnType<typeof buildNew> {
  const key = JSON.stringify(files)
  const cold = coldBuilds.get(key) ?? buildNew(files)
  coldBuilds.set(key, cold)
  return cold
}

async function buildNew(files: Files) {
  using site = new TemporarySite(files)
  const { diagnostics, pageCount } = await site.build(OPTIONS)
  return { found: { diagnostics, pageCount }, hashes: site.hashes() }
}

describe('an edit of a page', () => {
  test.each(Object.entries(ALONE))('of %s replaces only the text of the page', async (_, edit) => {
    using site = new TemporarySite(FILES)
    await site.build(OPTIONS)
    const { isWhole, found } = await buildAfter(site, edit)
    expect(isWhole).toBe(false)
    const cold = await buildCold({ ...FILES, ...edit })
    expect(found).toEqual(cold.found)
    expect(site.hashes()).toEqual(cold.hashes)
    const undone = Object.fromEntries(Object.keys(edit).map((path) => [path, FILES[path] ?? '']))
    expect((await buildAfter(site, undone)).isWhole).toBe(false)
    expect(site.hashes()).toEqual((await buildCold(FILES)).hashes)
  })

  test.each(Object.entries(WHOLE))('of %s builds the whole site', async (_, edit) => {
    using site = new TemporarySite(FILES)
    await site.build(OPTIONS)
    const { isWhole, found } = await buildAfter(site, edit)
    expect(isWhole).toBe(true)
    const cold = await buildCold({ ...FILES, ...edit })
    expect(found).toEqual(cold.found)
    expect(site.hashes()).toEqual(cold.hashes)
  })

  test('of a page with a finding builds the whole site', async () => {
    const unlisted = { 'unlisted.mdx': page('Unlisted', 'Not in the navigation.') }
    using site = new TemporarySite({ ...FILES, ...unlisted })
    await site.build(OPTIONS)
    const edit = { 'unlisted.mdx': page('Unlisted', 'Not listed.') }
    expect((await buildAfter(site, edit)).isWhole).toBe(true)
  })

  test.each([
    ['access labels', { 'staff.mdx': page('Staff', 'Text.', 'groups: [staff]\n') }, {}],
    ['a base path', {}, { siteUrl: 'https://example.com/docs' }],
  ])('builds the whole site with %s', async (_, files, options) => {
    using site = new TemporarySite({ ...FILES, ...files })
    await site.build({ ...OPTIONS, ...options })
    const isRemembered = readdirSync(join(site.root, 'cache')).some((name) => /^edits-/.test(name))
    expect(isRemembered).toBe(false)
  })

  test('is followed by a build of the whole site that changes no output', async () => {
    using site = new TemporarySite(FILES)
    await site.build(OPTIONS)
    await buildAfter(site, { 'index.mdx': HERBS.replace('mint', 'dill') })
    const before = site.hashes()
    const { isWhole } = await buildAfter(site, { 'docs.json': `${FILES['docs.json']}\n` })
    expect(isWhole).toBe(true)
    expect(site.hashes()).toEqual(before)
  })

  test('of another commit changes only the manifest', async () => {
    const [first, second] = ['a'.repeat(40), 'b'.repeat(40)] as const
    using site = new TemporarySite(FILES)
    using cold = new TemporarySite(FILES)
    await site.build({ ...OPTIONS, commit: first })
    expect(await site.build({ ...OPTIONS, commit: second })).toMatchObject({ writtenCount: 1 })
    await cold.build({ ...OPTIONS, commit: second })
    expect(site.hashes()).toEqual(cold.hashes())
  })
})
