/**
 * Turns planned pages into compiled pages for `build`, `check` and `dev`: looks in the cache,
 * compiles what is missing, and stores the result. A page has one or two parts, which are compiled
 * and cached separately: the text of its file, and the part that is generated from a specification.
 */
import type { PageCache } from '../cache/page-cache.ts'
import { appendPage, EMPTY_PAGE } from '../compile/append-page.ts'
import type { OperationCompiler } from '../compile/compile-operations.ts'
import type { CompiledPage } from '../compile/compile-page.ts'
import type { PageCompilerPort, PageJob } from '../compile/page-compiler.ts'
import { type PageFacts, splitPage } from '../compile/page-facts.ts'
import { shownOf } from '../compile/shown-page.ts'
import { hashWithLanguage } from '../plan/page-languages.ts'
import type { PlannedPage } from '../plan/plan-pages.ts'
import { hashBytes } from '../source/hash-bytes.ts'
import type { HashedTree } from '../source/hashed-tree.ts'

export type PipelineInput = {
  readonly tree: HashedTree
  readonly cache: PageCache
  readonly compiler: Pick<PageCompilerPort, 'compile'>
  readonly operations: Pick<OperationCompiler, 'keyOf'>
  /** The language of each file, except those in English. */
  readonly languages: Readonly<Record<string, string>>
}

/** Receives the compiled pages. */
export type PageConsumer = {
  /**
   * Returns true if the page does not need to be loaded, because its outputs from these artifacts
   * still exist.
   */
  readonly keep: (page: PlannedPage, artifacts: readonly string[]) => boolean
  readonly write: (page: PlannedPage, artifacts: readonly string[], compiled: CompiledPage) => void
}

/** Used by checks, which need only facts: no page is loaded, and nothing is written. */
export const FACTS_ONLY: PageConsumer = { keep: () => true, write: () => {} }

export type CompileProgress = { readonly done: number; readonly total: number }

/** A page and the facts of its parts. */
export type PipelinePage = { readonly page: PlannedPage; readonly parts: readonly PageFacts[] }

export type PipelineResult = {
  /** The pages in the order of the plan, which does not depend on the order of compilation. */
  readonly pages: readonly PipelinePage[]
  /** Number of pages that had to be compiled; all others came from the cache. */
  readonly compiledCount: number
}

type Part = {
  readonly job: PageJob
  /** The name of the part. Identical parts of several pages have the same name. */
  readonly name: string
  /** The part's key in the cache; undefined until the part is compiled. */
  artifact: string | undefined
  facts: PageFacts | undefined
  /** The compiled part. It is kept only until all parts of the page are compiled. */
  compiled?: CompiledPage | undefined
}

type PageInWork = { readonly page: PlannedPage; readonly parts: readonly Part[] }

export class PagePipeline {
  readonly #input: PipelineInput

  constructor(input: PipelineInput) {
    this.#input = input
  }

  /** Passes every page to the consumer once, either to keep it or to write it. */
  async run(
    pages: readonly PlannedPage[],
    consumer: PageConsumer,
    onProgress?: (progress: CompileProgress) => void,
  ): Promise<PipelineResult> {
    const all = pages.map((page) => ({ page, parts: this.#partsOf(page) }))
    const waiting = new Map<string, PageInWork[]>()
    const jobs: (PageJob & { readonly name: string })[] = []
    let compiledCount = 0
    for (const one of all) {
      const missing = one.parts.filter(({ artifact }) => artifact === undefined)
      if (missing.length === 0 && this.#reuse(one, consumer)) continue
      compiledCount += 1
      for (const part of one.parts.filter(({ artifact }) => artifact === undefined)) {
        const before = waiting.get(part.name)
        if (before === undefined) jobs.push({ ...part.job, name: part.name })
        waiting.set(part.name, [...(before ?? []), one])
      }
    }
    let done = 0
    await this.#input.compiler.compile(jobs, (job, compiled) => {
      const artifact = this.#store(job, compiled)
      for (const one of waiting.get(job.name) ?? [])
        this.#take(one, job.name, { artifact, compiled })
      for (const one of waiting.get(job.name) ?? []) this.#finish(one, consumer)
      waiting.delete(job.name)
      done += 1
      onProgress?.({ done, total: jobs.length })
    })
    return {
      pages: all.map(({ page, parts }) => ({
        page,
        parts: parts.flatMap(({ facts }) => facts ?? []),
      })),
      compiledCount,
    }
  }

  /** Returns a whole page. Its parts come from the cache or are compiled now. */
  async load(page: PlannedPage): Promise<CompiledPage> {
    const parts = this.#partsOf(page)
    const compiled: CompiledPage[] = []
    for (const { artifact, job } of parts) {
      const cached = artifact === undefined ? undefined : this.#input.cache.load(artifact)
      compiled.push(cached ?? (await this.#compileOne(job)))
    }
    return joinParts(compiled)
  }

  #partsOf({ file, ...page }: PlannedPage): readonly Part[] {
    const { cache, operations } = this.#input
    const parts: Part[] = []
    if (file !== undefined) {
      const job = { kind: 'file', file, code: () => cache.previousCode(file) } as const
      parts.push(this.#partOf(job, `file ${file}`, cache.find(this.#sourceOf(file))))
    }
    const shown = shownOf({ file, ...page })
    if (shown !== undefined) {
      const key = operations.keyOf(shown)
      parts.push(this.#partOf({ kind: 'specification', page: shown }, key, key))
    }
    return parts
  }

  /**
   * Returns a part. If its record in the cache is missing or damaged, it will be compiled again.
   */
  #partOf(job: PageJob, name: string, key: string | undefined): Part {
    const facts = key === undefined ? undefined : this.#input.cache.facts(key)
    return { job, name, artifact: facts === undefined ? undefined : key, facts }
  }

  /**
   * Reuses a page whose parts are all cached. Returns false if one of them turns out to be
   * unreadable.
   */
  #reuse(one: PageInWork, consumer: PageConsumer): boolean {
    const artifacts = artifactsOf(one)
    if (consumer.keep(one.page, artifacts)) return true
    const compiled = one.parts.map((part) => {
      const page = this.#input.cache.load(part.artifact ?? '')
      if (page === undefined) part.artifact = undefined
      return page ?? EMPTY_PAGE
    })
    if (one.parts.some(({ artifact }) => artifact === undefined)) return false
    consumer.write(one.page, artifacts, joinParts(compiled))
    return true
  }

  #take(
    { parts }: PageInWork,
    name: string,
    { artifact, compiled }: { readonly artifact: string; readonly compiled: CompiledPage },
  ): void {
    for (const part of parts) {
      if (part.name !== name) continue
      part.artifact = artifact
      part.facts = splitPage(compiled).facts
      part.compiled = compiled
    }
  }

  /** Writes a page after its last part has been compiled. */
  #finish(one: PageInWork, consumer: PageConsumer): void {
    if (one.parts.some(({ artifact }) => artifact === undefined)) return
    const compiled = one.parts.map(
      (part) => part.compiled ?? this.#input.cache.load(part.artifact ?? '') ?? EMPTY_PAGE,
    )
    for (const part of one.parts) part.compiled = undefined
    consumer.write(one.page, artifactsOf(one), joinParts(compiled))
  }

  async #compileOne(job: PageJob): Promise<CompiledPage> {
    let compiled = EMPTY_PAGE
    await this.#input.compiler.compile([job], (_, page) => {
      compiled = page
    })
    this.#store(job, compiled)
    return compiled
  }

  /**
   * Stores a compiled page and returns its key. A page that failed or that changed during the
   * compilation gets a key that no other run uses.
   */
  #store(job: PageJob, compiled: CompiledPage): string {
    const { cache, tree, operations } = this.#input
    if (compiled.failed) return hashBytes('failed', JSON.stringify(compiled.diagnostics))
    if (job.kind === 'specification') {
      const key = operations.keyOf(job.page)
      cache.put(key, compiled)
      return key
    }
    // If a file was saved in the meantime, the compiler may have read text that differs from the
    // hashed text.
    const isSure = [job.file, ...compiled.files].every((path) => tree.isUnchanged(path))
    if (!isSure) return hashBytes('changed', compiled.html, compiled.markdown)
    return cache.store(this.#sourceOf(job.file), compiled)
  }

  #sourceOf(file: string) {
    const { tree, languages } = this.#input
    return { file, hash: hashWithLanguage(tree.hashOf(file), languages[file]) }
  }
}

function artifactsOf({ parts }: PageInWork): readonly string[] {
  return parts.map(({ artifact }) => artifact ?? '')
}

/** Joins the author's text and the part generated from the specification. */
function joinParts([first = EMPTY_PAGE, ...others]: readonly CompiledPage[]): CompiledPage {
  return others.reduce(appendPage, first)
}
