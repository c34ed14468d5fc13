/** Checks what the search index of a build finds and shows: synonyms, the site's name, API pages. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import type { IndexedPage } from '@octavo/search'
import { describe, expect, test } from 'vitest'
import { askSite } from '../../../testing/built-search.ts'
import { type Files, TemporarySite } from '../../../testing/temporary-site.ts'

const page = (title: string, text = 'Text.') => `---\ntitle: ${title}\n---\n\n${text}\n`
const docs = (name: string, pages: readonly unknown[], more: object = {}) =>
  JSON.stringify({ name, navigation: { pages }, ...more })

describe('synonyms of docs.json', () => {
  const PAGES: Files = {
    'index.mdx': page('Welcome'),
    'cluster.mdx': page('Kubernetes', 'A cluster.'),
    'login.mdx': page('Anmeldung', 'SAML.'),
  }
  const files = (search: object): Files => ({
    ...PAGES,
    'docs.json': docs('Garden', ['index', 'cluster', 'login'], { search }),
  })
  const GROUPS = { synonyms: [['k8s', 'kubernetes']] }

  test('a word finds the pages of its synonyms, in both directions', async () => {
    using site = new TemporarySite(files(GROUPS))
    await site.build()
    expect(await askSite(site, 'all', 'k8s')).toEqual(['/cluster'])
    expect(await askSite(site, 'all', 'kubernetes')).toEqual(['/cluster'])
    using without = new TemporarySite(files({}))
    await without.build()
    expect(await askSite(without, 'all', 'k8s')).toEqual([])
  })

  test('after a change of the synonyms, the output equals that of a cold build', async () => {
    using site = new TemporarySite(files(GROUPS))
    await site.build()
    const changed = files({ synonyms: [['sso', 'SAML']] })
    site.write(changed)
    await site.build()
    expect(await askSite(site, 'all', 'k8s')).toEqual([])
    expect(await askSite(site, 'all', 'sso')).toEqual(['/login'])
    using cold = new TemporarySite(changed)
    await cold.build()
    expect(site.hashes()).toEqual(cold.hashes())
  })
})

describe('the name of the site in a query', () => {
  const FILES: Files = {
    'index.mdx': page('Welcome', 'How to install Acme.'),
    'cli/install.mdx': page('acme install', 'Install packages. Install again.'),
    'install.mdx': page('Installation', 'Download it.'),
    'upgrade.mdx': page('Upgrade Acme', 'To the latest version.'),
  }
  const PATHS = ['index', 'cli/install', 'install', 'upgrade']

  test.each(['Acme', 'Acme Docs'])(
    'a query that ends with the name of %s is about the page without it',
    async (name) => {
      using site = new TemporarySite({ ...FILES, 'docs.json': docs(name, PATHS) })
      await site.build()
      const first = async (query: string) => (await askSite(site, 'all', query))[0]
      expect(await first('install acme')).toBe('/install')
      expect(await first('how do i install acme')).toBe('/install')
      expect(await first('upgrade acme')).toBe('/upgrade')
      // In front, the name belongs to the name of a command.
      expect(await first('acme install')).toBe('/cli/install')
    },
  )
})

test('search results of an API page have the words of the specification, and no interface text or sample', async () => {
  const specification = {
    openapi: '3.1.0',
    info: { title: 'Plants', version: '1' },
    servers: [{ url: 'https://api.example.com' }],
    paths: {
      '/plants': {
        post: {
          summary: 'Add a plant',
          description: 'Plants grow slowly.',
          requestBody: {
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { pot: { type: 'string', description: 'The pot it is in.' } },
                },
              },
            },
          },
          responses: { '200': { description: 'The new plant.' } },
        },
      },
    },
  }
  using site = new TemporarySite({
    'docs.json': docs('Garden', [{ group: 'API', openapi: 'openapi.json' }]),
    'openapi.json': JSON.stringify(specification),
  })
  await site.build()
  const data = join(site.root, 'out/_octavo/search-data/pages')
  const [folder = ''] = readdirSync(data)
  const shown = JSON.parse(
    inflateRawSync(readFileSync(join(data, folder, '0.bin'))).toString(),
  ) as IndexedPage
  expect(shown).toMatchObject({ method: 'POST', path: '/plants', title: 'Add a plant' })
  expect(shown.sections).toEqual([
    ['', '', 'Plants grow slowly.'],
    ['body', 'Body', expect.stringContaining('The pot it is in.')],
    ['responses', 'Responses', ''],
    ['response-200', 'Add a plant · 200', 'The new plant.'],
  ])
  expect(JSON.stringify(shown)).not.toMatch(/Try it|Copy|curl|api\.example\.com/)
})
