/**
 * Checks that a page is reported if it crashes its process or takes too long, while other pages
 * still compile.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CompiledPage } from './compile-page.ts'
import { PagePool, type PoolOptions } from './page-pool.ts'

let folder = ''
let pool: PagePool | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-pool-'))
})

afterEach(() => {
  pool?.close()
  rmSync(folder, { recursive: true, force: true })
})

const SETTINGS = {
  version: 'test',
  variables: {},
  icons: undefined,
  api: undefined,
  languages: {},
  specificationPages: [],
}

async function compile(
  texts: Readonly<Record<string, string>>,
  options: Partial<PoolOptions> = {},
): Promise<Map<string, CompiledPage>> {
  for (const [file, text] of Object.entries(texts)) writeFileSync(join(folder, file), text)
  pool = new PagePool({ workersMax: 1, isRestricted: true, ...options })
  pool.use({
    root: folder,
    files: Object.keys(texts),
    settings: SETTINGS,
    hosted: {},
    overlays: {},
  })
  const jobs = Object.keys(texts)
    .filter((file) => file.endsWith('.mdx'))
    .map((file) => ({ kind: 'file' as const, file, code: () => [] }))
  const pages = new Map<string, CompiledPage>()
  await pool.compile(jobs, ({ file }, page) => pages.set(file, page))
  return pages
}

/** A page that keeps the interpreter busy for over a second, but stays within its limits. */
const SLOW_PAGE = Array.from(
  { length: 400 },
  (_, at) => `{Array.from({ length: 4000 }, (_, i) => i * ${at}).join('').length}`,
).join('\n\n')

describe('the page pool', () => {
  test('restricted and unrestricted processes compile pages with the same result', async () => {
    const texts = {
      'a.mdx': '# A\n\nText.',
      'b.mdx': 'B with `code`.',
      'typed.mdx': 'import { A } from "./typed.tsx"\n\n<A n={1} />',
      'typed.tsx': 'export const A = ({ n }: { n: number }) => <b>typed {n}</b>',
    }
    const restricted = await compile(texts)
    pool?.close()
    const open = await compile(texts, { isRestricted: false })
    expect([...restricted.keys()].toSorted()).toEqual(['a.mdx', 'b.mdx', 'typed.mdx'])
    expect(restricted.get('typed.mdx')?.html).toContain('<b>typed 1</b>')
    expect(Object.fromEntries(restricted)).toEqual(Object.fromEntries(open))
  })

  test('a page that takes too long is reported, and the other pages still compile', async () => {
    const pages = await compile(
      { 'slow.mdx': SLOW_PAGE, 'a.mdx': 'Quick.', 'b.mdx': 'Quick too.' },
      { limits: { pageTimeMsMax: 1, workerMemoryMbMax: 512 }, isRestricted: false },
    )
    expect(pages.get('slow.mdx')).toMatchObject({
      failed: true,
      diagnostics: [{ code: 'content/limit', place: { file: 'slow.mdx' } }],
    })
    expect(pages.size).toBe(3)
  })

  test('a page that exceeds the memory limit is reported', async () => {
    const pages = await compile(
      { 'a.mdx': 'Text.' },
      { limits: { pageTimeMsMax: 20_000, workerMemoryMbMax: 8 }, isRestricted: false },
    )
    expect(pages.get('a.mdx')).toMatchObject({
      failed: true,
      diagnostics: [{ message: expect.stringContaining('the compiler process crashed') }],
    })
  })

  test('a restricted process cannot read files outside the site', async () => {
    writeFileSync(join(folder, '..', 'octavo-pool-secret.mdx'), 'secret')
    const pages = await compile({
      'a.mdx': 'import Secret from "/../octavo-pool-secret.mdx"\n\n<Secret />',
    })
    rmSync(join(folder, '..', 'octavo-pool-secret.mdx'))
    expect(pages.get('a.mdx')?.html).not.toContain('secret')
  })
})
