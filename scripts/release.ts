/**
 * Prepares a release: builds the packages, publishes them to a registry on loopback, tries them
 * like a new user, and writes dist/release. Then it lists the obstacles to releasing this version,
 * or the commands for a maintainer to run. It publishes nothing itself.
 *
 *   npm run release
 *   npm run release -- --files      only writes dist/release from the existing build
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { VERSION } from '../packages/model/src/version.ts'
import {
  changelogObstacles,
  gitObstacles,
  nameObstacles,
  PACKAGE_NAMES,
  packageObstacles,
  readChangelog,
  readNameState,
  readNpmUser,
} from './release/obstacles.ts'
import { readPackages, writeReleaseFiles } from './release/packages.ts'
import { tryPackages } from './release/try-packages.ts'

const root = join(import.meta.dirname, '..')
const target = join(root, 'dist/release')
const { values } = parseArgs({ options: { files: { type: 'boolean', default: false } } })

if (!values.files) build()
const packages = readPackages(join(root, 'dist'))
const files = writeReleaseFiles(packages, { root, target, version: VERSION })
console.log('dist/release:')
for (const file of files) console.log(`  ${kb(join(target, file)).padStart(9)}  ${file}`)

if (!values.files) {
  console.log('\nAs a new user, from a registry on this machine:')
  await tryPackages(packages, target)
  const obstacles = [
    ...packageObstacles(packages, VERSION),
    ...changelogObstacles(readChangelog(root), VERSION),
    ...gitObstacles(root, VERSION),
    ...nameObstacles(
      new Map(PACKAGE_NAMES.map((name) => [name, readNameState(name)])),
      readNpmUser(),
    ),
  ]
  if (obstacles.length === 0) printCommands()
  else {
    console.log(`\n${VERSION} cannot be released yet:`)
    for (const obstacle of obstacles) console.log(`✗ ${obstacle}`)
    process.exitCode = 1
  }
}

function build(): void {
  const { status } = spawnSync(process.execPath, ['scripts/build.ts'], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(1)
}

function printCommands(): void {
  console.log(
    `\n${VERSION} is ready. Nothing was published. Push the tag, and the workflow does the rest:`,
  )
  console.log(`  git tag --sign v${VERSION} --message "Octavo ${VERSION}"`)
  console.log(`  git push origin v${VERSION}`)
  console.log(
    'npm accepts the workflow only for packages that exist. For the first release, publish them yourself:',
  )
  for (const name of PACKAGE_NAMES)
    console.log(`  npm publish ./dist/release/${name}-${VERSION}.tgz --access public`)
}

function kb(file: string): string {
  return `${(readFileSync(file).length / 1_024).toFixed(1)} KB`
}
