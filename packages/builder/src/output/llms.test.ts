import { BasePath, ROOT_PATH } from '@octavo/theme'
import { describe, expect, test } from 'vitest'
import type { PlannedPage } from '../plan/plan-pages.ts'
import { cutPages, LLMS_LENGTH_MAX, llmsTxt } from './llms.ts'

function pages(count: number, description: string): readonly PlannedPage[] {
  return Array.from({ length: count }, (_, index) => ({
    path: `p/${index}`,
    url: `/p/${index}`,
    title: `Page [${index}]`,
    description,
    frontmatter: { fields: {}, metadata: {} },
    entry: undefined,
    access: 'default',
    file: undefined,
    backing: undefined,
  }))
}

const EMPTY = {
  name: 'Site',
  description: undefined,
  specifications: [],
  parts: [{ label: 'API', url: '/_llms/api.txt', access: 'default' }],
  access: 'default',
  basePath: ROOT_PATH,
} as const

const list = (count: number, description: string) =>
  llmsTxt({ ...EMPTY, pages: pages(count, description) }).text

describe('a list of pages', () => {
  test('a list of pages contains the URL and description of each page', () => {
    expect(list(1, 'About\nit.')).toBe(
      '# Site\n\n## Docs\n\n- [Page \\[0\\]](/p/0.md): About it.\n\n## Sections\n\n- [API](/_llms/api.txt)\n',
    )
  })

  test('a heading is hidden from readers who may not see anything below it', () => {
    const specifications = [{ path: 'a.json', access: ['staff'] }]
    const { text, ranges } = llmsTxt({ ...EMPTY, pages: pages(1, 'x'), specifications })
    const start = text.indexOf('\n## OpenAPI')
    expect(ranges).toEqual([{ start, end: text.length, access: ['staff'] }])
  })

  test('a list of pages without room for the descriptions omits them', () => {
    const shorter = list(1_000, 'x'.repeat(250))
    expect(shorter).not.toContain('xxx')
    expect(shorter).toContain('(/p/999.md)')
    expect(shorter.length).toBeLessThan(LLMS_LENGTH_MAX)
  })
})

describe('more pages than fit in one list', () => {
  test('pages are split into lists that are short enough, with all pages and their descriptions', () => {
    const all = pages(3_000, 'About it.')
    const lists = cutPages(all, ROOT_PATH)
    expect(lists.length).toBeGreaterThan(1)
    expect(lists.flat()).toEqual(all)
    for (const own of lists) {
      const { text } = llmsTxt({ ...EMPTY, pages: own })
      expect(text.length).toBeLessThanOrEqual(LLMS_LENGTH_MAX)
      expect(text.match(/About it\./g)).toHaveLength(own.length)
    }
  })

  test("the length of a list includes the site's origin in URLs", () => {
    const basePath = new BasePath({ path: '/docs', origin: 'https://documentation.example.com' })
    const [first = []] = cutPages(pages(3_000, 'About it.'), basePath)
    expect(llmsTxt({ ...EMPTY, basePath, pages: first }).text.length).toBeLessThanOrEqual(
      LLMS_LENGTH_MAX,
    )
  })

  test('pages are not split if they fit into one list without their descriptions', () => {
    expect(cutPages(pages(1_000, 'x'.repeat(250)), ROOT_PATH)).toHaveLength(1)
  })
})
