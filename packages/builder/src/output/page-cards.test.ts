import { EMPTY_FRONTMATTER } from '@octavo/model'
import { expect, test } from 'vitest'
import { loadSite } from '../load/load-site.ts'
import type { PlannedPage } from '../plan/plan-pages.ts'
import { memoryTree } from '../source/memory-tree.ts'
import { MemoryOutput } from './memory-output.ts'
import { PageCards } from './page-cards.ts'

const CONFIG =
  '{"name": "Plants", "theme": "mint", "colors": {"primary": "#16a34a"}, "navigation": {"pages": ["a"]}}'

function sizeOfCard(pageCount: number): number {
  const tree = memoryTree({ 'docs.json': CONFIG, 'a.mdx': 'Text.' })
  const { site } = loadSite(tree)
  if (site === undefined) throw new Error('no site')
  const output = new MemoryOutput()
  const cards = new PageCards({
    config: site.config,
    output,
    version: '1',
    siteUrl: 'https://docs.example.com',
    pageCount,
    tree,
  })
  const page = { title: 'Moss', frontmatter: EMPTY_FRONTMATTER, access: 'default' }
  const image = cards.put(page as PlannedPage)
  return output.read(image?.url.slice(1) ?? '')?.length ?? 0
}

test('cards have a pattern on sites with up to 2,000 pages, and are plain on larger ones', () => {
  expect(sizeOfCard(2_000)).toBeGreaterThan(2 * sizeOfCard(2_001))
  expect(sizeOfCard(2_001)).toBeGreaterThan(0)
})
