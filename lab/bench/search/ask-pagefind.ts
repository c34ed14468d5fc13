/**
 * Indexes the same pages with Pagefind, and queries it in a browser, because Pagefind runs there.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { close, createIndex } from 'pagefind'
import { chromium } from 'playwright-core'
import { serveFolder } from '../../../packages/builder/testing/serve-folder.ts'

type Ask = (queries: readonly string[]) => Promise<readonly (readonly string[])[]>

/**
 * Returns the URLs for each query, with at most three headings per page, as in Pagefind's own
 * dialog.
 */
export async function withPagefind(
  site: string,
  language: string,
  use: (ask: Ask) => Promise<void>,
): Promise<void> {
  const copy = mkdtempSync(join(tmpdir(), 'octavo-pagefind-'))
  cpSync(site, copy, { recursive: true })
  const { index } = await createIndex({ rootSelector: 'main', forceLanguage: language })
  await index?.addDirectory({ path: copy })
  await index?.writeFiles({ outputPath: join(copy, 'pagefind') })
  await close()
  const server = await serveFolder(copy, { readsHeaders: false })
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  try {
    const page = await (await browser.newContext({ bypassCSP: true })).newPage()
    await page.goto(`${server.origin}/robots.txt`)
    await use((queries) => page.evaluate(askAll, [...queries]))
  } finally {
    await browser.close()
    await server.close()
    rmSync(copy, { recursive: true, force: true })
  }
}

type Pagefind = {
  readonly search: (query: string) => Promise<{
    readonly results: readonly { readonly data: () => Promise<PagefindPage> }[]
  }>
}

type PagefindPage = {
  readonly url: string
  readonly sub_results: readonly {
    readonly url: string
    readonly weighted_locations: readonly { readonly balanced_score: number }[]
  }[]
}

/** Queries Pagefind. This function runs in the browser. */
async function askAll(queries: string[]): Promise<string[][]> {
  const address = '/pagefind/pagefind.js'
  const pagefind = (await import(address)) as Pagefind
  const answers: string[][] = []
  const total = ({ weighted_locations }: PagefindPage['sub_results'][number]) =>
    weighted_locations.reduce((sum, { balanced_score }) => sum + balanced_score, 0)
  for (const query of queries) {
    const { results } = await pagefind.search(query)
    const pages = await Promise.all(results.slice(0, 5).map(({ data }) => data()))
    const urls = pages.flatMap(({ sub_results }) =>
      [...sub_results]
        .sort((a, b) => total(b) - total(a))
        .slice(0, 3)
        .map(({ url }) => url),
    )
    answers.push(urls)
  }
  return answers
}
