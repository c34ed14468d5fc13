/**
 * Measures the cost of counting a view: CPU time per page with and without it.
 * Two projects have the same pages, and one of them counts nothing
 * (`integrations.telemetry.enabled: false`). The same requests go to both in alternating pairs,
 * from 1,000 addresses, some with a referrer from another site.
 *
 *   npm run lab bench/count-views
 *
 * Linux only. Needs wrk (`apt-get install wrk`).
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startHosting } from '../../packages/service/testing/start-hosting.ts'
import { compareCost, needWrk } from './pages/page-cost.ts'

const RATIO_MAX = 1.05
const PAGES = ['index', 'one', 'two', 'three', 'four']
const filesOf = (isCounted: boolean) => ({
  'docs.json': JSON.stringify({
    name: 'Bench',
    navigation: { pages: PAGES },
    ...(!isCounted && { integrations: { telemetry: { enabled: false } } }),
  }),
  ...Object.fromEntries(
    PAGES.map((page) => [
      `${page}.mdx`,
      `---\ntitle: ${page}\n---\n\n${'A paragraph of text about the matter. '.repeat(300)}\n`,
    ]),
  ),
})

/** A wrk script that simulates requests from different browsers, as a proxy forwards them. */
const SCRIPT = `local at = 0
local paths = {${PAGES.map((page) => `"/${page === 'index' ? '' : page}"`).join(',')}}
request = function()
  at = at + 1
  wrk.headers["User-Agent"] = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/" .. (at % 20 + 120) .. " Safari/537.36"
  wrk.headers["Accept"] = "text/html,application/xhtml+xml"
  wrk.headers["Sec-Fetch-Mode"] = "navigate"
  wrk.headers["X-Forwarded-For"] = "203.0." .. (at % 4) .. "." .. (at % 250)
  wrk.headers["Referer"] = at % 10 == 0 and "https://news.example/item?id=7" or ("http://" .. wrk.headers["Host"] .. "/one")
  return wrk.format("GET", paths[at % #paths + 1])
end
`

needWrk()
const hosting = await startHosting({ environment: { OCTAVO_TRUSTED_PROXIES: '127.0.0.1' } })
try {
  await run()
} finally {
  await hosting.stop()
}

async function run(): Promise<void> {
  await hosting.start('api')
  const host = await hosting.start('host')
  const script = join(hosting.folder, 'readers.lua')
  writeFileSync(script, SCRIPT)
  const loads = []
  for (const isCounted of [false, true]) {
    const project = hosting.createProject(isCounted ? 'counted' : 'silent')
    const folder = join(hosting.folder, `docs-${isCounted}`)
    mkdirSync(folder)
    for (const [path, text] of Object.entries(filesOf(isCounted)))
      writeFileSync(join(folder, path), text)
    const { code, err } = await hosting.octavo(project, 'deploy', folder)
    if (code !== 0) throw new Error(err)
    loads.push({ host: project.host, path: '/', script })
  }
  const [silent, counted] = loads
  if (silent === undefined || counted === undefined) throw new Error('no site')
  const { pairs, micros, ratio, ratios } = compareCost(host, [silent, counted])
  console.log(
    `${pairs} pairs: ${micros[0]} µs of CPU for a page that is not counted, ${micros[1]} µs for one that is: ${ratio.toFixed(3)} × (${ratios}), at most ${RATIO_MAX} ${ratio <= RATIO_MAX ? '✓' : '✗'}`,
  )
  if (ratio > RATIO_MAX) process.exitCode = 1
}
