/**
 * Checks that a build has the same output in a folder and in memory, and with and without worker
 * processes.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { REFERENCE } from '../../testing/rich-sites.ts'
import { TemporarySite } from '../../testing/temporary-site.ts'
import { MemoryStore } from '../cache/memory-store.ts'
import { MemoryOutput } from '../output/memory-output.ts'
import type { SiteOutput } from '../output/site-output.ts'
import { memoryTree } from '../source/memory-tree.ts'
import { readFolder } from '../source/read-folder.ts'
import { buildTree } from './build-tree.ts'

const GALLERY = join(import.meta.dirname, '../../../../fixtures/sites/gallery')
const cacheFolder = mkdtempSync(join(tmpdir(), 'octavo-ports-'))
afterAll(() => rmSync(cacheFolder, { recursive: true, force: true }))

function filesOf(folder: string): Record<string, Uint8Array> {
  const tree = readFolder(folder)
  return Object.fromEntries(tree.files.map((path) => [path, readFileSync(join(folder, path))]))
}

function hashesOf(output: SiteOutput): Record<string, string> {
  return Object.fromEntries(output.entries().map(({ path, sha256 }) => [path, sha256]))
}

test.each([
  ['a gallery of components', filesOf(GALLERY)],
  ['a reference', REFERENCE],
])('%s has the same output when built in folders and in memory', async (_, files) => {
  using site = new TemporarySite()
  const texts = Object.entries(files).map(([path, content]) => [path, content.toString()])
  site.write(Object.fromEntries(texts))
  const inFolders = await site.build()
  const bytes = site.hashes()
  for (const isTrusted of [true, false]) {
    const output = new MemoryOutput()
    const result = await buildTree(memoryTree(files), () => output, {
      cacheFolder,
      version: 'test',
      workersMax: 1,
      isTrusted,
      store: () => new MemoryStore(),
    })
    expect(result.diagnostics).toEqual(inFolders.diagnostics)
    expect(hashesOf(output)).toEqual(bytes)
  }
})
