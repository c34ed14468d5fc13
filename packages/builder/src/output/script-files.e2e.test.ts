/** The library for diagrams is large: only sites that draw have it, and no build compiles it twice. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TemporarySite } from '../../testing/temporary-site.ts'

const DIAGRAM = '---\ntitle: A\n---\n\n```mermaid\nflowchart LR\n  A --> B\n```\n'
const TEXT = '---\ntitle: A\n---\n\nNo diagram.\n'

function library(site: TemporarySite): readonly string[] {
  return Object.keys(site.hashes()).filter((path) => path.includes('/mermaid-'))
}

test('the library comes with the first diagram, stays without being written, and goes with the last', async () => {
  const docs = JSON.stringify({ name: 'Small', navigation: { pages: ['a'] } })
  using site = new TemporarySite({ 'docs.json': docs, 'a.mdx': TEXT })
  await site.build()
  expect(library(site)).toEqual([])

  site.write({ 'a.mdx': DIAGRAM })
  await site.build()
  expect(library(site).some((path) => path.endsWith('/mermaid.js'))).toBe(true)
  const cold = site.hashes()
  expect(await site.build()).toMatchObject({ writtenCount: 0, removedCount: 0 })

  // One file of it is lost: all of it is made again, the same.
  rmSync(join(site.root, 'out', library(site).at(-1) ?? ''))
  await site.build()
  expect(site.hashes()).toEqual(cold)

  site.write({ 'a.mdx': TEXT })
  await site.build()
  expect(library(site)).toEqual([])
})
