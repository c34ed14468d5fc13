/**
 * Builds a documentation folder into another folder. If nothing has changed since the last build, no
 * more code is loaded than is needed to find that out.
 */
import { copyFetcher } from '../load/fetchers.ts'
import { recordedSource } from '../load/fonts/font-record.ts'
import { gitHistory } from '../source/git-history.ts'
import { gitRepository } from '../source/git-repository.ts'
import { readFolder } from '../source/read-folder.ts'
import type { BuildResult, TreeOptions } from './build-tree.ts'
import { LastBuild } from './last-build.ts'

export type BuildOptions = TreeOptions & {
  readonly folder: string
  readonly output: string
}

/** Builds a folder into another folder, as the `build` command does. */
export async function buildSite(options: BuildOptions): Promise<BuildResult> {
  const { folder, output, cacheFolder, version } = options
  const repository = gitRepository(folder)
  const changedAt = gitHistory(folder)
  const uses = { repository: false, history: false, network: false }
  const source = readFolder(folder, {
    repository() {
      uses.repository = true
      return repository()
    },
    changedAt(path) {
      uses.history = true
      return changedAt(path)
    },
  })
  const last = new LastBuild(source, options)
  const known = last.find()
  if (known !== undefined) return known
  const [{ buildTree }, { SourceState }, { OutputFolder }] = await Promise.all([
    import('./build-tree.ts'),
    import('../source/source-state.ts'),
    import('../output/output-folder.ts'),
  ])
  const state = SourceState.open(cacheFolder, version)
  const fetcher = options.fetcher ?? copyFetcher(cacheFolder)
  const built = await buildTree(source, () => new OutputFolder(output), {
    ...options,
    state,
    fetcher: {
      fetch(url) {
        uses.network = true
        return fetcher.fetch(url)
      },
      async fetchFont(source) {
        const outcome = (await fetcher.fetchFont?.(source)) ?? { kind: 'pending' }
        // A recorded package always has the same content.
        uses.network ||= outcome.kind !== 'package' || source !== recordedSource(outcome.package)
        return outcome
      },
    },
  })
  state.save()
  // What a URL returns can change at any time.
  if (!uses.network) last.save(built, uses, state)
  return built
}
