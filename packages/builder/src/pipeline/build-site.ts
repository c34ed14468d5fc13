/**
 * Builds a documentation folder into another folder. If nothing has changed since the last build, no
 * more code is loaded than is needed to find that out.
 */
import { copyFetcher } from '../load/fetchers.ts'
import { recordedSource } from '../load/fonts/font-record.ts'
import { gitHistory } from '../source/git-history.ts'
import { gitRepository } from '../source/git-repository.ts'
import { readFolder } from '../source/read-folder.ts'
import type { SourceTree } from '../source/source-tree.ts'
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
  const edited = await buildEdits(last, { source, options })
  if (edited !== undefined) return edited
  const [{ buildTree }, { SourceState }, { OutputFolder }] = await Promise.all([
    import('./build-tree.ts'),
    import('../source/source-state.ts'),
    import('../output/output-folder.ts'),
  ])
  const state = SourceState.open(cacheFolder, version)
  const fetcher = options.fetcher ?? copyFetcher(cacheFolder)
  let edits: string | undefined
  const built = await buildTree(source, () => new OutputFolder(output), {
    ...options,
    state,
    onEditRecord(record) {
      edits = record
    },
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
  if (!uses.network) last.save(built, { uses, state, edits })
  return built
}

/** Builds only the pages whose text has changed, or returns undefined if that is not enough. */
async function buildEdits(
  last: LastBuild,
  { source, options }: { readonly source: SourceTree; readonly options: BuildOptions },
): Promise<BuildResult | undefined> {
  const edits = last.findEdits()
  if (edits === undefined) return undefined
  const [{ editPages }, { SourceState }] = await Promise.all([
    import('./edit-pages.ts'),
    import('../source/source-state.ts'),
  ])
  const state = SourceState.open(options.cacheFolder, options.version)
  const counts = await editPages({ ...edits, source, state, options })
  return counts && last.saveEdit(counts, state)
}
