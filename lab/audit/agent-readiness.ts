/**
 * Checks how well agents can use hosted sites, with `afdocs` and 18 checks of our own.
 * `afdocs` measures the Agent-Friendly Documentation Spec. Fails if any check fails.
 *
 *   npm run lab audit/agent-readiness -- [corpus] [--sites a,b,c] [--verbose]
 *
 * Our documentation is always measured; with a corpus folder, three of its sites are measured too.
 */
import { spawnSync } from 'node:child_process'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { computeScore, runChecks } from 'afdocs'
import { startHosting } from '../../packages/service/testing/start-hosting.ts'
import { freePort } from '../../packages/service/testing/start-postgres.ts'
import { configFolders, withCorpus } from '../parts/corpus-folder.ts'
import { type HostedSite, READINESS_CHECKS } from './agent-readiness/readiness-checks.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sites: {
      type: 'string',
      default: 'polarsource__polar__docs,triggerdotdev__trigger.dev,mintlify__starter',
    },
    verbose: { type: 'boolean', default: false },
  },
})
const ROOT = join(import.meta.dirname, '../..')
const [corpus] = positionals
/** The number of pages that `afdocs` samples. It sends many requests for each. */
const SAMPLED_PAGES = 50

const hosting = await startHosting({ environment: { OCTAVO_TRUSTED_PROXIES: '127.0.0.1' } })
let failures = 0
try {
  const service = await hosting.start('all')
  await measure('octavo', join(ROOT, 'docs'), service.port)
  if (corpus !== undefined) {
    const names = values.sites.split(',')
    await withCorpus(
      corpus,
      async (folder) => {
        for (const [index, name] of names.entries()) {
          const sites = join(folder, 'sites')
          const found = configFolders(sites).find(
            (path) => path === name || path.startsWith(`${name}/`),
          )
          await measure(`corpus-${index + 1}`, join(sites, found ?? name), service.port)
        }
      },
      names,
    )
  }
} finally {
  await hosting.stop()
}
if (failures > 0) process.exitCode = 1

/** Builds a folder for the URL at which it is measured, deploys it, and runs all checks. */
async function measure(slug: string, folder: string, port: number): Promise<void> {
  const project = hosting.createProject(slug)
  const proxy = await openProxy(port, project.host)
  try {
    const output = join(hosting.folder, `site-${slug}`)
    const main = join(ROOT, 'packages/cli/src/main.ts')
    const build = [main, 'build', folder, '-o', output, '--url', proxy.url, '--offline', '--quiet']
    spawnSync(process.execPath, build, { stdio: 'ignore' })
    const env = { ...process.env, OCTAVO_API_KEY: project.adminKey }
    const deploy = [main, 'deploy', '--prebuilt', output, '--project', project.projectId]
    const done = spawnSync(process.execPath, [...deploy, '--service', hosting.url], { env })
    if (done.status !== 0) throw new Error(`${slug} was not deployed: ${done.stderr}`)
    const site = await openSite(proxy.url)
    console.log(`\n${folder.split('/').slice(-2).join('/')}: ${site.pages.length} pages`)
    await runOwn(site)
    await runAfdocs(site)
  } finally {
    proxy.close()
  }
}

/**
 * Opens a proxy that serves the site at an IP address, because not every client resolves names
 * below `localhost`.
 */
async function openProxy(port: number, host: string) {
  const own = await freePort()
  const url = `http://127.0.0.1:${own}`
  let requestCount = 0
  // `afdocs` pauses longer than the default keep-alive timeout, then reuses the connection.
  const server = createServer({ keepAliveTimeout: 600_000 }, (incoming, response) => {
    requestCount += 1
    // Each request seems to come from a different network, so that none reaches the rate limit of
    // its network.
    const forwarded = `203.0.${(requestCount >> 8) & 255}.${requestCount & 255}`
    const headers = { ...incoming.headers, host, 'x-forwarded-for': forwarded }
    const { method, url: path } = incoming
    const sent = request({ host: '127.0.0.1', port, method, path, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(response)
    })
    sent.on('error', () => response.destroy())
    incoming.pipe(sent)
  })
  await new Promise<void>((resolve) => server.listen(own, '127.0.0.1', resolve))
  return { url, close: () => server.close() }
}

async function openSite(url: string): Promise<HostedSite> {
  const get: HostedSite['get'] = (path, headers = { accept: 'text/html' }) =>
    fetch(url + path, { headers })
  const sitemap = await (await get('/sitemap.xml')).text()
  const pages = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(
    ([, address = '']) => address.slice(url.length) || '/',
  )
  return { url, get, pages }
}

async function runOwn(site: HostedSite): Promise<void> {
  const counts = { passed: 0, 'n/a': 0, failed: 0 }
  for (const { name, run } of READINESS_CHECKS) {
    const wrong = await run(site)
    if (wrong === undefined) counts.passed += 1
    else if (wrong === 'n/a') counts['n/a'] += 1
    else {
      counts.failed += 1
      failures += 1
      console.log(`  ✗ ${name}: ${wrong}`)
    }
    if (values.verbose && wrong === undefined) console.log(`  ✓ ${name}`)
  }
  const applicable = counts.passed + counts.failed
  console.log(`  own checks: ${counts.passed} of ${applicable} (${counts['n/a']} not applicable)`)
}

async function runAfdocs({ url, pages }: HostedSite): Promise<void> {
  const step = Math.max(1, pages.length / SAMPLED_PAGES)
  const sampled = Array.from({ length: Math.min(SAMPLED_PAGES, pages.length) }, (_, index) => {
    return url + (pages[Math.floor(index * step)] ?? '/')
  })
  const report = await runChecks(url, {
    // By default, `afdocs` mistakes the specifications listed in llms.txt for pages.
    samplingStrategy: 'curated',
    curatedPages: sampled,
    maxLinksToTest: SAMPLED_PAGES,
    requestDelay: 0,
    maxConcurrency: 4,
  })
  const { overall, grade } = computeScore(report)
  const bad = report.results.filter(({ status }) => !['pass', 'skip'].includes(status))
  for (const { id, status, message, details } of bad) {
    console.log(`  ${status}  ${id}: ${message}`)
    if (values.verbose) console.log(JSON.stringify(details, null, 1))
  }
  failures += bad.length
  const passed = report.results.filter(({ status }) => status === 'pass').length
  console.log(`  afdocs: ${passed} passed, ${bad.length} not; score ${overall} (${grade})`)
}
