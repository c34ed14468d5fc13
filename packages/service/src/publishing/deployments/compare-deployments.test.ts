import type { ManifestEntry } from '@octavo/model'
import { describe, expect, test } from 'vitest'
import { compareDeployments } from './compare-deployments.ts'

const PAGES = 40_000
const MS_MAX = 2_000

const page = (path: string, sha256: string): ManifestEntry => ({
  path,
  sha256,
  size: 1,
  type: 'text/markdown',
  access: 'default',
})

describe('the comparison of deployments', () => {
  test('a comparison lists added, changed, removed and moved pages', () => {
    const before = [page('a.md', '1'), page('b.md', '2'), page('c.md', '3')]
    const after = [page('a.md', '9'), page('moved/b.md', '2'), page('d.md', '4')]
    expect(compareDeployments(before, after).pages).toEqual({
      added: ['/d'],
      changed: ['/a'],
      removed: ['/c'],
      moved: [{ from: '/b', to: '/moved/b' }],
    })
  })

  test('comparing two sites without common addresses takes linear time', () => {
    const pagesIn = (folder: string) =>
      Array.from({ length: PAGES }, (_, at) => page(`${folder}/${at}.md`, String(at)))
    const startedAt = performance.now()
    const { pages } = compareDeployments(pagesIn('old'), pagesIn('new'))
    expect(performance.now() - startedAt).toBeQuick(MS_MAX)
    expect(pages.moved).toHaveLength(PAGES)
    expect(pages.added).toEqual([])
  })
})
