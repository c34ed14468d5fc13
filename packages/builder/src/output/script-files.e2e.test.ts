/**
 * The diagram library is large: only sites with diagrams include it, and it is compiled only once.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TemporarySite } from '../../testing/temporary-site.ts'

const DIAGRAM = '---\ntitle: A\n---\n\n```mermaid\nflowchart LR\n  A --> B\n```\n'
const TEXT = '---\ntitle: A\n---\n\nNo diagram.\n'

function library(site: TemporarySite): readonly string[] {
  return Object.keys(site.hashes()).filter((path) => path.includes('/mermaid-'))
}

test('the diagram library is added with the first diagram, kept, and removed with the last', async () => {
  const docs = JSON.stringify({ name: 'Small', navigation: { pages: ['a'] } })
  using site = new TemporarySite({ 'docs.json': docs, 'a.mdx': TEXT })
  await site.build()
  expect(library(site)).toEqual([])

  site.write({ 'a.mdx': DIAGRAM })
  await site.build()
  expect(library(site).some((path) => path.endsWith('/mermaid.js'))).toBe(true)
  const cold = site.hashes()
  expect(await site.build()).toMatchObject({ writtenCount: 0, removedCount: 0 })

  // If one file is missing, the whole library is written again with the same bytes.
  rmSync(join(site.root, 'out', library(site).at(-1) ?? ''))
  await site.build()
  expect(site.hashes()).toEqual(cold)

  site.write({ 'a.mdx': TEXT })
  await site.build()
  expect(library(site)).toEqual([])
})
