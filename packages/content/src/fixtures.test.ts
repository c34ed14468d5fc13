/**
 * Tests every folder in fixtures/pages, a page for one rule. Its expected/ folder contains the tree
 * and the diagnostics in readable form, and the page after the fixes if there are any. To add a
 * case, add a folder; `npm test -- -u` writes its files.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatDiagnostic } from '@octavo/model'
import { describe, expect, test } from 'vitest'
import { applyPageFixes } from '../testing/apply-page-fixes.ts'
import { printTree } from '../testing/print-tree.ts'
import { createPageParser } from './parse-page.ts'

const PAGES = join(import.meta.dirname, '../../../fixtures/pages')

describe.each(readdirSync(PAGES))('fixture page %s', (name) => {
  const folder = join(PAGES, name)
  const read = (path: string) => {
    const file = join(folder, path)
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined
  }
  const file = existsSync(join(folder, 'page.md')) ? 'page.md' : 'page.mdx'
  const variables = JSON.parse(read('variables.json') ?? '{}')
  const parse = createPageParser({ read, variables })
  const page = parse(file, read(file) ?? '')

  test('the page tree is the recorded one', async () => {
    await expect(printTree(page.children)).toMatchFileSnapshot(join(folder, 'expected/tree.txt'))
  })

  test('the diagnostics of the page are the recorded ones', async () => {
    const actual = page.diagnostics.map((one) => `${formatDiagnostic(one)}\n`).join('\n')
    await expect(actual || '(none)\n').toMatchFileSnapshot(join(folder, 'expected/diagnostics.txt'))
  })

  test.runIf(page.diagnostics.some(({ fix }) => fix !== undefined))(
    'applying the fixes produces the recorded page, without further fixes or new mistakes',
    async () => {
      const { text, page: fixed, left } = applyPageFixes(parse, file, read(file) ?? '')
      expect(left).toBe(0)
      expect(fixed.diagnostics.length).toBeLessThan(page.diagnostics.length)
      await expect(text).toMatchFileSnapshot(join(folder, `expected/fixed-${file}`))
    },
  )
})
