/** Checks that the facts of compiled pages match what a browser finds in their HTML. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ATTACKS, attackSite, FOREIGN_IMAGES } from '../../testing/attack-pages.ts'
import { HAS_CHROMIUM, launchChromium } from '../../testing/chromium.ts'
import { TemporarySite } from '../../testing/temporary-site.ts'
import { loadSite } from '../load/load-site.ts'
import { planPages } from '../plan/plan-pages.ts'
import { HashedTree } from '../source/hashed-tree.ts'
import { readFolder } from '../source/read-folder.ts'
import { OperationCompiler } from './compile-operations.ts'
import { type CompiledPage, createPageCompiler } from './compile-page.ts'
import { type OriginKind, OriginSet, type Origins } from './origins.ts'
import { shownOf } from './shown-page.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const FIXTURES = join(ROOT, 'fixtures')
const attacks = new TemporarySite(attackSite([...ATTACKS, ...FOREIGN_IMAGES]))
/**
 * Octavo's docs, every page fixture, all site fixtures with a specification, a sample of the other
 * site fixtures, and pages by hostile authors.
 */
const SITES = [
  attacks.folder,
  join(ROOT, 'docs'),
  join(ROOT, 'packages/theme/testing'),
  ...foldersIn('pages'),
  ...foldersIn('sites').filter(
    (folder, index) => index % 4 === 0 || /openapi|gallery/.test(folder),
  ),
]

function foldersIn(kind: string): readonly string[] {
  const folder = join(FIXTURES, kind)
  return readdirSync(folder).map((name) => join(folder, name))
}

const compiled = new Map<string, CompiledPage>()
let browser: Browser | undefined

beforeAll(async () => {
  for (const folder of SITES)
    for (const [name, page] of await compile(folder)) compiled.set(name, page)
  if (HAS_CHROMIUM) browser = await launchChromium()
})

afterAll(async () => {
  attacks[Symbol.dispose]()
  await browser?.close()
})

/**
 * Compiles all pages of a folder, including unlisted pages. The folder need not be a complete site.
 */
async function compile(folder: string): Promise<ReadonlyMap<string, CompiledPage>> {
  const tree = new HashedTree(readFolder(folder))
  const { site } = loadSite(tree)
  const { read, factsOf } = tree
  const variables = site?.config.variables ?? {}
  const compilePage = createPageCompiler({ read, factsOf, variables, iconLibrary: undefined })
  const pages = new Map<string, CompiledPage>()
  for (const file of tree.files.filter((path) => /\.mdx?$/.test(path))) {
    pages.set(join(folder, file), await compilePage(file))
  }
  if (site === undefined) return pages
  const planned = planPages(site)
  const operations = new OperationCompiler({
    site,
    pages: planned.flatMap((page) => shownOf(page) ?? []),
    version: 'test',
    assets: tree,
  })
  for (const page of planned) {
    const shown = shownOf(page)
    if (shown !== undefined) pages.set(join(folder, page.path), await operations.compile(shown))
  }
  return pages
}

test('the tested sites have enough pages and enough pages with ids', () => {
  const pages = [...compiled.values()]
  expect(pages.length).toBeGreaterThan(300)
  expect(pages.filter(({ ids }) => ids.length > 0).length).toBeGreaterThan(100)
})

test('every section except the first has a unique id that exists on its page', () => {
  for (const [name, { sections, ids }] of compiled) {
    const [first, ...rest] = sections.map(({ id }) => id)
    expect(first, name).toBe('')
    expect(rest.length, name).toBe(new Set(rest).size)
    expect(
      rest.filter((id) => !ids.includes(id)),
      name,
    ).toEqual([])
  }
})

test('the recorded origins match the URLs in the HTML', () => {
  // Islands and playgrounds may connect to further hosts, which are not in the HTML.
  const pages = [...compiled].filter(
    ([, { islands, features }]) => islands === undefined && !features?.includes('playground'),
  )
  const noted = pages.map(([name, { origins }]) => [name, origins])
  expect(noted.filter(([, origins]) => origins !== undefined).length).toBeGreaterThan(3)
  expect(noted).toEqual(pages.map(([name, { html }]) => [name, originsInHtml(html)]))
})

const LOADING_TAG = /<(img|image|iframe|video|audio|source|track)\s([^>]*)>/g
const ADDRESS = /(?:^|\s)(src|srcset|poster|href|xlink:href)="([^"]*)"/g

/**
 * Finds origins independently of the builder. Attribute values are quoted and never contain `>`.
 */
function originsInHtml(html: string): Origins | undefined {
  const set = new OriginSet()
  for (const [, tag = '', attributes = ''] of html.matchAll(LOADING_TAG)) {
    for (const [, name = '', value = ''] of attributes.matchAll(ADDRESS)) {
      if (name === 'srcset') {
        for (const part of value.split(',')) set.add('images', part.trim().split(/\s/)[0] ?? '')
      } else set.add(kindOf(tag, name), value)
    }
  }
  return set.result()
}

function kindOf(tag: string, attribute: string): OriginKind {
  if (tag === 'iframe') return 'frames'
  return tag === 'img' || tag === 'image' || attribute === 'poster' ? 'images' : 'media'
}

describe.runIf(HAS_CHROMIUM)('page ids in a browser', () => {
  test('the recorded ids match those of the DOM', async () => {
    const tab = await browser?.newPage()
    const pages = [...compiled].map(([name, { html }]) => [name, html] as const)
    const found = await tab?.evaluate(`(${IDS_OF_PAGES})(${JSON.stringify(pages)})`)
    const noted = [...compiled].map(([name, { ids }]) => [name, ids.toSorted()])
    expect(found).toEqual(noted)
  })
})

/**
 * Code to run in the browser. It is a string because DOM types are not available here. No link
 * leads to a part of a drawing.
 */
const IDS_OF_PAGES = `(pages) => {
  const idsIn = (root) => [
    ...[...root.querySelectorAll('[id]:not(.oct-drawing *)')].map(({ id }) => id),
    ...[...root.querySelectorAll('template')].flatMap(({ content }) => idsIn(content)),
  ]
  return pages.map(([name, html]) => {
    const ids = new Set(idsIn(new DOMParser().parseFromString(html, 'text/html')))
    return [name, [...ids].filter((id) => !id.startsWith('icon:')).sort()]
  })
}`
