import { expect, test } from 'vitest'
import { loadSite } from '../load/load-site.ts'
import { memoryTree } from '../source/memory-tree.ts'
import { describePages } from './describe-pages.ts'
import { planPages } from './plan-pages.ts'

test("a directory shows a page's description from its frontmatter or operation", () => {
  const { site } = loadSite(
    memoryTree({
      'docs.json':
        '{"navigation": {"groups": [{"group": "All", "openapi": "a.yaml", "pages": ["soil", "GET /plants", "plain"]}]}}',
      'soil.mdx': '---\ntitle: Soil\ndescription: What plants stand in.\n---\n',
      'plain.mdx': '',
      'a.yaml':
        'openapi: 3.1.0\ninfo: {title: A, version: "1"}\npaths: {/plants: {get: {summary: List, description: All **plants**., responses: {}}}}\n',
    }),
  )
  if (site === undefined) throw new Error('no site')
  const describe = describePages(planPages(site))
  expect(['soil', 'api-reference/list', 'plain'].map(describe)).toEqual([
    'What plants stand in.',
    'All plants.',
    undefined,
  ])
})
