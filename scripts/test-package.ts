/**
 * Installs the package like a user, in an empty folder outside the repository, and tries every
 * command that a new user needs. A site that the package builds must have the same bytes as one
 * that is built from the sources.
 *
 *   npm run test:package
 */
import { execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const work = mkdtempSync(join(tmpdir(), 'octavo-package-'))
const home = join(work, 'home')
const site = join(work, 'site')
const installed = join(work, 'installed')

try {
  for (const folder of [home, installed]) mkdirSync(folder)
  cpSync(join(root, 'fixtures/sites/gallery'), site, { recursive: true })
  run(root, process.execPath, 'scripts/build.ts')
  const [tarball = ''] = run(work, 'npm', 'pack', '--loglevel=error', join(root, 'dist/octavo'))
    .trim()
    .split('\n')
    .slice(-1)
  run(
    installed,
    'npm',
    'install',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    join(work, tarball),
  )
  const octavo = join(installed, 'node_modules/octavo/lib/main.js')
  console.log(
    `installed: ${sizeMb(join(installed, 'node_modules'))} MB, ${packageCount()} packages`,
  )
  await tryStarter(octavo)
  run(site, process.execPath, octavo, 'build', '.', '-o', join(work, 'by-package'))
  tryUpdate(octavo)
  rmSync(join(site, '.octavo'), { recursive: true })
  const source = join(root, 'packages/cli/src/main.ts')
  run(site, process.execPath, source, 'build', '.', '-o', join(work, 'by-source'))
  compare()
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** Runs `init`, `check`, `build`, `dev` and `preview`, and prints their output. */
async function tryStarter(octavo: string): Promise<void> {
  for (const args of [
    ['init', 'docs'],
    ['check', 'docs', '--strict'],
    ['build', 'docs'],
  ]) {
    console.log(`\n$ npx octavo ${args.join(' ')}`)
    console.log(run(installed, 'npx', '--no-install', 'octavo', ...args).trimEnd())
  }
  await tryServer(octavo, ['dev', 'docs'])
  await tryServer(octavo, ['preview'])
}

async function tryServer(octavo: string, args: readonly string[]): Promise<void> {
  console.log(`\n$ npx octavo ${args.join(' ')}`)
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const server = spawn(process.execPath, [octavo, ...args], {
    cwd: installed,
    env: environment(),
    stdio: [...stdio],
  })
  try {
    let said = ''
    for await (const part of server.stdout ?? []) {
      said += String(part)
      const url = /http:\/\/\S+/.exec(said)?.[0]
      if (url === undefined || !said.includes('\n\n')) continue
      console.log(said.trim())
      const page = await fetch(url)
      const html = await page.text()
      if (page.status !== 200 || !html.includes('<h1')) throw new Error(`${url}: ${page.status}`)
      console.log(`✓ ${url} serves a page\n`)
      return
    }
    throw new Error(`The server ended: ${said}`)
  } finally {
    server.kill()
  }
}

/**
 * Checks that pages compiled with a different version of a dependency are not taken from the cache.
 */
function tryUpdate(octavo: string): void {
  const indexes = () =>
    readdirSync(join(site, '.octavo/cache')).filter((name) => /^pages-.*\.json$/.test(name))
  const before = indexes()
  const manifest = join(installed, 'node_modules/katex/package.json')
  const text = readFileSync(manifest, 'utf8')
  writeFileSync(manifest, text.replace(/"version": *"/, '$&9'))
  run(site, process.execPath, octavo, 'build', '.', '-o', join(work, 'after-update'))
  writeFileSync(manifest, text)
  if (indexes().every((name) => before.includes(name)))
    throw new Error('A new version of a dependency uses the cache of the old version.')
  console.log('✓ a new version of a dependency has a cache of its own')
}

function run(cwd: string, command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, { cwd, env: environment(), encoding: 'utf8' })
}

/** Returns an environment without the user's settings, except for the registry. */
function environment(): NodeJS.ProcessEnv {
  const npm_config_userconfig = process.env.NPM_CONFIG_USERCONFIG
  return { ...process.env, HOME: home, npm_config_userconfig, npm_config_update_notifier: 'false' }
}

function compare(): void {
  const files = filesOf(join(work, 'by-source'))
  const others = filesOf(join(work, 'by-package'))
  const differing = files.filter(
    (file) =>
      !others.includes(file) ||
      !readFileSync(join(work, 'by-source', file)).equals(
        readFileSync(join(work, 'by-package', file)),
      ),
  )
  if (differing.length > 0 || files.length !== others.length) {
    console.error(`The package and the source build different files: ${differing.join(', ')}`)
    process.exitCode = 1
    return
  }
  console.log(`✓ ${files.length} files, the same bytes by package and by source`)
}

function filesOf(folder: string): readonly string[] {
  return (
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      // The build record and the manifest root contain the version of the builder, so they differ.
      .filter((file) => file !== '.octavo-build.json' && file !== '_octavo/manifest.json')
      .toSorted()
  )
}

function sizeMb(folder: string): number {
  const bytes = filesOf(folder).reduce(
    (sum, file) => sum + readFileSync(join(folder, file)).length,
    0,
  )
  return Math.round(bytes / 1_048_576)
}

function packageCount(): number {
  const lock = join(installed, 'node_modules/.package-lock.json')
  const { packages } = JSON.parse(readFileSync(lock, 'utf8')) as { packages: object }
  return Object.keys(packages).length
}
