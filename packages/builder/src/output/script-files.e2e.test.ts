/**
 * Tests the diagram library, which is large: only sites with diagrams that the build cannot
 * draw include it, and it is compiled only once.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TemporarySite } from '../../testing/temporary-site.ts'

const DIAGRAM = '---\ntitle: A\n---\n\n```mermaid\nsequenceDiagram\n  A->>B: Hi\n```\n'
const DRAWN = '---\ntitle: A\n---\n\n```mermaid\nflowchart LR\n  A --> B\n```\n'
const TEXT = '---\ntitle: A\n---\n\nNo diagram.\n'

function library(site: TemporarySite): readonly string[] {
  return Object.keys(site.hashes()).filter((path) => path.includes('/mermaid-'))
}

test('the diagram library is added with the first diagram, then kept, and removed with the last one', async () => {
  const docs = JSON.stringify({ name: 'Small', navigation: { pages: ['a'] } })
  using site = new TemporarySite({ 'docs.json': docs, 'a.mdx': TEXT })
  await site.build()
  expect(library(site)).toEqual([])

  site.write({ 'a.mdx': DIAGRAM })
  await site.build()
  expect(library(site).some((path) => path.endsWith('/mermaid.js'))).toBe(true)
  const cold = site.hashes()
  expect(await site.build()).toMatchObject({ writtenCount: 0, removedCount: 0 })

  // If one of its files is missing, the whole library is written again with the same bytes.
  rmSync(join(site.root, 'out', library(site).at(-1) ?? ''))
  await site.build()
  expect(site.hashes()).toEqual(cold)

  site.write({ 'a.mdx': TEXT })
  await site.build()
  expect(library(site)).toEqual([])
})

test('a site whose diagrams are all drawn by the build does not include the library', async () => {
  const docs = JSON.stringify({ name: 'Small', navigation: { pages: ['a'] } })
  using site = new TemporarySite({ 'docs.json': docs, 'a.mdx': DRAWN })
  await site.build()
  expect(library(site)).toEqual([])
  expect(site.read('a/index.html')).toContain('<div class="oct-drawing" tabindex="0"><svg')
})
