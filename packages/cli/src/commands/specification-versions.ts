/** Reads a version of an API for `octavo api diff`: from disk, from Git, or from a URL. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, posix, resolve } from 'node:path'
import { fetchParts } from '@octavo/builder'
import { readFolder, readGitFiles } from '@octavo/builder/build'
import { isHosted } from '@octavo/model'
import {
  folderVersion,
  type ReadFile,
  SPECIFICATION_FILE,
  type SpecificationVersion,
} from '@octavo/openapi'
import type { CommandContext } from '../context/command-context.ts'
import { createFetcher, type NetworkOptions } from './specification-fetcher.ts'

/** Returns the texts of a version, or an error message. */
export async function readSpecifications(
  world: CommandContext,
  written: string,
  network: NetworkOptions,
): Promise<SpecificationVersion | string> {
  if (isHosted(written)) return readHosted(world, written, network)
  const path = resolve(world.cwd, written)
  if (existsSync(path)) {
    if (statSync(path).isFile()) {
      let folder: ReturnType<typeof readFolder> | undefined
      const read = (file: string) => {
        folder ??= readFolder(dirname(path))
        return folder.read(file)
      }
      return single(basename(path), readFileSync(path, 'utf8'), read)
    }
    const folder = readFolder(path)
    const files = folder.files.filter((file) => SPECIFICATION_FILE.test(file))
    return inFolder(
      written,
      files.map((file) => [file, folder.read(file) ?? '']),
    )
  }
  const [, ref, inside] = /^([^:]+):(.*)$/.exec(written) ?? []
  if (ref === undefined || inside === undefined) {
    return `"${written}" does not exist. Name a file, a folder, a URL, or a Git commit and a path, such as main:openapi.yaml.`
  }
  const files = readGitFiles(world.cwd, { ref, path: inside, names: SPECIFICATION_FILE })
  if (files === undefined) return `Git has no "${inside}" in "${ref}" here.`
  const [only] = files
  if (files.length === 1 && only?.[0] === basename(inside)) {
    const read = (file: string) => {
      const path = posix.join(posix.dirname(inside), file)
      const [found] = readGitFiles(world.cwd, { ref, path, names: SPECIFICATION_FILE }) ?? []
      return found?.[0] === basename(path) ? found[1] : undefined
    }
    return single(only[0], only[1], read)
  }
  return inFolder(written, files)
}

function inFolder(
  written: string,
  files: readonly (readonly [path: string, text: string])[],
): SpecificationVersion | string {
  const version = folderVersion(files)
  return version.texts.size === 0 ? `"${written}" has no specification.` : version
}

function single(name: string, text: string, read?: ReadFile): SpecificationVersion {
  return { texts: new Map([[name, text]]), isFolder: false, ...(read && { read }) }
}

async function readHosted(
  world: CommandContext,
  url: string,
  network: NetworkOptions,
): Promise<SpecificationVersion | string> {
  const fetcher = createFetcher(world, { ...network, folder: world.cwd })
  const outcome = await fetcher.fetch(url)
  if (outcome.kind !== 'loaded' && outcome.kind !== 'stale') return `"${url}" could not be fetched.`
  return single(url, outcome.text, await fetchParts(url, outcome.text, fetcher))
}
