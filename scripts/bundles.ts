/**
 * Writes packages for machines without a registry to dist/bundles: one file per platform with all
 * dependencies.
 *
 *   npx node scripts/bundles.ts [linux-x64 darwin-arm64]        (after `npm run build`; linux-x64, linux-arm64 and darwin-arm64)
 *   npm install --global --offline octavo-service-0.1.0-linux-x64.tgz        (on the other machine)
 */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

const DIST = join(import.meta.dirname, '../dist')
const TARGET = join(DIST, 'bundles')
const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-arm64']

type Manifest = {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
}

mkdirSync(TARGET, { recursive: true })
const wanted = process.argv.slice(2)
for (const platform of wanted.length === 0 ? PLATFORMS : wanted)
  for (const name of ['octavo', 'octavo-service']) bundle(name, platform)

function bundle(name: string, platform: string): void {
  const [os = '', cpu = ''] = platform.split('-')
  const work = mkdtempSync(join(tmpdir(), 'octavo-bundle-'))
  try {
    const folder = join(work, name)
    cpSync(join(DIST, name), folder, { recursive: true })
    const file = join(folder, 'package.json')
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest
    npm(folder, 'install', '--omit=dev', '--ignore-scripts', `--os=${os}`, `--cpu=${cpu}`)
    rmSync(join(folder, 'package-lock.json'), { force: true })
    const bundleDependencies = Object.keys(manifest.dependencies)
    writeFileSync(file, JSON.stringify({ ...manifest, bundleDependencies }, null, 2))
    npm(folder, 'pack', '--pack-destination', work)
    const made = join(TARGET, `${name}-${manifest.version}-${platform}.tgz`)
    renameSync(join(work, `${name}-${manifest.version}.tgz`), made)
    console.log(`${made.slice(DIST.length + 1)}: ${(statSync(made).size / 1e6).toFixed(1)} MB`)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function npm(cwd: string, ...args: readonly string[]): void {
  execFileSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
