import { expect, test } from 'vitest'
import { TemporarySite } from '../../testing/temporary-site.ts'

test("`markdown.instructions` is appended to each page's Markdown and is in llms.txt", async () => {
  const config = {
    name: 'Garden',
    navigation: { pages: ['index'] },
    markdown: { instructions: ['Cite the page.', 'Ask before you plant.'] },
  }
  using site = new TemporarySite({
    'docs.json': JSON.stringify(config),
    'index.mdx': '---\ntitle: Start\n---\n\nText.\n',
  })
  await site.build()
  expect(site.read('index.md')).toBe(
    '> For agents: [llms.txt](/llms.txt) lists all pages of this documentation.\n\n# Start\n\nText.\n\n---\n\nCite the page.\n\nAsk before you plant.\n',
  )
  expect(site.read('llms.txt')).toContain('# Garden\n\nCite the page.\n\nAsk before you plant.\n')
  expect(site.read('index.html')).not.toContain('Cite the page.')
})
