import { describe, expect, test } from 'vitest'
import { AGENTS_MD_BYTES_MAX, agentsMd } from './agents-md.ts'

const url = 'https://example.com/docs/'
const pagesOf = (folders: number, count: number, title = 'A page') =>
  Array.from({ length: folders }, (_, folder) =>
    Array.from({ length: count }, (__, index) => ({ url: `/part-${folder}/page-${index}`, title })),
  ).flat()

describe('index for AGENTS.md', () => {
  test('the index for AGENTS.md lists the pages of each folder with their titles', () => {
    const pages = [
      { url: '/', title: 'Welcome' },
      { url: '/guides/start', title: 'Start  here' },
      { url: '/guides/deploy', title: 'Deploy' },
    ]
    expect(agentsMd({ name: 'Garden', url, pages })).toBe(
      [
        '<!-- octavo agents-md -->',
        '## Garden documentation',
        '',
        'Read these pages before you use Garden: they are newer than what you remember. Each page is Markdown at `https://example.com/docs<path>.md`; `https://example.com/docs/llms.txt` lists all pages.',
        '',
        '- /: index (Welcome)',
        '- /guides/: start (Start here), deploy (Deploy)',
        '',
      ].join('\n'),
    )
  })

  test.each([
    ['few pages', pagesOf(2, 3), 'page-0 (A page)'],
    ['many pages', pagesOf(10, 50), '/part-3/: page-0, page-1'],
    ['very many pages', pagesOf(50, 200), '- /part-3/: 200 pages'],
    ['more folders than there is room for', pagesOf(2_000, 1), 'More folders are in llms.txt.'],
    ['titles in Chinese characters', pagesOf(10, 20, '始'.repeat(40)), '/part-9/: page-0, page-1'],
  ])('the index for AGENTS.md has at most 8 KB if the site has %s', (_, pages, text) => {
    const printed = agentsMd({ name: 'Garden', url: undefined, pages })
    expect(Buffer.byteLength(printed)).toBeLessThanOrEqual(AGENTS_MD_BYTES_MAX)
    expect(printed).toContain(text)
  })
})
