import { copyFetcher, networkFetcher, type SpecificationFetcher } from '@octavo/builder'
import type { CommandContext } from '../context/command-context.ts'
import { workFolder } from './work-folder.ts'

/** Network access of a command. Set only by command-line options, never by docs.json. */
export type NetworkOptions = {
  /** Uses only the copies of earlier runs. */
  readonly offline: boolean
  /** Hosts that may be on a private network. */
  readonly allowPrivateHosts: readonly string[]
}

type FetcherOptions = NetworkOptions & {
  readonly folder: string
  readonly signal?: AbortSignal
}

/** Fetches hosted specifications and fonts during one run on a documentation folder. */
export function createFetcher(
  world: CommandContext,
  options: FetcherOptions,
): SpecificationFetcher {
  let opened: Required<SpecificationFetcher> | undefined
  // Opened lazily, so that a site without hosted specifications gets no cache folder.
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
