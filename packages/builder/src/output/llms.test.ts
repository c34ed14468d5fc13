import { ROOT_PATH } from '@octavo/theme'
import { describe, expect, test } from 'vitest'
import type { PlannedPage } from '../plan/plan-pages.ts'
import { llmsTxt } from './llms.ts'

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

const list = (count: number, description: string) =>
  llmsTxt({
    name: 'Site',
    description: undefined,
    pages: pages(count, description),
    specifications: [],
    parts: [{ label: 'API', url: '/_llms/api.txt', access: 'default' }],
    access: 'default',
    basePath: ROOT_PATH,
  }).text

describe('a list of pages', () => {
  test('says where each is and what it is about', () => {
    expect(list(1, 'About\nit.')).toBe(
      '# Site\n\n## Docs\n\n- [Page \\[0\\]](/p/0.md): About it.\n\n## Sections\n\n- [API](/_llms/api.txt)\n',
    )
  })

  test('that is too long leaves descriptions out, then pages, and says so', () => {
    const shorter = list(1_000, 'x'.repeat(250))
    expect(shorter).not.toContain('xxx')
    expect(shorter).toContain('(/p/999.md)')
    const cut = list(10_000, 'x')
    expect(cut.length).toBeLessThan(100_200)
    expect(cut).toMatch(/\n- \d+ more pages are in the sections and in \[llms-full\.txt\]/)
    expect(cut).toContain('- [API](/_llms/api.txt)')
  })
})
