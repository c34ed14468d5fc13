/**
 * How long an author waits: from the command to the first page on screen, and from a save to the
 * changed text on screen, in Chromium. Beside other tools with the same pages, each in a folder where
 * it is installed.
 *
 *   npm run bench:dev -- [--pages 1000,20000] [--edits 20] [--vitepress folder] [--starlight folder]
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { type DevTool, measureTool } from './dev/measure-tool.ts'
import { starlight, vitepress } from './dev/peers.ts'

/** Of larger sites the build behind is not waited for. */
const SETTLED_MAX = 5_000
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
const root = join(import.meta.dirname, '..')
// What users install: our sources with their types would have to be translated at each start.
execFileSync(process.execPath, [join(root, 'scripts/pack.ts')], { stdio: 'ignore' })
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})
try {
  console.log('                              to first paint   save to screen: median, worst')
  const edits = Number(values.edits)
  for (const pages of sizes) {
    const site = octavo(pages)
    // The first start of all reads every file and finds nothing made before; later ones are the rule.
    const lastPath = pages > SETTLED_MAX ? {} : { lastPath: '/llms.txt' }
    await measureTool(browser, { ...site, name: `${site.name}, first` }, { edits: 0, ...lastPath })
    await measureTool(browser, site, { edits })
  }
  const [pages = 1_000] = sizes
  if (values.vitepress !== undefined) {
    await measureTool(browser, vitepress(values.vitepress, pages), { edits })
  }
  if (values.starlight !== undefined) {
    await measureTool(browser, starlight(values.starlight, pages), { edits })
  }
} finally {
  await browser.close()
  rmSync(work, { recursive: true, force: true })
}

function octavo(pages: number): DevTool {
  const folder = join(work, `octavo-${pages}`)
  const script = join(import.meta.dirname, 'site/make-site.mjs')
  const args = [script, '--tool', 'octavo', '--pages', `${pages}`, '--out', folder]
  execFileSync(process.execPath, args)
  const main = join(root, 'dist/octavo/lib/main.js')
  return {
    name: `octavo, ${pages.toLocaleString('en-US')} pages`,
    command: (port) => [process.execPath, main, 'dev', folder, '--port', `${port}`],
    cwd: folder,
    path: '/t05/g05/page-00450',
    file: join(folder, 't05/g05/page-00450.mdx'),
  }
}
