/**
 * Checks that a site with fetched fonts, drawn diagrams and social cards has the same bytes in each
 * build, whatever folder and cache it is built with.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startFontRegistry } from '../../testing/font-registry.ts'
import { TemporarySite } from '../../testing/temporary-site.ts'
import { networkFetcher } from '../load/fetchers.ts'

const RECORD = 'octavo-fonts.json'

const FILES = {
  'docs.json': JSON.stringify({
    name: 'Garden',
    theme: 'willow',
    colors: { primary: '#0f766e', light: '#2dd4bf' },
    fonts: { family: 'Garden Serif' },
    navigation: { groups: [{ group: 'Care', pages: ['index', 'water'] }] },
  }),
  'index.mdx': `---
title: Start
mode: custom
---

<Hero title="Know your plants" text="Guides for gardeners." />

\`\`\`mermaid
flowchart LR
  A[Seed] -->|water| B{Grows?}
  B -->|yes| C[Plant]
  B -->|no| A
\`\`\`
`,
  'water.mdx': `---
title: Water
---

\`npm\` and $E = mc^2$.

\`\`\`mermaid
stateDiagram-v2
  [*] --> Dry
  Dry --> Wet: rain
\`\`\`
`,
}

test('a site with fonts and diagrams has the same bytes cold, from the cache and in another folder', async () => {
  await using registry = await startFontRegistry()
  const build = async (site: TemporarySite, output: string) => {
    const fetcher = networkFetcher({
      cacheFolder: join(site.root, 'cache'),
      allowPrivateHosts: ['127.0.0.1'],
      registry: registry.origin,
      recordFolder: site.folder,
      now: () => 0,
    })
    const options = {
      siteUrl: 'https://docs.example.com',
      output: join(site.root, output),
      fetcher,
    }
    const { diagnostics } = await site.build(options)
    return { codes: diagnostics.map(({ code }) => code), files: site.hashes(output) }
  }

  using here = new TemporarySite(FILES)
  // The first build records the version of the font, which the author commits.
  expect((await build(here, 'first')).codes).toContain('font/unrecorded')
  const record = { [RECORD]: readFileSync(join(here.folder, RECORD), 'utf8') }

  using cold = new TemporarySite({ ...FILES, ...record })
  const { codes, files } = await build(cold, 'cold')
  expect(codes).toEqual([])
  expect(cold.read('index.html', 'cold')).toContain('<svg')
  expect((await build(cold, 'cached')).files).toEqual(files)

  using elsewhere = new TemporarySite({ ...FILES, ...record })
  expect((await build(elsewhere, 'rebuilt')).files).toEqual(files)
})
