/**
 * Deploys twelve real sites to one service and compares every file with the local build.
 * The real command line deploys them; one has over 5,000 pages. Every path of every manifest must
 * be served with the bytes and media type of the local build, and a second deploy of the same tree
 * must upload nothing. Then one page of the largest site is edited, and the cost of its next deploy
 * is printed.
 *
 *   npm run lab corpus/deploy -- [folder of the corpus] [--only name] [--s3]
 *
 * `--s3` stores the files in Ceph instead of a folder. The corpus is not part of this repository: a
 * folder with `unpack.sh` or with `sites/<name>/`. Authors' mistakes are errors of the build, so
 * sites are built first and deployed with `--prebuilt`.
 */
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { type ManifestEntry, mediaType } from '@octavo/model'
import { forEachLimited } from '../../packages/service/src/platform/blobs/blob-store.ts'
import {
  type HostedProject,
  type Hosting,
  startHosting,
} from '../../packages/service/testing/start-hosting.ts'
import { visit } from '../../packages/service/testing/test-deployment.ts'
import { withCorpus } from '../parts/corpus-folder.ts'
import { readBuiltTree } from '../parts/deploy/site-versions.ts'

const LARGEST = 'wandb__docs'
const PAGES_MIN = 5_000
const SITES = [
  'mintlify__starter',
  'coinbase__x402',
  'ollama__ollama',
  'chatwoot__docs',
  'vocodedev__vocode-core',
  'polarsource__polar__docs',
  'cline__cline',
  'browserbase__stagehand',
  'traceloop__docs',
  'activepieces__activepieces',
  'tursodatabase__turso-docs',
  LARGEST,
]
const VISITS_AT_ONCE = 8
const WRONG_MAX = 20
const OCTAVO = join(import.meta.dirname, '../../packages/cli/src/main.ts')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, s3: { type: 'boolean', default: false } },
})
const chosen = SITES.filter((site) => values.only === undefined || site.includes(values.only))

process.exitCode = await withCorpus(
  positionals[0],
  async (folder) => {
    const hosting = await startHosting({ store: values.s3 ? 'memstore' : 'folder' })
    try {
      return await deploySites(hosting, join(folder, 'sites'))
    } finally {
      await hosting.stop()
    }
  },
  chosen,
)

async function deploySites(hosting: Hosting, folder: string): Promise<number> {
  await hosting.start('all')
  const wrong: string[] = []
  const cells = ['HTML', 'files', 'sent', 's', 'again', 'paths', 'closed', 'wrong']
  printCells('site', cells)
  for (const [index, site] of chosen.entries()) {
    const project = hosting.createProject(`site-${index}`)
    const built = build(hosting, join(folder, site), site)
    const { entries } = readBuiltTree(built)
    const pages = entries.filter(({ path }) => path.endsWith('.html')).length
    const first = deploy(hosting, project, built)
    const again = deploy(hosting, project, built)
    const found = await comparePaths(project, { port: portOf(hosting), built, entries })
    if (again.sent !== 0) found.wrong.push(`the second deploy sent ${again.sent} files`)
    printCells(site, [
      pages,
      entries.length,
      first.sent,
      first.seconds.toFixed(1),
      again.sent,
      found.open,
      found.closed,
      found.wrong.length,
    ])
    wrong.push(...found.wrong.map((line) => `${site}: ${line}`))
    if (site === LARGEST && pages < PAGES_MIN)
      wrong.push(`${site} has ${pages} pages, not ${PAGES_MIN}`)
    // The last site is the largest one, so it is edited.
    if (site === chosen.at(-1)) {
      wrong.push(...(await editOnePage(hosting, { project, source: join(folder, site), built })))
    }
  }
  for (const line of wrong.slice(0, WRONG_MAX)) console.log(`WRONG ${line}`)
  console.log(
    wrong.length === 0
      ? `\n${chosen.length} sites: every path has the bytes and the type of the build; the second deploys sent nothing.`
      : `\n${wrong.length} faults`,
  )
  return wrong.length === 0 ? 0 : 1
}

type Edited = { readonly project: HostedProject; readonly source: string; readonly built: string }

/** Measures what a deploy costs after one edit: new manifest files and new content files. */
async function editOnePage(hosting: Hosting, edited: Edited): Promise<readonly string[]> {
  const { project, source, built } = edited
  const before = namesOf(built)
  const page = spawnSync('find', ['.', '-name', '*.mdx', '-not', '-path', './snippets/*'], {
    cwd: source,
    encoding: 'utf8',
  })
    .stdout.split('\n')
    .filter(
      (path) =>
        path.endsWith('.mdx') && existsSync(join(built, path.replace(/\.mdx$/, ''), 'index.html')),
    )
    .toSorted()[0]
  if (page === undefined) return ['there is no page to edit']
  appendFileSync(join(source, page), '\n\nOne more sentence about a rhododendron.\n')
  const started = performance.now()
  const next = build(hosting, source, basename(source))
  const buildSeconds = (performance.now() - started) / 1_000
  const after = namesOf(next)
  const runs = after.runs.filter((sha256) => !before.runs.includes(sha256))
  const known = new Set(before.files)
  const files = new Set(after.files.filter((sha256) => !known.has(sha256)))
  const { sent, size, seconds } = deploy(hosting, project, next)
  console.log(
    `  after an edit of ${page}: built in ${buildSeconds.toFixed(1)} s; sent ${runs.length} of ${after.runs.length} runs and ${files.size} of ${after.files.length} files, ${size}, in ${seconds.toFixed(1)} s`,
  )
  const { entries } = readBuiltTree(next)
  const found = await comparePaths(project, { port: portOf(hosting), built: next, entries })
  const total = runs.length + files.size
  return sent === total ? found.wrong : [...found.wrong, `${sent} blobs were sent, not ${total}`]
}

function namesOf(built: string) {
  const root = JSON.parse(readFileSync(join(built, '_octavo/manifest.json'), 'utf8'))
  const runs = (root.runs as readonly { sha256: string }[]).map(({ sha256 }) => sha256)
  return { runs, files: readBuiltTree(built).entries.map(({ sha256 }) => sha256) }
}

/**
 * Returns the folder of the built site. Build errors are expected, because the corpus omits files.
 */
function build(hosting: Hosting, source: string, site: string): string {
  const output = join(hosting.folder, 'built', site)
  const { stdout, stderr } = octavo(['build', source, '-o', output], {})
  if (!existsSync(join(output, '_octavo/manifest.json'))) throw new Error(stdout + stderr)
  return output
}

function deploy(hosting: Hosting, project: HostedProject, built: string) {
  const started = performance.now()
  const { status, stdout, stderr } = octavo(
    [
      ...['deploy', '--prebuilt', built, '--wait'],
      ...['--project', project.projectId, '--service', hosting.url],
    ],
    { OCTAVO_API_KEY: project.adminKey },
  )
  if (status !== 0) throw new Error(stdout + stderr)
  const [, sent = '', size = ''] = /Sent ([\d,]+) of [\d,]+ files?, (.*)\.\n/.exec(stdout) ?? []
  if (sent === '') throw new Error(stdout)
  const seconds = (performance.now() - started) / 1_000
  return { sent: Number(sent.replaceAll(',', '')), size, seconds }
}

function octavo(args: readonly string[], more: Readonly<Record<string, string>>) {
  return spawnSync(process.execPath, ['--no-warnings', OCTAVO, ...args], {
    encoding: 'utf8',
    maxBuffer: 1024 * 1024 * 1024,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: '1', ...more },
  })
}

function portOf({ url }: Hosting): number {
  return Number(new URL(url).port)
}

type Comparison = {
  readonly port: number
  readonly built: string
  readonly entries: readonly ManifestEntry[]
}

/**
 * Requests every path of the manifest. Files with an access label must not be served to anonymous
 * readers.
 */
async function comparePaths(project: HostedProject, { port, built, entries }: Comparison) {
  const wrong: string[] = []
  let open = 0
  let closed = 0
  await forEachLimited(entries, {
    atOnce: VISITS_AT_ONCE,
    call: async ({ path, access }) => {
      const url = `/${path.split('/').map(encodeURIComponent).join('/')}`
      const { status, headers, bytes } = await visit(port, project.host, url)
      if (typeof access === 'object') {
        closed += 1
        // A redirect may exist at the same URL.
        if (status < 300) wrong.push(`${path}: ${status}, but it must not be served`)
        return
      }
      open += 1
      const type = headers['content-type']
      if (status !== 200) wrong.push(`${path}: ${status}`)
      else if (type !== mediaType(path)) wrong.push(`${path}: ${type}`)
      else if (!bytes.equals(readFileSync(join(built, path)))) wrong.push(`${path}: other bytes`)
    },
  })
  return { open, closed, wrong }
}

function printCells(name: string, cells: readonly (string | number)[]): void {
  console.log(name.padEnd(28), ...cells.map((cell) => String(cell).padStart(8)))
}
