/** Checks the library of a built site as several readers see it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mayRead, type Reader } from '@octavo/model'
import { createDeploymentReader, openLibrary } from '@octavo/search'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtManifest } from '../../../testing/built-manifest.ts'
import { LABELLED_PAGES, LABELLED_SITE } from '../../../testing/labelled-site.ts'
import { TemporarySite } from '../../../testing/temporary-site.ts'

const reader = (hasSiteAccess: boolean, ...groups: readonly string[]): Reader => ({
  hasSiteAccess,
  groups: new Set(groups),
})
const SIGNED_IN = reader(true)
const ALL = { limit: Number.POSITIVE_INFINITY }

function deploymentOf(site: TemporarySite) {
  const read = (path: string) => readFileSync(join(site.root, 'out', path))
  return createDeploymentReader(builtManifest(site).root, {
    readRun: async ({ sha256 }) => read(`_octavo/manifest/${sha256}.json`).toString(),
    readFile: async ({ path }) => read(path),
  })
}

describe('the library of a site', () => {
  const versions = (name: string) => ({
    version: name,
    groups: [{ group: 'Care', pages: [`${name}/water`] }],
  })
  const site = new TemporarySite({
    'docs.json': JSON.stringify({
      name: 'Garden',
      navigation: { versions: [versions('v2'), versions('v1')] },
    }),
    'v1/water.mdx': '---\ntitle: Old water\n---\nOnce a week.\n',
    'v2/water.mdx':
      '---\ntitle: Water\ndescription: How to.\n---\nDaily.\n\n## With `hose` [x](/v2/water)\n\n```sh\n# run\nhose on\n```\n\n### Slowly\n\nYes.\n\n## After\n\nNo.\n',
  })
  beforeAll(() => site.build())
  afterAll(() => site[Symbol.dispose]())

  test('a library lists the pages of one scope, each with the labels above it', async () => {
    const library = await openLibrary(deploymentOf(site), { reader: SIGNED_IN })
    const { pages } = await library.pages(ALL)
    const page = { path: 'v2/water', url: '/v2/water', title: 'Water', description: 'How to.' }
    expect(pages).toEqual([{ ...page, trail: ['v2', 'Care'] }])
    const old = await openLibrary(deploymentOf(site), { scope: 'all-v1', reader: SIGNED_IN })
    expect((await old.pages(ALL)).pages.map(({ title }) => title)).toEqual(['Old water'])
    const none = await openLibrary(deploymentOf(site), { scope: 'all-v3', reader: SIGNED_IN })
    expect((await none.pages(ALL)).pages).toEqual([])
  })

  test('a library finds sections by search and by literal text', async () => {
    const { search, grep } = await openLibrary(deploymentOf(site), { reader: SIGNED_IN })
    const [first] = await search('how do I use a hose?', 5)
    expect(first?.section.headings).toEqual(['With hose x'])
    const hits = await grep('HOSE ON', { limit: 5 })
    expect(hits.map(({ id }) => id)).toEqual([first?.section.id])
    expect(await grep('week', { limit: 5 })).toEqual([])
    expect(await grep(' ', { limit: 5 })).toEqual([])
  })

  test('a library returns the Markdown of a page, or of a section with its subsections', async () => {
    const { read, grep } = await openLibrary(deploymentOf(site), { reader: SIGNED_IN })
    const [hit] = await grep('hose on', { limit: 1 })
    const id = hit?.id
    expect(await read('/v2/water')).toContain('# Water')
    expect(await read(`/v2/water#${id}`)).toBe(
      '## With `hose` [x](/v2/water)\n\n```sh\n# run\nhose on\n```\n\n### Slowly\n\nYes.',
    )
    expect(await read('/v2/water#nothing')).toBeUndefined()
    expect(await read('/v1/water')).toBeUndefined()
    expect(await read('/../secret')).toBeUndefined()
  })
})

describe('the library of a site with access labels', () => {
  const site = new TemporarySite(LABELLED_SITE)
  beforeAll(() => site.build())
  afterAll(() => site[Symbol.dispose]())

  test.each([
    ['an anonymous reader', reader(false)],
    ['a reader with access', SIGNED_IN],
    ['a reader in group a', reader(true, 'a')],
    ['a reader in both groups', reader(true, 'a', 'b')],
  ])('in a library, %s finds exactly the pages they may read', async (_, who) => {
    const deployment = deploymentOf(site)
    const scopes = [...new Set(deployment.root.search.map(({ scope }) => scope))]
    for (const scope of scopes) {
      const library = await openLibrary(deployment, { scope, reader: who })
      const { search, grep, read } = library
      const { pages } = await library.pages(ALL)
      const known = new Set(pages.map(({ path }) => path))
      for (const { label, path, text, title } of LABELLED_PAGES) {
        if (!mayRead(who, label)) expect(known).not.toContain(path)
        const pageExists = known.has(path)
        expect((await grep(text, { limit: 9 })).length > 0, `${path} by text`).toBe(pageExists)
        const hits = await search(`${title} ${text}`, 20)
        expect(hits.some(({ section }) => section.page.path === path)).toBe(pageExists)
        expect(hits.every(({ section }) => known.has(section.page.path))).toBe(true)
        expect((await read(`/${path}`)) !== undefined, `${path} is read`).toBe(pageExists)
      }
    }
    const all = await Promise.all(
      scopes.map(async (scope) => {
        const library = await openLibrary(deployment, { scope, reader: who })
        return (await library.pages(ALL)).pages
      }),
    )
    const seen = new Set(all.flat().map(({ path }) => path))
    // Unlisted pages are omitted, because a library does not find them either.
    const open = LABELLED_PAGES.filter((page) => page.isListed && mayRead(who, page.label))
    expect(open.filter(({ path }) => !seen.has(path))).toEqual([])
  })
})
