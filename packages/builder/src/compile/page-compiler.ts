/**
 * Defines the interface for compiling pages, and the compiler for one page, which runs in this
 * process or in a worker process with limits.
 */
import type { Config } from '@octavo/model'
import type { Specification } from '@octavo/openapi'
import type { Highlighter } from '@octavo/theme'
import type { AssetFacts } from '../source/images/asset-facts.ts'
import { OperationCompiler } from './compile-operations.ts'
import { type CompiledPage, createPageCompiler } from './compile-page.ts'
import type { KnownCode } from './known-code.ts'
import type { ShownPage } from './shown-page.ts'
import type { StripTypes } from './stripped-module.ts'

/** A page file, or the part of a page that is generated from a specification. */
export type PageJob =
  | { readonly kind: 'file'; readonly file: string; readonly code: () => KnownCode }
  | { readonly kind: 'specification'; readonly page: ShownPage }

export type PageCompilerPort = {
  /**
   * Compiles pages in any order and reports each page when it is ready. A page that could not be
   * compiled has a diagnostic.
   */
  readonly compile: <Job extends PageJob>(
    jobs: readonly Job[],
    onPage: (job: Job, page: CompiledPage) => void,
  ) => Promise<void>
  readonly close: () => void
}

/**
 * Everything that determines the compiled pages except the files. It is sent to worker processes.
 */
export type CompilerSettings = {
  readonly version: string
  readonly variables: Readonly<Record<string, string>>
  readonly icons: Config['icons'] | undefined
  readonly api: Config['api'] | undefined
  /** Language of each page file, except English ones. */
  readonly languages: Readonly<Record<string, string>>
  /** All pages whose content is generated from a specification. */
  readonly specificationPages: readonly ShownPage[]
}

export type CompilerSources = {
  readonly files: readonly string[]
  readonly read: (path: string) => string | undefined
  readonly factsOf: (path: string) => AssetFacts
  readonly specification: (source: string) => Specification | undefined
  readonly stripTypes: StripTypes
}

/** A job in the form in which it is sent to a worker, with its previous code. */
export type LoadedJob =
  | { readonly kind: 'file'; readonly file: string; readonly code: KnownCode }
  | { readonly kind: 'specification'; readonly page: ShownPage }

export type CompileJob = (job: LoadedJob) => Promise<CompiledPage>

export function createJobCompiler(
  { files, read, factsOf, specification, stripTypes }: CompilerSources,
  { version, variables, icons, api, languages, specificationPages }: CompilerSettings,
  highlighter?: Highlighter,
): CompileJob {
  const compileFile = createPageCompiler(
    {
      read,
      factsOf,
      stripTypes,
      variables,
      iconLibrary: icons?.library,
      languageOf: (path) => languages[path],
      api,
    },
    highlighter,
  )
  const operations = new OperationCompiler({
    site: { config: { api, icons, variables }, specification },
    pages: specificationPages,
    version,
    assets: { files, factsOf },
  })
  return (job) =>
    job.kind === 'file' ? compileFile(job.file, job.code) : operations.compile(job.page)
}

/** Returns the file that is named in a diagnostic about the whole job. */
export function nameOfJob(job: PageJob | LoadedJob): string {
  return job.kind === 'file' ? job.file : job.page.backing.source
}

export function loadJob(job: PageJob): LoadedJob {
  return job.kind === 'file' ? { ...job, code: job.code() } : job
}
