import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type ReleasePackage = {
  readonly name: string
  readonly version: string
  readonly folder: string
  /** The names of the package's commands. */
  readonly bin: readonly string[]
}

type Manifest = {
  readonly name: string
  readonly version: string
  readonly bin?: string | Readonly<Record<string, string>>
}

/** Returns the packages of a release, which are the folders of dist with a package.json. */
export function readPackages(dist: string): readonly ReleasePackage[] {
  return readdirSync(dist, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(dist, entry.name))
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => {
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
      const { name, version, bin = {} } = manifest
      return { name, version, folder, bin: typeof bin === 'string' ? [name] : Object.keys(bin) }
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Writes the files of a release: a tarball of each package, the SBOM and checksums. */
export function writeReleaseFiles(
  packages: readonly ReleasePackage[],
  {
    root,
    target,
    version,
  }: { readonly root: string; readonly target: string; readonly version: string },
): readonly string[] {
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  for (const { folder } of packages)
    execFileSync('npm', ['pack', folder, '--pack-destination', target, '--loglevel=error'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  const sbom = join(target, `octavo-${version}.cdx.json`)
  execFileSync(process.execPath, ['scripts/dependencies.ts', '--sbom', sbom], { cwd: root })
  const files = readdirSync(target).toSorted()
  writeFileSync(join(target, 'SHA256SUMS'), printChecksums(target, files))
  return [...files, 'SHA256SUMS']
}

/** Returns the checksums in the format that `sha256sum --check` reads. */
function printChecksums(folder: string, files: readonly string[]): string {
  return files
    .map((file) => {
      const hash = createHash('sha256').update(readFileSync(join(folder, file)))
      return `${hash.digest('hex')}  ${file}\n`
    })
    .join('')
}
