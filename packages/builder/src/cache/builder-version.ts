import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashBytes } from '../source/hash-bytes.ts'
import { type InstalledPackage, installedPackages, nameAndVersion } from './installed-packages.ts'

const BUILDER_FOLDER = join(import.meta.dirname, '../..')
/** Matches the names of files; names of folders have no extension. */
const FILE = /\.[a-z]+$/
const TEST_FILE = /\.test\.|(?:^|[\\/])(?:testing|browser-tests)[\\/]/

/**
 * Returns a hash that changes whenever the same source could compile to different bytes. It covers
 * our own code, the versions of all dependencies, and the Node version, which determines Unicode
 * data and zlib. Unlike a version number, it does not have to be updated by hand.
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
