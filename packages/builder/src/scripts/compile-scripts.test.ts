/**
 * Checks the size of the scripts that readers download, and the caching of scripts between builds.
 */

import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import {
  HEAD_SCRIPT,
  HEAD_SCRIPT_HASH,
  PAUSE_SCRIPT,
  PAUSE_SCRIPT_HASH,
  SECTION_SCRIPT,
  SECTION_SCRIPT_HASH,
  TREE_SCRIPT,
  TREE_SCRIPT_HASH,
} from '@octavo/theme'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { islandAssets } from '../islands/island-assets.ts'
import { type CompiledScripts, compileScripts } from './compile-scripts.ts'
import { loadHostScripts } from './host-scripts.ts'
import { loadScripts } from './load-scripts.ts'

/**
 * Maximum compressed bytes of each script. A script should exceed its budget only for a good
 * reason. Budgets are 1% above the current size, because renaming a function changes the Brotli
 * size by up to 30 bytes.
 */
const BUDGETS: Readonly<Record<string, number>> = {
  head: 900,
  // Only used on sites in which versions, tabs or similar divisions share pages.
  section: 650,
  // The next two are only used on sites with large sections.
  tree: 180,
  'sidebar-tree': 350,
  site: 2_400,
  navigation: 900,
  // Only loaded when a reader opens the drawer of a narrow screen.
  drawer: 1_490,
  'page-menu': 300,
  // This script also sends search events to the host, filters by tab and knows the site's synonyms.
  'search-dialog': 10_560,
  // Only used on the not-found page.
  'suggest-pages': 800,
  // Only used on sites with access labels.
  'open-joined': 500,
  tabs: 1_050,
  filters: 700,
  // Images, and diagrams that the build has drawn.
  zoom: 442,
  copy: 400,
  'old-address': 250,
  banner: 150,
  diagrams: 1_250,
  // Only used on API pages.
  api: 515,
  // Loads nested fields, lights the lines of fields in samples, and finds fields by name.
  fields: 1_870,
  // Paths of the site, which several scripts share.
  chunk: 200,
  'open-playground': 40_000,
  // Only used on sites with third-party tools.
  integrations: 1_010,
  // Only used on sites that also have a consent manager.
  'asking integrations': 1_215,
  'island loader': 700,
  'island runtime': 10_500,
}

function sizeOf(code: string): number {
  return brotliCompressSync(code).length
}

describe('page scripts', () => {
  let scripts: CompiledScripts

  beforeAll(async () => {
    scripts = await compileScripts()
  })

  test('each page script has a size budget and does not exceed it', async () => {
    const { loader, runtime } = await islandAssets()
    const sizes = new Map([
      ['head', sizeOf(HEAD_SCRIPT)],
      ['section', sizeOf(SECTION_SCRIPT)],
      ['tree', sizeOf(TREE_SCRIPT)],
      ...[scripts.site, ...scripts.lazy].map(
        ({ name, code }) => [name.replace(/-\w+\.js$/, ''), sizeOf(code)] as const,
      ),
      ['integrations', sizeOf(scripts.integrations)],
      ['asking integrations', sizeOf(scripts.integrationsWithConsent)],
      ['island loader', sizeOf(loader.code)],
      ['island runtime', sizeOf(runtime.code)],
    ])
    expect([...sizes.keys()].toSorted()).toEqual(Object.keys(BUDGETS).toSorted())
    for (const [name, size] of sizes) expect(size, name).toBeLessThanOrEqual(BUDGETS[name] ?? 0)
  })

  test('the scripts that every page loads have at most 3.2 KB in two pieces', () => {
    expect(sizeOf(HEAD_SCRIPT) + sizeOf(scripts.site.code)).toBeLessThanOrEqual(3_200)
    // A static import would add a request on every page.
    expect(scripts.site.code).not.toMatch(/(?:^|;)import\s*[{"']/)
  })

  test('page scripts send requests to no other origin and do not evaluate strings', () => {
    const tools = { name: 'integrations', code: scripts.integrationsWithConsent }
    for (const { name, code } of [scripts.site, ...scripts.lazy, tools]) {
      expect(code, name).not.toMatch(/https?:\/\/(?!www\.w3\.org)/)
      expect(code, name).not.toMatch(/\beval\(|\bFunction\(/)
    }
  })

  test('page scripts have the same names and bytes in every compilation', async () => {
    expect(await compileScripts()).toEqual(scripts)
  })
})

test.each([
  ['in the head', HEAD_SCRIPT, HEAD_SCRIPT_HASH],
  ['after the header', PAUSE_SCRIPT, PAUSE_SCRIPT_HASH],
  ['for shared pages', SECTION_SCRIPT, SECTION_SCRIPT_HASH],
  ['in a large sidebar', TREE_SCRIPT, TREE_SCRIPT_HASH],
])('the hash in the policy matches the inline script %s', (_, script, allowed) => {
  const hash = createHash('sha256').update(script).digest('base64')
  expect(allowed).toBe(`sha256-${hash}`)
  expect(script).not.toContain('</')
})

describe('scripts that a service adds to pages', () => {
  test('service scripts do not exceed their size budgets in any language', async () => {
    const { loader, panel, proof, languages, dashboard, readerLinks, listener, feedback, ...more } =
      await loadHostScripts()
    // The budget of all that a page with samples loads for it is 1 KB: this script, hashes in the
    // page, and the results.
    expect(sizeOf(more.sampleResults(['en']))).toBeLessThanOrEqual(882)
    // The listener is on every page of a hosted site, but the feedback script is only loaded where
    // feedback is enabled.
    expect(sizeOf(listener)).toBeLessThanOrEqual(300)
    for (const language of languages)
      expect(sizeOf(feedback(language)), language).toBeLessThanOrEqual(3_500)
    expect(feedback('de')).toContain('War diese Seite hilfreich?')
    expect(feedback('xx')).toBe(feedback('en'))
    expect(sizeOf(readerLinks(true, ['en']))).toBeLessThanOrEqual(850)
    expect(readerLinks(false, ['de'])).toContain('Anmelden')
    expect(sizeOf(proof)).toBeLessThanOrEqual(2_000)
    expect(sizeOf(loader(['en']))).toBeLessThanOrEqual(1_024)
    expect(sizeOf(dashboard)).toBeLessThanOrEqual(3_000)
    expect(languages).toHaveLength(30)
    for (const language of languages)
      expect(sizeOf(panel(language)), language).toBeLessThanOrEqual(15_000)
    expect(panel('ja')).toContain('アシスタント')
    expect(panel('xx')).toBe(panel('en'))
  })

  test('service scripts use no other origin, parse no HTML and do not evaluate strings', async () => {
    const { loader, previewLoader, panel, proof, previewBar, dashboard, readerLinks, ...events } =
      await loadHostScripts()
    const { listener, feedback, sampleResults } = events
    const plain = [
      loader(['en']),
      previewLoader([]),
      panel('en'),
      previewBar,
      readerLinks(true, []),
      listener,
      feedback('en'),
      sampleResults(['de']),
    ]
    for (const code of [...plain, proof, dashboard])
      expect(code).not.toMatch(/https?:\/\/(?!www\.w3\.org)|\beval\(|\bFunction\(/)
    const own = [loader(['en']), panel('en'), dashboard, readerLinks(true, [])]
    for (const code of [...own, listener, feedback('en'), sampleResults(['en'])])
      expect(code).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser/)
  })
})

describe('cached scripts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-scripts-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const load = (name: string, version = 'one') =>
    loadScripts({ cacheFolder: join(folder, name), version })

  test('cached scripts are read from the cache and not compiled again', async () => {
    const first = await load('a')
    const [file = ''] = readdirSync(join(folder, 'a'))
    const path = join(folder, 'a', file)
    const changed = { ...first, site: { ...first.site, code: '// from the cache' } }
    writeFileSync(path, JSON.stringify(changed))
    expect(await load('a')).toEqual(changed)
  })

  test('cached scripts of another builder version are ignored', async () => {
    cpSync(join(folder, 'a'), join(folder, 'b'), { recursive: true })
    expect((await load('b', 'two')).site.code).not.toContain('from the cache')
  })

  test.each([
    '',
    '{',
    'null',
    '{"site":{"name":"../../x.js","code":""},"lazy":[],"mermaidFolder":"m","styles":{}}',
    '{"site":{"name":"x.js","code":""},"lazy":[],"mermaidFolder":"m","styles":{"a.css":1}}',
    '{"site":{"name":"x.js","code":""},"lazy":[],"mermaidFolder":"m"}',
  ])('broken cached scripts are compiled again: %s', async (text) => {
    const first = await load('c')
    const [file = ''] = readdirSync(join(folder, 'c'))
    writeFileSync(join(folder, 'c', file), text)
    expect(await load('c')).toEqual(first)
    expect(JSON.parse(readFileSync(join(folder, 'c', file), 'utf8'))).toEqual(first)
  })
})
