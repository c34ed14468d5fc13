/**
 * Measures the cost of building and deploying a fleet of real sites.
 * Sites of a corpus are built with an empty cache, as after an upgrade of the builder. Each is
 * deployed several times, to different projects and with one page that differs. Then it estimates
 * the cost of 10,000 such sites.
 *
 *   npm run lab bench/fleet -- [corpus] [--deploys 60] [--built folder] [--sites a,b,c]
 *
 * The corpus is not part of this repository. `--built` keeps the built folders, for
 * `npm run lab bench/host-sites`. Linux only.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { type Hosting, startHosting } from '../../packages/service/testing/start-hosting.ts'
import { configFolders, withCorpus } from '../parts/corpus-folder.ts'
import { ownPage, readBuiltTree, writeManifest } from '../parts/deploy/site-versions.ts'
import { storedKb } from '../parts/deploy/stored-size.ts'
import { cpuMs } from '../parts/export/cpu-time.ts'
import { median, sum } from '../parts/export/print-table.ts'
import { residentMb } from '../parts/export/watch-memory.ts'
import { measureCommand } from '../parts/measure-command.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    deploys: { type: 'string', default: '60' },
    built: { type: 'string' },
    sites: { type: 'string' },
  },
})
const SITES = 12
const FLEET = 10_000
const MAIN = join(import.meta.dirname, '../../packages/cli/src/main.ts')

type Built = { readonly name: string; readonly folder: string; readonly pages: number }

const folder = values.built ?? mkdtempSync(join(tmpdir(), 'octavo-fleet-'))
try {
  const built = await withCorpus(positionals[0], build)
  await deploy(built)
} finally {
  if (values.built === undefined) rmSync(folder, { recursive: true, force: true })
}

/** Returns the sites that can be built; prints and skips the others. */
async function build(corpus: string): Promise<readonly Built[]> {
  const sites = join(corpus, 'sites')
  const wanted = values.sites?.split(',')
  const found = configFolders(sites)
  const names = wanted
    ? found.filter((name) => wanted.includes(name.split('/', 1)[0] ?? ''))
    : spread(found, SITES)
  const built: Built[] = []
  const cpu: number[] = []
  for (const [index, name] of names.entries()) {
    const target = join(folder, `built-${index}`)
    const cost = await measureCommand({
      command: [process.execPath, MAIN, 'build', join(sites, name), '-o', target, '--no-cache'],
    })
    // A site with errors in some pages is built, but the command exits with 1.
    if (!existsSync(join(target, '_octavo/manifest.json'))) {
      console.log(`${name}: does not build, skipped: ${cost.output.trim().split('\n').at(-1)}`)
      continue
    }
    const { entries } = readBuiltTree(target)
    const pages = entries.filter(({ path }) => path.endsWith('.html')).length
    const mb = sum(entries.map(({ size }) => size)) / 1e6
    console.log(
      `${name}: ${pages} pages, ${entries.length} files, ${mb.toFixed(1)} MB; built in ${cost.seconds.toFixed(1)} s, ${cost.cpuSeconds.toFixed(1)} s of CPU, ${cost.peakMb.toFixed(0)} MB`,
    )
    built.push({ name, folder: target, pages })
    cpu.push(cost.cpuSeconds)
  }
  const mean = sum(cpu) / cpu.length
  const perPage = (sum(cpu) * 1_000) / sum(built.map(({ pages }) => pages))
  console.log(
    `\na build takes ${mean.toFixed(1)} s of CPU on average (median ${median(cpu).toFixed(1)}), ${perPage.toFixed(1)} ms a page`,
  )
  console.log(
    `all ${FLEET} sites again: ${((mean * FLEET) / 3_600).toFixed(1)} hours of one core\n`,
  )
  return built
}

async function deploy(built: readonly Built[]): Promise<void> {
  const hosting = await startHosting()
  try {
    const api = await hosting.start('api')
    await hosting.start('host')
    const count = Number(values.deploys)
    const first = await deployMany(hosting, { api: api.pid(), built, from: 0, count: built.length })
    print('the first site of each build', first)
    const rest = await deployMany(hosting, { api: api.pid(), built, from: built.length, count })
    print('with one page of its own', rest)
    console.log(
      `${FLEET} deployments one after another: ${((FLEET * rest.seconds) / count / 3_600).toFixed(1)} hours; api: ${residentMb(api.pid()).toFixed(0)} MB`,
    )
  } finally {
    await hosting.stop()
  }
}

type Many = { readonly api: number; readonly built: readonly Built[] } & Record<
  'from' | 'count',
  number
>

async function deployMany(hosting: Hosting, { api, built, from, count }: Many) {
  const sites = Array.from({ length: count }, (_, index) => {
    const base = built[index % built.length]
    if (base === undefined) throw new Error('no site was built')
    const number = from + index
    const project = hosting.createProject(`site-${number}`)
    return { project, folder: writeSite(base.folder, number) }
  })
  const before = { cpu: cpuMs(api), kb: storedKb(hosting), database: await databaseKb(hosting) }
  const started = performance.now()
  for (const site of sites) {
    const { code, err } = await hosting.octavo(site.project, 'deploy', '--prebuilt', site.folder)
    if (code !== 0) throw new Error(err)
  }
  const seconds = (performance.now() - started) / 1_000
  for (const site of sites) rmSync(site.folder, { recursive: true, force: true })
  return {
    count,
    seconds,
    apiMs: (cpuMs(api) - before.cpu) / count,
    storeKb: (storedKb(hosting) - before.kb) / count,
    databaseKb: ((await databaseKb(hosting)) - before.database) / count,
  }
}

function print(what: string, { count, seconds, apiMs, storeKb, databaseKb }: Deployed): void {
  console.log(
    `${count} deployments, ${what}: ${seconds.toFixed(1)} s, ${((count * 60) / seconds).toFixed(0)} a minute; each ${apiMs.toFixed(0)} ms of CPU of the api, ${storeKb.toFixed(0)} KB in the store, ${databaseKb.toFixed(1)} KB in PostgreSQL`,
  )
}
type Deployed = Awaited<ReturnType<typeof deployMany>>

/** Creates a copy of a built site with hard links, in which one page is new. */
function writeSite(base: string, number: number): string {
  const target = join(folder, `site-${number}`)
  execFileSync('cp', ['-al', base, target])
  const tree = readBuiltTree(base)
  const { entries, page, path } = ownPage(base, tree, number)
  unlinkSync(join(target, path))
  writeFileSync(join(target, path), page)
  rmSync(join(target, '_octavo/manifest'), { recursive: true })
  unlinkSync(join(target, '_octavo/manifest.json'))
  writeManifest(target, { facts: tree.facts, entries })
  return target
}

async function databaseKb({ postgres }: Hosting): Promise<number> {
  const client = new pg.Client(postgres.url)
  await client.connect()
  const { rows } = await client.query(
    'select pg_database_size(current_database())::float8 / 1024 as kb',
  )
  await client.end()
  return rows[0].kb
}

/** Returns every nth site by name, so that small and large ones are included. */
function spread(names: readonly string[], count: number): readonly string[] {
  const step = Math.max(1, names.length / count)
  return names.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
}
