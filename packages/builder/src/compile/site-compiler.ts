/**
 * Creates the compiler of a build, which decides which pages are compiled in this process and which
 * in workers.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isHosted } from '@octavo/model'
import type { LoadedSite } from '../load/load-site.ts'
import type { HashedTree } from '../source/hashed-tree.ts'
import type { CompiledPage } from './compile-page.ts'
import {
  type CompilerSettings,
  createJobCompiler,
  loadJob,
  type PageCompilerPort,
  type PageJob,
} from './page-compiler.ts'
import { PagePool, type PoolLimits, type WorkerStart } from './page-pool.ts'
import { stripTypes } from './strip-types.ts'

/** Describes how much the author is trusted, which determines where pages may be compiled. */
export type Isolation = {
  /**
   * True if the author also runs this process, as on the command line. In that case, a few pages
   * and all generated parts are compiled in this process without limits: this is faster, and a page
   * can only do what its author can do anyway. Otherwise every page is compiled in a process with
   * limits.
   */
  readonly isTrusted?: boolean | undefined
  /**
   * True if restricted processes may write to Node's compile cache, because it is not shared or
   * cannot be changed anyway. Node only reads the cache if it may also write to it, and starting
   * without the cache takes twice as long.
   */
  readonly mayWriteCompileCache?: boolean | undefined
  readonly workersMax?: number | undefined
  readonly limits?: PoolLimits | undefined
}

export type SiteCompilerInput = Isolation & {
  readonly tree: HashedTree
  readonly site: Pick<LoadedSite, 'specification' | 'specifications' | 'overlaid'>
  readonly settings: CompilerSettings
  /** The running processes of a server, if there are any, which then compile all page files. */
  readonly pool?: PagePool | undefined
}

/**
 * Default number of workers. One core remains for the process that plans, writes and indexes,
 * because it is as busy as a worker.
 */
const WORKERS_DEFAULT = Math.max(1, availableParallelism() - 1)
/**
 * Up to this number of pages by a trusted author are compiled in this process, because starting a
 * worker takes longer.
 */
const IN_PROCESS_MAX = 4

export function openSiteCompiler(input: SiteCompilerInput): PageCompilerPort {
  const { tree, site, settings, isTrusted = false } = input
  const { files, read, factsOf } = tree
  const { specification } = site
  const compileHere = createJobCompiler(
    { files, read, factsOf, specification, stripTypes },
    settings,
  )
  let own: PagePool | undefined
  let copy: string | undefined
  // Workers read files from disk, so a tree in memory is copied to disk.
  const openCopy = () => {
    copy ??= writeTree(tree)
    return copy
  }
  input.pool?.use(workerStart(input, tree.folder ?? openCopy()))
  const openPool = () => {
    if (input.pool !== undefined) return input.pool
    if (own !== undefined) return own
    own = new PagePool({
      workersMax: input.workersMax ?? WORKERS_DEFAULT,
      limits: input.limits,
      isRestricted: !isTrusted,
      mayWriteCompileCache: input.mayWriteCompileCache,
    })
    own.use(workerStart(input, tree.folder ?? openCopy()))
    return own
  }
  return {
    async compile<Job extends PageJob>(
      jobs: readonly Job[],
      onPage: (job: Job, page: CompiledPage) => void,
    ) {
      const fileCount = jobs.filter(({ kind }) => kind === 'file').length
      const isFew = input.pool === undefined && fileCount <= IN_PROCESS_MAX
      const isHere = (job: Job) => isTrusted && (isFew || job.kind === 'specification')
      const inPool = jobs.filter((job) => !isHere(job))
      const compiling = inPool.length === 0 ? undefined : openPool().compile(inPool, onPage)
      for (const job of jobs) if (isHere(job)) onPage(job, await compileHere(loadJob(job)))
      await compiling
    },
    close() {
      own?.close()
      if (copy !== undefined) rmSync(copy, { recursive: true, force: true })
    },
  }
}

function workerStart(
  { tree, site, settings, isTrusted }: SiteCompilerInput,
  root: string,
): WorkerStart {
  const texts = [...site.specifications.values()].flatMap((one) => [...one.texts])
  return {
    root,
    files: tree.files,
    // The specifications of a trusted author are compiled in this process instead.
    settings: isTrusted ? { ...settings, specificationPages: [] } : settings,
    hosted: isTrusted ? {} : Object.fromEntries(texts.filter(([source]) => isHosted(source))),
    overlays: Object.fromEntries(site.overlaid),
  }
}

/** Writes the files of an in-memory tree to a temporary folder. */
function writeTree(tree: HashedTree): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-source-'))
  for (const path of tree.files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), tree.readBytes(path) ?? '')
  }
  return folder
}
