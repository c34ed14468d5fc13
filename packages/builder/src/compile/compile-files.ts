/** Compiles page files: a few of them here, many in processes of their own. */

import type { LoadedSite } from '../load/load-site.ts'
import type { HashedTree } from '../source/hashed-tree.ts'
import { createPageCompiler } from './compile-page.ts'
import { compilePages, type PoolLimits, type PoolOptions } from './page-pool.ts'

export type CompileFilesInput = Pick<PoolOptions, 'codeOf' | 'onPage' | 'languages'> & {
  readonly folder: string
  readonly tree: HashedTree
  readonly site: LoadedSite
  readonly workersMax?: number | undefined
  readonly limits?: PoolLimits | undefined
}

/** As few pages as this are compiled here: starting a worker would take longer. */
const IN_PROCESS_MAX = 4

export async function compileFiles(
  files: readonly string[],
  { folder: root, tree, site, workersMax, limits, ...rest }: CompileFilesInput,
): Promise<void> {
  const { languages, codeOf, onPage } = rest
  const variables = site.config.variables ?? {}
  const iconLibrary = site.config.icons?.library
  const { api } = site.config
  if (files.length <= IN_PROCESS_MAX) {
    const { read, factsOf } = tree
    const languageOf = (path: string) => languages[path]
    const compile = createPageCompiler({ read, factsOf, variables, iconLibrary, languageOf, api })
    for (const file of files) onPage(file, await compile(file, codeOf(file)))
    return
  }
  await compilePages(files, {
    root,
    files: tree.files,
    variables,
    iconLibrary,
    api,
    ...rest,
    ...(workersMax === undefined ? {} : { workersMax }),
    ...(limits === undefined ? {} : { limits }),
  })
}
