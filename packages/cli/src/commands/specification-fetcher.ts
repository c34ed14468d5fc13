import type { SpecificationFetcher } from '@octavo/builder'
import { copyFetcher, networkFetcher } from '@octavo/builder/build'
import type { CommandContext } from '../context/command-context.ts'
import { workFolder } from './work-folder.ts'

/** The network access of a command, which only command-line options can set, never docs.json. */
export type NetworkOptions = {
  /** True to use only copies from earlier runs. */
  readonly offline: boolean
  /** Hosts that may be on a private network. */
  readonly allowPrivateHosts: readonly string[]
}

type FetcherOptions = NetworkOptions & {
  readonly folder: string
  readonly signal?: AbortSignal
  /** True to record the packages of fonts in the documentation folder. */
  readonly recordsFonts?: boolean
}

/** Creates the fetcher of hosted specifications and fonts for one run of a command. */
export function createFetcher(
  world: CommandContext,
  { folder, offline, allowPrivateHosts, signal, recordsFonts = false }: FetcherOptions,
): SpecificationFetcher {
  const cacheFolder = workFolder(folder, 'cache')
  if (offline) return copyFetcher(cacheFolder)
  return networkFetcher({
    cacheFolder,
    allowPrivateHosts,
    signal,
    now: world.clock.now,
    registry: world.env.npm_config_registry,
    recordFolder: recordsFonts ? folder : undefined,
  })
}
