/** Checks the files for agents at well-known URLs, in built sites. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtManifest } from '../../testing/built-manifest.ts'
import { TemporarySite } from '../../testing/temporary-site.ts'

const SPECIFICATION = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Plants', version: '1' },
  paths: { '/plants': { get: { summary: 'List', responses: { 200: { description: 'OK' } } } } },
})
const SKILL = '---\nname: water-plants\ndescription: Waters plants.\n---\n\n# Water\n'

describe('a site with an API and a skill', () => {
  const site = new TemporarySite({
    'docs.json': JSON.stringify({
      name: 'Garden',
      seo: { contentSignals: { search: true, aiTrain: false } },
      navigation: { groups: [{ group: 'API', openapi: 'api.json', pages: ['GET /plants'] }] },
    }),
    'api.json': SPECIFICATION,
    '.octavo/skills/water-plants/SKILL.md': SKILL,
    '.octavo/cache/notes.md': '# Not a page',
    '.mintlify/skills/water-plants/SKILL.md': SKILL.replace('Waters', 'Drowns'),
  })
  beforeAll(() => site.build({ siteUrl: 'https://example.com/docs/' }))
  afterAll(() => site[Symbol.dispose]())

  test('the API catalog links to the specification (RFC 9727)', () => {
    const href = 'https://example.com/docs/api.json'
    expect(JSON.parse(site.read('.well-known/api-catalog'))).toEqual({
      linkset: [
        {
          anchor: href,
          'service-desc': [{ href, type: 'application/json' }],
          'service-doc': [{ href: 'https://example.com/docs/', type: 'text/html' }],
        },
      ],
    })
    const rules = site.read('_headers')
    expect(rules).toContain('rel="api-catalog"')
    expect(rules).toMatch(
      /\/docs\/\.well-known\/api-catalog\n {2}Content-Type: application\/linkset\+json/,
    )
  })

  test('agent skills are listed with their digests, and those in .octavo take precedence', () => {
    const digest = createHash('sha256').update(SKILL).digest('hex')
    expect(JSON.parse(site.read('.well-known/agent-skills/index.json'))).toMatchObject({
      skills: [
        {
          name: 'water-plants',
          type: 'skill-md',
          description: 'Waters plants.',
          url: 'https://example.com/docs/.well-known/agent-skills/water-plants/SKILL.md',
          digest: `sha256:${digest}`,
        },
      ],
    })
    for (const folder of ['agent-skills', 'skills'])
      expect(site.read(`.well-known/${folder}/water-plants/SKILL.md`)).toBe(SKILL)
    expect(builtManifest(site).root.wellKnown).toEqual(['api-catalog', 'agent-skills'])
  })

  test('files in the folders of tools do not become pages', () => {
    expect(Object.keys(site.hashes()).filter((path) => /notes|^\.octavo\//.test(path))).toEqual([])
  })

  test('robots.txt has the configured content signals', () => {
    expect(site.read('robots.txt')).toContain('Content-Signal: search=yes, ai-train=no\n')
  })

  test("Markdown and lists contain absolute URLs if the site's URL is known", () => {
    expect(site.read('llms.txt')).toContain('](https://example.com/docs/')
    const note = '> For agents: [llms.txt](https://example.com/docs/llms.txt)'
    const [path = ''] = Object.keys(site.hashes()).filter((one) => /^(?!\.|_).*\.md$/.test(one))
    expect(site.read(path).startsWith(note)).toBe(true)
  })
})

test('a site without APIs and skills has no catalog or skill files and no content signals', async () => {
  using site = new TemporarySite({
    'docs.json': '{"name": "Garden", "navigation": {"pages": ["index"]}}',
    'index.mdx': '---\ntitle: Garden\n---\nText.\n',
  })
  await site.build()
  expect(existsSync(join(site.root, 'out/.well-known'))).toBe(false)
  expect(site.read('robots.txt')).toBe('User-agent: *\nAllow: /\n')
  expect(site.read('_headers')).not.toContain('api-catalog')
})

test('an API for only one group of readers is not in the catalog', async () => {
  using site = new TemporarySite({
    'docs.json': JSON.stringify({
      name: 'Garden',
      navigation: { groups: [{ group: 'API', openapi: 'api.json', pages: ['list'] }] },
    }),
    'api.json': SPECIFICATION,
    'list.mdx': '---\nopenapi: GET /plants\ngroups: [staff]\n---\n',
  })
  await site.build()
  expect(existsSync(join(site.root, 'out/.well-known/api-catalog'))).toBe(false)
})

test('a long page is split into several Markdown files but is complete in llms-full.txt', async () => {
  using site = new TemporarySite({
    'docs.json': '{"name": "Garden", "navigation": {"pages": ["log"]}}',
    'log.mdx': `---\ntitle: Log\n---\n${'A row of the log of the garden.\n\n'.repeat(3_000)}`,
  })
  const { diagnostics } = await site.build()
  expect(diagnostics).toMatchObject([{ code: 'content/long-markdown', place: { file: 'log.mdx' } }])
  const first = site.read('log.md')
  expect(first.length).toBeLessThanOrEqual(50_000)
  expect(first).toContain('[part 2 of 3](/_llms/log/part-2.md)')
  const rows = (text: string) => text.match(/A row/g)?.length ?? 0
  const parts = ['log.md', '_llms/log/part-2.md', '_llms/log/part-3.md'].map((file) =>
    site.read(file),
  )
  expect(parts.map(rows).reduce((sum, count) => sum + count, 0)).toBe(3_000)
  expect(rows(site.read('llms-full.txt'))).toBe(3_000)
  const before = site.hashes()
  await site.build()
  expect(site.hashes()).toEqual(before)
})
