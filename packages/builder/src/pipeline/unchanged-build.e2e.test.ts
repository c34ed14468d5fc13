/** Checks builds of a folder in which nothing has changed. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { TemporarySite } from '../../testing/temporary-site.ts'

/** After this time, a file system gives a changed file another stamp. */
const TICK_MS = 2_100

const docs = (more: object) =>
  JSON.stringify({ name: 'Small', navigation: { pages: ['a'] }, ...more })
const PAGE = '---\ntitle: A\n---\nText with [a broken link](/b).\n'
const HOSTED = { api: { openapi: 'https://api.invalid/openapi.json' } }

test('a build without changes loads nothing, unless the site needs a URL', async () => {
  using site = new TemporarySite({ 'docs.json': docs({}), 'a.mdx': PAGE })
  using hosted = new TemporarySite({ 'docs.json': docs(HOSTED), 'a.mdx': PAGE })
  const built = await site.build()
  await setTimeout(TICK_MS)
  await site.build()
  await hosted.build()
  removePages(site)
  expect(await site.build()).toEqual({ ...built, compiledCount: 0, writtenCount: 0 })
  expect(lastBuilds(site)).toHaveLength(1)
  expect(lastBuilds(hosted)).toEqual([])
  site.write({ 'a.mdx': `${PAGE}More text.\n` })
  expect(await site.build()).toMatchObject({ compiledCount: 1 })
})

test('a build directly after an edit is remembered, and the next edit is noticed', async () => {
  using site = new TemporarySite({ 'docs.json': docs({}), 'a.mdx': PAGE })
  await site.build()
  removePages(site)
  expect(await site.build()).toMatchObject({ compiledCount: 0 })
  // The file keeps its size, and perhaps its time.
  site.write({ 'a.mdx': PAGE.replace('Text', 'Test') })
  expect(await site.build()).toMatchObject({ compiledCount: 1 })
})

/** Removes the compiled pages, so that a build which loads the site compiles them again. */
function removePages(site: TemporarySite): void {
  for (const name of cached(site)) {
    if (name.startsWith('pages-')) rmSync(join(site.root, 'cache', name))
  }
}

function lastBuilds(site: TemporarySite): readonly string[] {
  return cached(site).filter((name) => name.startsWith('built-'))
}

function cached({ root }: TemporarySite): readonly string[] {
  const folder = join(root, 'cache')
  return existsSync(folder) ? readdirSync(folder) : []
}
