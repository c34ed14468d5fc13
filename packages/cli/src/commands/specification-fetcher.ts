import { copyFetcher, networkFetcher, type SpecificationFetcher } from '@octavo/builder'
import type { CommandContext } from '../context/command-context.ts'
import { workFolder } from './work-folder.ts'

/** What a command may do on the network. Never from docs.json: whoever runs the command decides. */
export type NetworkOptions = {
  /** Copies of earlier runs only. */
  readonly offline: boolean
  /** Hosts that may be on a private network. */
  readonly allowPrivateHosts: readonly string[]
}

type FetcherOptions = NetworkOptions & {
  readonly folder: string
  readonly signal?: AbortSignal
}

/** Hosted specifications and fonts for one run over the documentation in a folder. */
export function createFetcher(
  world: CommandContext,
  options: FetcherOptions,
): SpecificationFetcher {
  let opened: Required<SpecificationFetcher> | undefined
  // Made when it is first needed: a site without hosted specifications gets no folder for copies.
  const open = () => {
    opened ??= openFetcher(world, options)
    return opened
  }
  return { fetch: (url) => open().fetch(url), fetchFont: (url) => open().fetchFont(url) }
}

function openFetcher(
  world: CommandContext,
  { folder, offline, allowPrivateHosts, signal }: FetcherOptions,
): Required<SpecificationFetcher> {
  const cacheFolder = workFolder(folder, 'cache')
  if (offline) return copyFetcher(cacheFolder)
  return networkFetcher({ cacheFolder, allowPrivateHosts, signal, now: world.clock.now })
}
