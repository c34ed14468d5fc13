/**
 * Replaces the builder's `builder-version.ts` in packages. The hash of our code is computed when
 * the package is built, and the versions of dependencies are those that the user installed.
 */
import { fileURLToPath } from 'node:url'
import {
  installedPackages,
  nameAndVersion,
} from '../../packages/builder/src/cache/installed-packages.ts'
import { hashBytes } from '../../packages/builder/src/source/hash-bytes.ts'

declare const PACKED_VERSION: string

export function builderVersion(): string {
  const folder = fileURLToPath(new URL('..', import.meta.url))
  const versions = installedPackages(folder).map(nameAndVersion)
  return hashBytes(PACKED_VERSION, process.version, ...versions)
}
