/**
 * Measures how long an author waits for `octavo dev`, compared with VitePress and Starlight.
 * It measures the time from the command to the first page on screen, and from a save to the changed
 * text on screen, in Chromium. Other tools have the same pages, each in a folder where it is
 * installed (`npm install vitepress`, `npm install astro @astrojs/starlight`).
 *
 *   npm run lab bench/dev -- [--pages 1000,20000] [--edits 20] [--vitepress folder] [--starlight folder]
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { type DevTool, measureTool } from './dev/measure-tool.ts'
import { printCount, starlight, vitepress } from './dev/peers.ts'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '1000,20000' },
    edits: { type: 'string', default: '20' },
    vitepress: { type: 'string' },
    starlight: { type: 'string' },
  },
})
const sizes = values.pages.split(',').map(Number)
const work = mkdtempSync(join(tmpdir(), 'octavo-bench-dev-'))
const root = join(import.meta.dirname, '../..')
// The built package is measured, because our TypeScript sources would have to be transpiled at each
// start.
execFileSync(process.execPath, [join(root, 'scripts/build.ts')], { stdio: 'ignore' })
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})
try {
  console.log('                              to first paint   save to screen: median, worst')
  for (const pages of sizes) await measureTwice(octavo(pages), { lastPath: '/llms.txt' })
  const [pages = 1_000] = sizes
  if (values.vitepress !== undefined) await measureTwice(vitepress(values.vitepress, pages))
  if (values.starlight !== undefined) await measureTwice(starlight(values.starlight, pages))
} finally {
  await browser.close()
  rmSync(work, { recursive: true, force: true })
}

/** Measures a tool twice: the first start has no cache, and the second one is the typical case. */
async function measureTwice(tool: DevTool, options: { readonly lastPath?: string } = {}) {
  await measureTool(browser, { ...tool, name: `${tool.name}, first` }, { ...options, edits: 0 })
  await measureTool(browser, tool, { edits: Number(values.edits) })
}

function octavo(pages: number): DevTool {
  const folder = join(work, `octavo-${pages}`)
  const script = join(import.meta.dirname, 'site/make-site.mjs')
  const args = [script, '--tool', 'octavo', '--pages', `${pages}`, '--out', folder]
  execFileSync(process.execPath, args)
  const main = join(root, 'dist/octavo/lib/main.js')
  return {
    name: `octavo, ${printCount(pages)} pages`,
    command: (port) => [process.execPath, main, 'dev', folder, '--port', `${port}`],
    cwd: folder,
    path: '/t05/g05/page-00450',
    file: join(folder, 't05/g05/page-00450.mdx'),
  }
}
