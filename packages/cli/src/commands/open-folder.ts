import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { openSite, readFolder } from '@octavo/builder'
import { formatDiagnostic } from '@octavo/model'
import type { CommandContext } from '../context/command-context.ts'
import { withNotFoundHint } from './not-found-hint.ts'
import { createFetcher, type NetworkOptions } from './specification-fetcher.ts'

type FolderOptions = NetworkOptions & { readonly folder: string }

/** Opens the site in a folder. Without one, reports the reason and returns undefined. */
export async function openFolder(world: CommandContext, options: FolderOptions) {
  const folder = resolve(world.cwd, options.folder)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    world.err.write(`octavo: the folder "${options.folder}" does not exist.\n`)
    return undefined
  }
  const fetcher = createFetcher(world, { ...options, folder })
  const { site, diagnostics } = await openSite(readFolder(folder), fetcher)
  if (site === undefined) {
    const found = withNotFoundHint(diagnostics, { folder, cwd: world.cwd })
    world.err.write(`${found.map(formatDiagnostic).join('\n\n')}\n`)
    return undefined
  }
  return { site, diagnostics }
}
