/**
 * Makes a release ready: packs, installs the package as a user would and tries it, and tells what
 * would be published. It publishes nothing: that is for a person, with the command that it prints.
 *
 *   npm run release -- --dry-run
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const root = join(import.meta.dirname, '..')
const folder = 'dist/octavo'
const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } })
if (!values['dry-run']) {
  console.error('A release is published by a person: run this with --dry-run, then what it prints.')
  process.exit(2)
}

type Manifest = {
  readonly name: string
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
}
type Packed = {
  readonly size: number
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string; readonly size: number }[]
}

const test = spawnSync(process.execPath, ['scripts/test-package.ts'], {
  cwd: root,
  stdio: 'inherit',
})
if (test.status !== 0) process.exit(1)
const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest
const listed = execFileSync('npm', ['pack', '--dry-run', '--json'], {
  cwd: join(root, folder),
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'ignore'],
})
const packed = firstOf(JSON.parse(listed) as readonly Packed[] | Readonly<Record<string, Packed>>)

console.log(`\n${manifest.name} ${manifest.version}`)
console.log(`${Object.keys(manifest.dependencies).length} dependencies of its own:`)
for (const [name, range] of Object.entries(manifest.dependencies)) console.log(`  ${name} ${range}`)
console.log(
  `${packed.files.length} files, ${kb(packed.size)} packed, ${kb(packed.unpackedSize)} unpacked:`,
)
for (const { path, size } of packed.files) console.log(`  ${kb(size).padStart(9)}  ${path}`)
console.log(`\nCHANGELOG.md would say of ${manifest.version}:\n\n${unreleased()}\n`)
console.log(`Nothing was published. To publish ${manifest.name} ${manifest.version}:`)
console.log(`  npm publish ${folder} --access public`)

/** Npm 12 gives an object by name where older ones gave a list. */
function firstOf(packs: readonly Packed[] | Readonly<Record<string, Packed>>): Packed {
  const [first] = Object.values(packs)
  if (first === undefined) throw new Error('npm pack lists nothing.')
  return first
}

function unreleased(): string {
  const [, section] = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## Unreleased$/m)
  if (section === undefined) throw new Error('CHANGELOG.md has no section "Unreleased".')
  return section.split(/^## /m)[0]?.trim() ?? ''
}

function kb(bytes: number): string {
  return `${(bytes / 1_024).toFixed(1)} KB`
}
