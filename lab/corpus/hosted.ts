/**
 * Builds real sites from Git on the service, and compares them with `octavo build`.
 * Each site is pushed to a Git server on loopback. Every path, size and digest of the deployment
 * must equal that of `octavo build` in a normal clone of the commit.
 *
 *   npm run lab corpus/hosted -- [folder of the corpus] [--sites 10] [--only name]
 *
 * The corpus is not part of this repository: a folder with `unpack.sh` or with `sites/<name>/`. A
 * build with errors is not deployed, so authors' errors are suppressed with `octavo-ignore-file`,
 * as an author would; a site with errors that cannot be suppressed is skipped.
 */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { BuildList } from '@octavo/contract'
import { parseManifestRoot, parseManifestRun } from '@octavo/model'
import { readBlob } from '../../packages/service/src/platform/blobs/read-blob.ts'
import { openDatabase } from '../../packages/service/src/platform/database/database.ts'
import { startGitServer } from '../../packages/service/testing/git-server.ts'
import {
  type HostedProject,
  type Hosting,
  startHosting,
} from '../../packages/service/testing/start-hosting.ts'
import { withCorpus } from '../parts/corpus-folder.ts'
import { readBuiltTree, sha256Of } from '../parts/deploy/site-versions.ts'

/**
 * The sites to build, starting with small ones. There are more than needed, because some are
 * skipped.
 */
const SITES = [
  'mintlify__starter',
  'Infisical__infisical__company',
  'coinbase__x402',
  'OpenPipe__ART',
  '07CalC__fyrer',
  '0xmariowu__Autosearch',
  'Action-Llama__action-llama',
  'ollama__ollama',
  'polarsource__polar__handbook',
  'the-momentum__open-wearables',
  'Abdulmumin1__ai-query',
  'chatwoot__docs',
  'vocodedev__vocode-core',
  'polarsource__polar__docs',
  'cline__cline',
  'browserbase__stagehand',
  'traceloop__docs',
]
const execute = promisify(execFile)
const OCTAVO = join(import.meta.dirname, '../../packages/cli/src/main.ts')
const MANIFEST_BYTES_MAX = 64 * 1024 * 1024
const BUILD_MS_MAX = 15 * 60_000
const LOOK_MS = 500
const DIFFERENCES_SHOWN = 5
const CONTEXT_LENGTH = 40
const SHOWN = 80
/**
 * The maximum number of rounds: suppressing an error can reveal another one, such as an unused
 * suppression.
 */
const HIDE_ROUNDS = 3
/**
 * The diagnostic code for missing images. The corpus contains no images, so those that docs.json
 * names are replaced by a placeholder.
 */
const MISSING_FILE = 'link/missing-file'
const PLACEHOLDER_SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>\n'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sites: { type: 'string', default: '10' }, only: { type: 'string' } },
})
const wanted = Number(values.sites)
const chosen = SITES.filter((site) => values.only === undefined || site.includes(values.only))

process.exitCode = await withCorpus(
  positionals[0],
  async (folder) => {
    const hosting = await startHosting({
      environment: {
        OCTAVO_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
        OCTAVO_SECRET_KEYS: `corpus:${randomBytes(32).toString('base64')}`,
      },
    })
    const root = join(hosting.folder, 'repositories')
    mkdirSync(root)
    const server = await startGitServer(root)
    server.settings = { ...server.settings, 'http.receivepack': 'true' }
    try {
      await hosting.start('all')
      return await compareSites(hosting, { sites: join(folder, 'sites'), root, url: server.url })
    } finally {
      server.close()
      await hosting.stop()
    }
  },
  chosen,
)

type Places = { readonly sites: string; readonly root: string; readonly url: string }

async function compareSites(hosting: Hosting, { sites, root, url }: Places): Promise<number> {
  printCells('site', ['HTML', 'files', 'local s', 'push s', 'hidden', 'result'])
  let compared = 0
  let wrong = 0
  for (const [index, site] of chosen.entries()) {
    if (compared === wanted) break
    const project = hosting.createProject(`site-${index}`)
    const siteUrl = await urlOf(hosting, project)
    const source = join(hosting.folder, 'sources', site)
    cpSync(join(sites, site), source, { recursive: true })
    // The changes are made before the first commit, so that both the clone and the deployment
    // contain them.
    const hidden = await hideErrors(source, siteUrl)
    if (typeof hidden === 'string') {
      printCells(site, ['', '', '', '', '', `passed over: ${hidden}`])
      continue
    }
    const remote = `${url}/${site}.git`
    execFileSync('git', ['init', '--quiet', '--bare', '-b', 'main', join(root, `${site}.git`)])
    const commit = await push(source, remote)
    const options = ['connection', 'add', project.projectId, '--url', remote, '--provider', 'git']
    hosting.command(...options)
    const connectedAt = Date.now()
    const building = waitForBuild(hosting, project, commit)
    const clone = join(hosting.folder, 'clones', site)
    await git(hosting.folder, 'clone', '--quiet', remote, clone)
    const localStarted = performance.now()
    const { status } = await build(clone, siteUrl)
    const localSeconds = (performance.now() - localStarted) / 1_000
    const built = await building
    const pushSeconds = (Date.parse(built.finishedAt ?? '') - connectedAt) / 1_000
    const local = readBuiltTree(join(clone, 'dist')).entries
    const differences =
      built.state === 'finished' && status === 0
        ? await compare(hosting, { deployment: built.deployment, clone })
        : [`the hosted build is ${built.state} (${built.reason}), the local one ended ${status}`]
    compared += 1
    if (differences.length > 0) wrong += 1
    const pages = local.filter(({ path }) => path.endsWith('.html')).length
    const result = differences.length === 0 ? 'equal' : `${differences.length} differences`
    const seconds = [localSeconds.toFixed(1), pushSeconds.toFixed(1)]
    printCells(site, [pages, local.length, ...seconds, hidden, result])
    for (const line of differences.slice(0, DIFFERENCES_SHOWN)) console.log(`  ${line}`)
  }
  console.log(`\n${compared} sites compared, ${wrong} differ.`)
  return wrong === 0 && compared > 0 ? 0 : 1
}

/**
 * Suppresses the errors of a site. Returns the number of suppressions, or an error that remains.
 */
async function hideErrors(folder: string, siteUrl: string): Promise<number | string> {
  const seen = new Set<string>()
  for (let round = 0; round < HIDE_ROUNDS; round += 1) {
    const { stdout } = await build(folder, siteUrl)
    const { diagnostics } = JSON.parse(stdout) as {
      diagnostics: { code: string; severity: string; message: string; place: { file: string } }[]
    }
    const errors = diagnostics.filter(({ severity }) => severity === 'error')
    if (errors.length === 0) return seen.size
    const before = new Set(seen)
    for (const { code, place, message } of errors) {
      const name = code === MISSING_FILE ? message : `${place.file} ${code}`
      if (before.has(name)) return name
      if (seen.has(name)) continue
      seen.add(name)
      const [, missing] = /`([^`]+)`/.exec(message) ?? []
      if (code === MISSING_FILE && missing !== undefined) {
        const file = join(folder, missing)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, PLACEHOLDER_SVG)
      } else if (/\.mdx?$/.test(place.file)) {
        const comment = `{/* octavo-ignore-file ${code}: files of the corpus were left out */}`
        appendFileSync(join(folder, place.file), `\n\n${comment}\n`)
      } else return name
    }
  }
  return `errors after ${HIDE_ROUNDS} rounds`
}

async function build(folder: string, siteUrl: string) {
  const args = ['--no-warnings', OCTAVO, 'build', '.', '--url', siteUrl, '--json']
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [stdout, [status]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { status: status as number | null, stdout }
}

/** Pushes the site without the files that `octavo build` left in the folder. */
async function push(source: string, remote: string): Promise<string> {
  const author = ['-c', 'user.name=Author', '-c', 'user.email=author@example.com']
  await git(source, 'init', '--quiet', '-b', 'main')
  await git(source, 'add', '--all', '--force', '--', '.', ':!dist', ':!.octavo')
  await git(source, ...author, 'commit', '--quiet', '--message', 'Documentation')
  await git(source, 'push', '--quiet', remote, 'main')
  return (await git(source, 'rev-parse', 'HEAD')).trim()
}

/** Runs Git without blocking this process, which is also the Git server. */
async function git(folder: string, ...args: readonly string[]): Promise<string> {
  return (await execute('git', args, { cwd: folder })).stdout
}

async function urlOf(hosting: Hosting, project: HostedProject): Promise<string> {
  const { url } = await ask(hosting, project, '')
  return String(url)
}

async function ask(hosting: Hosting, project: HostedProject, path: string) {
  // Each request gets a new connection, because the service may have closed an idle one while
  // commands ran.
  const request = get(`${hosting.url}/v1/projects/${project.projectId}${path}`, {
    agent: false,
    headers: { authorization: `Bearer ${project.adminKey}` },
  })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const body = await text(response)
  if (response.statusCode !== 200) throw new Error(body)
  return JSON.parse(body) as Readonly<Record<string, unknown>>
}

async function waitForBuild(hosting: Hosting, project: HostedProject, commit: string) {
  const end = performance.now() + BUILD_MS_MAX
  for (;;) {
    const { builds } = BuildList.parse(await ask(hosting, project, '/builds'))
    const build = builds.find((one) => one.commit === commit)
    if (build?.finishedAt !== undefined) return build
    if (performance.now() > end) return { ...build, state: 'late' } as const
    await sleep(LOOK_MS)
  }
}

type Compared = { readonly deployment: string | undefined; readonly clone: string }

/** Returns how the deployment differs from the clone; empty if both have the same manifest. */
async function compare(
  hosting: Hosting,
  { deployment, clone }: Compared,
): Promise<readonly string[]> {
  const local = readFileSync(join(clone, 'dist/_octavo/manifest.json'))
  const database = openDatabase({ url: hosting.postgres.url, connections: 1 })
  const [row] = await database
    .query<{ root: Buffer }>('select root from deployment where id = $1', [deployment])
    .finally(() => database.end())
  if (row === undefined) return ['there is no deployment']
  if (row.root.toString('hex') === sha256Of(local)) return []
  const store = await hosting.openStore()
  const read = async (sha256: string) => {
    const bytes = await readBlob(store, sha256, MANIFEST_BYTES_MAX)
    if (bytes === undefined) throw new Error(`the blob ${sha256} is missing`)
    return bytes.toString('utf8')
  }
  const parsed = parseManifestRoot(await read(row.root.toString('hex')))
  if (parsed.kind !== 'root') return [parsed.reason]
  const hosted = new Map<string, string>()
  for (const [index, { sha256 }] of parsed.root.runs.entries()) {
    const run = parseManifestRun(await read(sha256), parsed.root, index)
    if (run.kind !== 'run') return [run.reason]
    for (const entry of run.entries) hosted.set(entry.path, JSON.stringify(entry))
  }
  const differences: string[] = []
  for (const entry of readBuiltTree(join(clone, 'dist')).entries) {
    const other = hosted.get(entry.path)
    hosted.delete(entry.path)
    if (other === JSON.stringify(entry)) continue
    if (other === undefined) differences.push(`${entry.path}: not in the deployment`)
    else {
      const { sha256 } = JSON.parse(other) as { sha256: string }
      const mine = readFileSync(join(clone, 'dist', entry.path), 'utf8')
      differences.push(`${entry.path}: ${firstDifference(await read(sha256), mine)}`)
    }
  }
  const more = [...hosted.keys()].map((path) => `${path}: only in the deployment`)
  const all = [...differences.sort(byText), ...more]
  return all.length > 0 ? all : ['the facts of the manifests differ, no file does']
}

/** Compares paths so that text files are first, because their differences are readable. */
function byText(one: string, other: string): number {
  return Number(/^\S+\.bin:/.test(one)) - Number(/^\S+\.bin:/.test(other))
}

/** Returns a few characters of both strings, starting shortly before the first difference. */
function firstDifference(hosted: string, local: string): string {
  let at = 0
  while (at < hosted.length && hosted[at] === local[at]) at += 1
  const start = Math.max(0, at - CONTEXT_LENGTH)
  const [theirs, mine] = [hosted, local].map((one) => JSON.stringify(one.slice(start, at + SHOWN)))
  return `${theirs} at ${at}, not ${mine}`
}

function printCells(name: string, cells: readonly (string | number)[]): void {
  console.log(name.padEnd(30), ...cells.map((cell) => String(cell).padStart(8)))
}
