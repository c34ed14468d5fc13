/**
 * The gallery shows every component in every variant, and its golden files have the expected HTML.
 * `npm test -- -u` updates them; review the diff.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPageParser } from '@octavo/content'
import { describe, expect, test } from 'vitest'
import { breakLines } from '../../testing/break-lines.ts'
import { testIcons } from '../../testing/few-icons.ts'
import { unsafeHtml } from '../../testing/unsafe-html.ts'
import { createHighlighter } from '../highlight/create-highlighter.ts'
import { loadMath } from '../math/load-math.ts'
import { codeLanguages, renderContent } from './render-content.ts'

const GALLERY = join(import.meta.dirname, '../../../../fixtures/sites/gallery')
const pages = readdirSync(GALLERY, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.mdx'))
  .toSorted()

const parse = createPageParser({ read: () => undefined })
const highlighter = createHighlighter()
const math = await loadMath()
const icons = testIcons()

describe.each(pages)('gallery page %s', (file) => {
  test('a gallery page matches its golden file', async () => {
    const page = parse(file, readFileSync(join(GALLERY, file), 'utf8'))
    expect(page.diagnostics).toEqual([])
    await highlighter.load(codeLanguages(page.children))
    const html = renderContent(page.children, {
      highlight: highlighter.highlight,
      icons,
      math,
    })
    expect(unsafeHtml(html)).toEqual([])
    const golden = file.replaceAll(/[/\\]/g, '-').replace(/\.mdx$/, '.html')
    await expect(breakLines(html)).toMatchFileSnapshot(join(GALLERY, 'expected', golden))
  })

  test('a gallery page has no duplicate IDs and no broken fragment links', () => {
    const page = parse(file, readFileSync(join(GALLERY, file), 'utf8'))
    const html = renderContent(page.children, { highlight: (text) => [text] })
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map((match) => match[1])
    expect(ids).toEqual([...new Set(ids)])
    const targets = [
      ...html.matchAll(/ (?:href="#|for="|aria-labelledby="|aria-describedby=")([^"]+)"/g),
    ]
    expect(targets.map((match) => match[1]).filter((target) => !ids.includes(target))).toEqual([])
  })
})
