/**
 * Measures how many bytes `octavo deploy` uploads after one edit.
 * Generated sites are built, deployed to a service by the real command line, edited by one sentence
 * and deployed again. A proxy counts all bytes of the connections. `changed` is the size of the
 * files and runs that changed, which an upload of whole files would send.
 *
 *   npm run lab bench/deploy-edit -- [--pages 439,5000]
 *   npm run lab bench/deploy-edit -- <folder built before> <folder built after>
 *
 * Exits with 1 if the edit of a generated site uploads more than 300 kB.
 */
import { execFile, execFileSync } from 'node:child_process'
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { startCountingProxy } from '../../packages/service/testing/counting-proxy.ts'
import {
  type HostedProject,
  type Hosting,
  startHosting,
} from '../../packages/service/testing/start-hosting.ts'
import { readBuiltTree } from '../parts/deploy/site-versions.ts'

const GOAL_BYTES = 300_000
const OCTAVO = join(import.meta.dirname, '../../packages/cli/src/main.ts')
const GENERATOR = join(import.meta.dirname, 'site/make-site.mjs')
const EDITED_PAGE = 't02/g05/page-00141.mdx'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pages: { type: 'string', default: '439,5000' } },
})

const hosting = await startHosting()
try {
  await hosting.start('all')
  const [before, after] = positionals
  if (before !== undefined && after !== undefined)
    await measure(hosting, hosting.createProject('built'), { name: 'built', before, after })
  else for (const pages of values.pages.split(',')) await measureGenerated(hosting, pages)
} finally {
  await hosting.stop()
}

async function measureGenerated(running: Hosting, pages: string): Promise<void> {
  const project = running.createProject(`pages-${pages}`)
  const source = join(running.folder, `source-${pages}`)
  const options = ['--tool', 'octavo', '--pages', pages, '--out', source]
  execFileSync(process.execPath, [GENERATOR, ...options])
  const before = await build(running, source, `${pages}-before`)
  appendFileSync(join(source, EDITED_PAGE), '\nOne more sentence about a rhododendron.\n')
  const after = await build(running, source, `${pages}-after`)
  const sent = await measure(running, project, { name: `${pages} pages`, before, after })
  if (sent > GOAL_BYTES) process.exitCode = 1
}

async function build(running: Hosting, source: string, name: string): Promise<string> {
  const output = join(running.folder, name)
  await octavo(['build', source, '--url', 'https://docs.example.com', '-o', output], {})
  return output
}

type Edit = { readonly name: string; readonly before: string; readonly after: string }

/** Deploys both folders. Returns the number of bytes that the second deploy sent. */
async function measure(running: Hosting, project: HostedProject, edit: Edit): Promise<number> {
  const proxy = await startCountingProxy(Number(new URL(running.url).port))
  const deploy = async (folder: string) => {
    const [sent, received] = [proxy.sent(), proxy.received()]
    const out = await octavo(
      [
        ...['deploy', '--prebuilt', folder, '--allow-errors'],
        ...['--project', project.projectId, '--service', proxy.url],
      ],
      { OCTAVO_API_KEY: project.adminKey },
    )
    console.log(out.split('\n').at(-2)?.trim())
    return { sent: proxy.sent() - sent, received: proxy.received() - received }
  }
  const first = await deploy(edit.before)
  const second = await deploy(edit.after)
  proxy.stop()
  const { count, bytes } = changed(edit)
  console.log(
    `${edit.name}: first deploy ${kb(first.sent)}; after an edit ${count} files and runs changed, ${kb(bytes)}; uploaded ${kb(second.sent)} (goal ${kb(GOAL_BYTES)}), downloaded ${kb(second.received)}`,
  )
  return second.sent
}

function kb(bytes: number): string {
  return `${(bytes / 1_000).toFixed(0)} kB`
}

function changed({ before, after }: Edit) {
  const known = sizesOf(before)
  const sizes = [...sizesOf(after)].filter(([sha256]) => !known.has(sha256)).map(([, size]) => size)
  return { count: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }
}

function sizesOf(folder: string): ReadonlyMap<string, number> {
  const read = (path: string) => readFileSync(join(folder, '_octavo', path))
  const { runs } = JSON.parse(read('manifest.json').toString())
  return new Map([
    ...readBuiltTree(folder).entries.map(({ sha256, size }) => [sha256, size] as const),
    ...(runs as readonly { sha256: string }[]).map(
      ({ sha256 }) => [sha256, read(`manifest/${sha256}.json`).length] as const,
    ),
  ])
}

/** Runs `octavo` in another process, so that the proxy goes on. */
async function octavo(
  args: readonly string[],
  more: Readonly<Record<string, string>>,
): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--no-warnings', OCTAVO, ...args],
    { env: { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: '1', ...more } },
  )
  return stdout
}
