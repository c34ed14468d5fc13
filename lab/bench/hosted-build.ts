/**
 * Measures what a hosted build of a one-page edit costs, and the time from push to live.
 * It measures the CPU time of the worker and its child processes without the clone, and compares it
 * with a local cached `octavo build` of the same edit.
 *
 *   npm run lab bench/hosted-build -- [--pages 1000] [--rounds 5]
 */
import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { builderVersion } from '@octavo/builder'
import { createService } from '../../packages/service/src/app/roles/service.ts'
import { readSettings } from '../../packages/service/src/app/settings/env.ts'
import { insertOrganization } from '../../packages/service/src/people/organizations/store.ts'
import { openFolderStore } from '../../packages/service/src/platform/blobs/folder-store.ts'
import { openDatabase } from '../../packages/service/src/platform/database/database.ts'
import { migrate } from '../../packages/service/src/platform/database/migrate.ts'
import type { Git } from '../../packages/service/src/platform/git/git.ts'
import { openGit } from '../../packages/service/src/platform/git/open-git.ts'
import { PLAIN_ISOLATION } from '../../packages/service/src/platform/sandbox/isolation.ts'
import { ProjectStore, tenantOf } from '../../packages/service/src/projects/projects/store.ts'
import { BuildStore } from '../../packages/service/src/publishing/builds/store.ts'
import { openWorkFolder } from '../../packages/service/src/publishing/builds/work-folder.ts'
import { startGitServer } from '../../packages/service/testing/git-server.ts'
import { startPostgres } from '../../packages/service/testing/start-postgres.ts'
import { createWorkingRepository } from '../../packages/service/testing/working-repository.ts'
import { measureCommand } from '../parts/measure-command.ts'

const GOAL = 1.5
const LOOK_MS = 50
const IDLE_LOOKS = 100
const NO_BUILD = '0'.repeat(26)
const CLI = join(import.meta.dirname, '../../packages/cli/src/main.ts')
const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '5' },
  },
})

const root = mkdtempSync(join(tmpdir(), 'octavo-hosted-build-'))
const postgres = await startPostgres({ settings: {} })
const serviceUrl = Object.assign(new URL(postgres.url), { username: 'octavo_service' }).href
await migrate(postgres.url, { serviceUrl })
const read = readSettings({
  DATABASE_URL: serviceUrl,
  OCTAVO_KEY_PEPPER: 'a pepper for a benchmark, 32 characters or more',
  OCTAVO_BLOBS: join(root, 'blobs'),
  OCTAVO_URL: 'http://127.0.0.1',
  OCTAVO_SITES_DOMAIN: 'sites.test',
  OCTAVO_WORK_FOLDER: join(root, 'work'),
})
if (read.kind === 'wrong') throw new Error(read.reasons.join())

/** Returns the CPU time of this process and its child processes that have ended. */
function cpuSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ')[1]?.split(' ') ?? []
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
}

let cloneSeconds = 0
const git = await openGit({
  folder: join(root, 'clones'),
  allowPrivateHosts: ['127.0.0.1'],
  isolation: PLAIN_ISOLATION,
})
const checkout = git.checkout.bind(git)
// Its other methods need the object itself, so a copy would not work.
Object.defineProperty(git, 'checkout', {
  async value(...input: Parameters<Git['checkout']>) {
    const before = cpuSeconds()
    const files = await checkout(...input)
    cloneSeconds += cpuSeconds() - before
    return files
  },
})
const server = await startGitServer(root)
const repository = createWorkingRepository(join(root, 'repository'))
const generator = join(import.meta.dirname, 'site/make-site.mjs')
const site = join(root, 'site')
execFileSync(process.execPath, [generator, '--pages', values.pages, '--out', site])
cpSync(site, repository.folder, { recursive: true })
const owner = openDatabase({ url: postgres.url, connections: 1 })
const service = createService({
  settings: read.settings,
  blobs: await openFolderStore(join(root, 'blobs')),
  role: 'worker',
  builds: {
    git,
    // Bubblewrap exits without waiting for its first process, so the system would not count the CPU
    // time of that process.
    isolation: PLAIN_ISOLATION,
  },
  writeLog: (line) => line.includes('"error"') && process.stderr.write(line),
  now: Date.now,
})
try {
  const { id: organizationId } = await insertOrganization(owner, 'Bench')
  const project = await new ProjectStore(owner).insert({
    organizationId,
    name: 'Bench',
    slug: 'bench',
  })
  const tenant = tenantOf(project)
  // The repository check is never due, because this bench triggers each build itself.
  await owner.query(
    `insert into connection (project_id, provider, url, branch, credential, webhook_id, next_check_at)
     values ($1, 'github', $2, 'main', 'none', 'a-hook-of-this-bench', 'infinity')`,
    [project.id, `${server.url}/repository/.git`],
  )
  const builds = new BuildStore(service.database.forProject(tenant), async () => {})
  await service.startWorker()

  async function build(commit: string) {
    cloneSeconds = 0
    const cpu = cpuSeconds()
    const began = performance.now()
    const id = await service.acceptBuild(tenant, {
      target: 'production',
      ref: 'main',
      commit,
      pullRequest: undefined,
      isFork: false,
      trigger: 'webhook',
    })
    for (;;) {
      const row = await builds.find(id)
      if (row?.finished_at) {
        if (row.state !== 'finished') throw new Error(`${row.state}: ${row.reason}`)
        const seconds = (performance.now() - began) / 1_000
        const used = cpuSeconds() - cpu - cloneSeconds
        return { seconds, cpu: used - seconds * idle - copying, reason: row.reason }
      }
      await sleep(LOOK_MS)
    }
  }

  // First the CPU time of an idle worker is measured: it polls for jobs, and this script polls for
  // the build.
  const idleStart = { cpu: cpuSeconds(), at: performance.now() }
  for (let look = 0; look < IDLE_LOOKS; look += 1) {
    await builds.find(NO_BUILD)
    await sleep(LOOK_MS)
  }
  const idleSeconds = (performance.now() - idleStart.at) / 1_000
  const idle = (cpuSeconds() - idleStart.cpu) / idleSeconds
  console.log(`idle: ${(idle * 1_000).toFixed(0)} ms CPU a second, taken off`)

  // A plain process gets a copy of our compiled code; bubblewrap mounts the original.
  let copying = 0
  const first = await build(repository.commit({}))
  copying = measureCopy(openWorkFolder(read.settings.workFolder, builderVersion()).code)
  console.log(`copy of our code for a plain process: ${copying.toFixed(2)} s CPU, taken off`)
  console.log(
    `first: ${first.cpu.toFixed(2)} s CPU, ${first.seconds.toFixed(1)} s. ${first.reason}`,
  )
  const clone = join(root, 'local')
  execFileSync('git', ['clone', '--quiet', repository.folder, clone])
  const page = firstPage(clone)
  const local = () =>
    measureCommand({
      command: [
        process.execPath,
        '--no-warnings',
        CLI,
        'build',
        '.',
        '--url',
        'http://bench.sites.test',
      ],
      cwd: clone,
    })
  await local()
  const hosted: { seconds: number; cpu: number }[] = []
  const own: number[] = []
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const text = `\nEdit ${round}.\n`
    appendFileSync(join(clone, page), text)
    own.push((await local()).cpuSeconds)
    appendFileSync(join(repository.folder, page), text)
    hosted.push(await build(repository.commit({})))
  }
  const ratio = median(hosted.map(({ cpu }) => cpu)) / median(own)
  console.log(
    `${values.pages} pages, an edit of one: hosted ${median(hosted.map(({ cpu }) => cpu)).toFixed(2)} s CPU, local ${median(own).toFixed(2)} s:`,
    `${ratio.toFixed(2)} × (goal ${GOAL} ×).`,
    `From push to live: ${median(hosted.map(({ seconds }) => seconds)).toFixed(1)} s.`,
  )
  process.exitCode = ratio <= GOAL ? 0 : 1
} finally {
  await service.stop()
  await owner.end()
  server.close()
  await postgres.stop()
  rmSync(root, { recursive: true, force: true })
}

function measureCopy(folder: string): number {
  const before = cpuSeconds()
  cpSync(folder, join(root, 'copy'), { recursive: true })
  return cpuSeconds() - before
}

function firstPage(folder: string): string {
  const files = execFileSync('git', ['ls-files', '*.mdx'], { cwd: folder, encoding: 'utf8' })
  const [page] = files.split('\n')
  if (page === undefined) throw new Error('the site has no page')
  return page
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}
