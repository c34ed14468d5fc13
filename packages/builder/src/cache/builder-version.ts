import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashBytes } from '../source/hash-bytes.ts'
import { type InstalledPackage, installedPackages, nameAndVersion } from './installed-packages.ts'

const BUILDER_FOLDER = join(import.meta.dirname, '../..')
/** Matches files: folder names have no extension. */
const FILE = /\.[a-z]+$/
const TEST_FILE = /\.test\.|(?:^|[\\/])(?:testing|browser-tests)[\\/]/

/**
 * Changes whenever the same source could produce different bytes: a hash of our own code, of the
 * versions of all its dependencies, and of the Node version, which brings Unicode data and zlib.
 * Unlike a version number, it cannot be forgotten.
 */
export function builderVersion(folder = BUILDER_FOLDER): string {
  return hashBytes(process.version, ...installedPackages(folder).flatMap(describePackage))
}

function describePackage(installed: InstalledPackage): readonly (string | Uint8Array)[] {
  const { name, folder } = installed
  if (!name.startsWith('@octavo/')) return [nameAndVersion(installed)]
  const files = readdirSync(`${folder}/src`, { recursive: true, encoding: 'utf8' })
    .filter((file) => FILE.test(file) && !TEST_FILE.test(file))
    .toSorted()
  return [name, ...files.map((file) => readFileSync(`${folder}/src/${file}`))]
}
