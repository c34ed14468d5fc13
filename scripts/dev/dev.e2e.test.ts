/** Starts `npm run dev` in a copy of this checkout and saves files there as a contributor would. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { CHILD_ENVIRONMENT } from '../../packages/builder/testing/child-environment.ts'

const ROOT = join(import.meta.dirname, '../..')
const LONG = { timeout: 120_000 }

type Run = { readonly child: ChildProcess; readonly lines: readonly string[] }

const runs: Run[] = []
let copy: string
/** The path of a dashboard file, and its text. */
let page: string
let source: string

beforeAll(() => {
  // The copy is inside the checkout, where third-party packages can be resolved.
  mkdirSync(join(ROOT, '.cache'), { recursive: true })
  copy = mkdtempSync(join(ROOT, '.cache/dev-test-'))
  // If root runs this test, PostgreSQL runs as another user, who must be able to read the folder.
  chmodSync(copy, 0o755)
  page = join(copy, 'packages/dashboard/src/sign-in-pages.ts')
  for (const path of ['package.json', 'scripts/dev.ts', 'scripts/dev'])
    cpSync(join(ROOT, path), join(copy, path), { recursive: true })
  mkdirSync(join(copy, 'node_modules/@octavo'), { recursive: true })
  for (const name of readdirSync(join(ROOT, 'packages'))) {
    const target = join(copy, 'packages', name)
    cpSync(join(ROOT, 'packages', name), target, {
      recursive: true,
      filter: (path) => !path.endsWith('node_modules'),
    })
    const installed = join(ROOT, 'packages', name, 'node_modules')
    if (existsSync(installed)) symlinkSync(installed, join(target, 'node_modules'))
    symlinkSync(target, join(copy, 'node_modules/@octavo', name))
  }
  source = readFileSync(page, 'utf8')
  mkdirSync(join(copy, 'docs'))
  writeFileSync(join(copy, 'docs/docs.json'), docsConfig)
})
afterEach(async () => {
  for (const { child } of runs.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  writeFileSync(page, source)
})
afterAll(() => {
  rmSync(copy, { recursive: true, force: true })
})

const docsConfig = JSON.stringify({
  name: 'Test',
  theme: 'mint',
  colors: { primary: '#123456' },
  navigation: { pages: ['index'] },
})

function start(): Run {
  const child = spawn(process.execPath, ['scripts/dev.ts'], {
    cwd: copy,
    env: CHILD_ENVIRONMENT,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  for (const input of [child.stdout, child.stderr])
    createInterface({ input }).on('line', (line) => lines.push(line))
  const run = { child, lines }
  runs.push(run)
  return run
}

/** Returns the printed URLs by label. */
async function introduced({ child, lines }: Run): Promise<Readonly<Record<string, string>>> {
  const isDone = () => child.exitCode !== null || lines.some((line) => line.startsWith('Ctrl-C'))
  await expect.poll(isDone, LONG).toBe(true)
  const found = lines.flatMap((line) => /^ {2}(\w.*?) {2,}(http.*)$/.exec(line)?.slice(1) ?? [])
  expect(found, lines.join('\n')).toHaveLength(8)
  return Object.fromEntries(Array.from({ length: 4 }, (_, at) => found.slice(at * 2, at * 2 + 2)))
}

const countMatchingLines = ({ lines }: Run, words: string) =>
  lines.filter((line) => line.includes(words)).length

/** Returns the page at a URL, even if its host name cannot be resolved. */
async function read(address: string | undefined): Promise<string> {
  const { host, port, pathname } = new URL(address ?? '')
  const request = get({ host: '127.0.0.1', port, path: pathname, headers: { host } })
  try {
    const [response] = await once(request, 'response')
    return await text(response)
  } catch {
    return ''
  }
}

/** Returns the processes started from the copy, including its PostgreSQL. */
function processesOfCopy(): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(copy)
    } catch {
      return false
    }
  })
}

const postmaster = () =>
  readFileSync(join(copy, '.cache/dev/database/data/postmaster.pid'), 'utf8').split('\n')[0]

test('`npm run dev` restarts after saves, survives a syntax error and leaves no process', async () => {
  writeFileSync(join(copy, 'docs/index.mdx'), '# First words\n')
  const dev = start()
  const addresses = await introduced(dev)
  const { 'Sign in': link, Dashboard: dashboard, 'Demo site': site, 'Our docs': docs } = addresses
  expect(await read(link)).toContain('This link works once')
  expect(await read(site)).toContain('Welcome to Wrenpost')
  expect(await read(docs)).toContain('First words')
  const database = postmaster()
  const signIn = () => read(`${dashboard}/sign-in`)
  expect(await signIn()).toContain('Sign in')

  // The first save is a change.
  writeFileSync(page, source.replaceAll('Sign in', 'Come inside'))
  await expect.poll(signIn, LONG).toContain('Come inside')
  await expect.poll(() => countMatchingLines(dev, 'The service restarted'), LONG).toBe(1)

  // The second save is a syntax error.
  writeFileSync(page, `${source}\n}`)
  await expect.poll(() => countMatchingLines(dev, 'The service is not running.'), LONG).toBe(1)
  expect(dev.lines.join('\n')).toMatch(/sign-in-pages\.ts:\d+[\s\S]*SyntaxError/)

  // The third save fixes it, together with other files.
  writeFileSync(page, source)
  for (const name of ['one', 'other'])
    writeFileSync(join(copy, `packages/dashboard/src/${name}.ts`), 'export {}\n')
  await expect.poll(signIn, LONG).toContain('Sign in')
  await expect.poll(() => countMatchingLines(dev, 'sign-in-pages.ts and 2 more'), LONG).toBe(1)
  expect(countMatchingLines(dev, 'The service restarted')).toBe(2)
  expect(postmaster()).toBe(database)
  expect(await read(link)).toContain('This link works once')
  expect(await read(site)).toContain('Welcome to Wrenpost')

  // The last save is a documentation page.
  writeFileSync(join(copy, 'docs/index.mdx'), '# Other words\n')
  await expect.poll(() => read(docs), LONG).toContain('Other words')

  const second = start()
  await once(second.child, 'exit')
  expect(second.lines.join('\n')).toBe(
    `npm run dev: The development server is already running in this checkout, as process ${dev.child.pid}. Stop it with Ctrl-C first.`,
  )
  dev.child.kill('SIGINT')
  expect(await once(dev.child, 'exit')).toEqual([0, null])
  expect(processesOfCopy()).toEqual([])
})

test('`npm run dev` keeps its data after being killed', async () => {
  const killed = start()
  await introduced(killed)
  killed.child.kill('SIGKILL')
  const again = start()
  const { 'Demo site': site } = await introduced(again)
  expect(again.lines[0]).toBe('Starting with the data of the last run.')
  expect(await read(site)).toContain('Welcome to Wrenpost')
  again.child.kill('SIGTERM')
  expect(await once(again.child, 'exit')).toEqual([0, null])
  await expect.poll(processesOfCopy).toEqual([])
})
