/** Whole builds of a site whose specification has overlays. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TemporarySite } from '../../testing/temporary-site.ts'

const CONFIG = JSON.stringify({
  name: 'Plants',
  contextual: { options: ['download-spec'] },
  navigation: {
    tabs: [{ tab: 'API', openapi: { source: 'api/openapi.yaml', overlays: ['api/public.yaml'] } }],
  },
})
const FILES = {
  'docs.json': CONFIG,
  'api/openapi.yaml': `openapi: 3.1.0
info: { title: Plants, version: '1' }
paths:
  /plants: { $ref: paths/plants.yaml }
`,
  'api/paths/plants.yaml': `get: { summary: List plants, responses: { '200': { description: Plants. } } }
post: { summary: Secret operation, responses: { '201': { description: Added. } } }
`,
  'api/public.yaml': `overlay: 1.0.0
info: { title: Public API, version: '1' }
actions:
  - target: $.paths['/plants'].post
    remove: true
  - target: $.paths['/plants'].get
    update: { summary: List all plants, description: 'See [soil](/soil).' }
`,
}
const PAGE = 'api-reference/list-all-plants/index.html'

test('pages and the download show what overlays made, and nothing that they removed', async () => {
  using site = new TemporarySite(FILES)
  const built = await site.build()
  expect(built.diagnostics.map(({ code, place }) => [code, place.file, place.line])).toEqual([
    ['link/broken', 'api/public.yaml', 7],
  ])
  expect(site.read(PAGE)).toContain('List all plants')
  expect(site.read('api/openapi.yaml')).toBe(`openapi: "3.1.0"
info:
  title: Plants
  version: "1"
paths:
  /plants:
    get:
      summary: List all plants
      responses:
        "200":
          description: Plants.
      description: "See [soil](/soil)."
`)
  const files = Object.keys(site.hashes())
  expect(files.filter((file) => /^api\/.*yaml$/.test(file))).toEqual(['api/openapi.yaml'])
  for (const file of files) expect(site.read(file)).not.toContain('Secret operation')
})

test('an edit of an overlay changes the pages, like a build without a cache', async () => {
  using site = new TemporarySite(FILES)
  await site.build()
  site.write({ 'api/public.yaml': FILES['api/public.yaml'].replace('See [soil](/soil).', 'New.') })
  await site.build()
  expect(site.read(PAGE)).toContain('New.')
  const hashes = site.hashes()
  await site.build({ output: join(site.root, 'cold'), cacheFolder: join(site.root, 'cache-2') })
  expect(hashes).toEqual(site.hashes('cold'))
})

test('untrusted authors get the same pages, which other processes compile', async () => {
  using site = new TemporarySite(FILES)
  await site.build()
  await site.build({
    isTrusted: false,
    output: join(site.root, 'other'),
    cacheFolder: join(site.root, 'cache-2'),
  })
  expect(site.hashes('other')[PAGE]).toBe(site.hashes()[PAGE])
})

test('an overlay that cannot be read leaves no specification to download', async () => {
  using site = new TemporarySite({ ...FILES, 'api/public.yaml': '[' })
  const built = await site.build()
  expect(built.diagnostics.map(({ code }) => code)).toContain('openapi/unreadable')
  expect(existsSync(join(site.root, 'out/api'))).toBe(false)
})
