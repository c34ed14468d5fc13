import {
  type Diagnostic,
  isHosted,
  normalizeSource,
  type OperationListing,
  type OverlayUse,
  type SpecificationOverlays,
} from '@octavo/model'
import {
  checkTags,
  operationListings,
  parseSpecification,
  type ReadFile,
  type Specification,
  schemaNames,
} from '@octavo/openapi'
import type { SourceTree } from '../source/source-tree.ts'
import { isMarkup } from './fetch-specifications.ts'
import { notASpecification } from './hosted-diagnostics.ts'
import { textOfPart } from './hosted-parts.ts'
import type { HostedSpecifications } from './hosted-specifications.ts'
import { tooLarge } from './load-pages.ts'
import type { SpecificationOutcome } from './specification-fetcher.ts'

type Loaded = {
  readonly specification: Specification
  readonly listings: readonly OperationListing[]
  readonly schemas: readonly string[]
}

/** Reads the specifications of a site. Each of them is read once, on demand. */
export class SpecificationLibrary {
  readonly #tree: SourceTree
  readonly #hosted: HostedSpecifications
  readonly #files: ReadonlySet<string>
  readonly #loaded = new Map<string, Loaded | undefined>()
  readonly #outcomes = new Map<string, SpecificationOutcome>()
  readonly #partOf = new Map<string, string>()
  readonly #overlays: SpecificationOverlays
  readonly #overlaid = new Map<string, readonly OverlayUse[]>()
  readonly #changedFiles = new Set<string>()
  readonly #diagnostics: Diagnostic[] = []
  #found: readonly string[] | undefined

  constructor(
    tree: SourceTree,
    hosted: HostedSpecifications,
    overlays: SpecificationOverlays = new Map(),
  ) {
    this.#overlays = overlays
    this.#tree = tree
    this.#hosted = hosted
    this.#files = new Set(tree.files)
  }

  readonly operations = (source: string) => this.#load(source)?.listings
  readonly schemas = (source: string) => this.#load(source)?.schemas

  /** Returns every specification in the repository, whether or not docs.json lists it. */
  readonly specificationFiles = (): readonly string[] => {
    this.#found ??= this.#tree.files.filter((file) => this.#isSpecification(file))
    return this.#found
  }

  /** The specifications that have been read, by path or URL. */
  get specifications(): ReadonlyMap<string, Specification> {
    const read = [...this.#loaded].flatMap(([source, loaded]) =>
      loaded === undefined ? [] : [[source, loaded.specification] as const],
    )
    return new Map(read)
  }

  /** The specifications that overlays change, by path or URL, with the overlays of docs.json. */
  get overlaid(): ReadonlyMap<string, readonly OverlayUse[]> {
    return this.#overlaid
  }

  /** The files of these specifications. Overlays may remove what no reader may see. */
  get changedFiles(): ReadonlySet<string> {
    return this.#changedFiles
  }

  /** Checks the tags of a specification whose operations the navigation groups by tag. */
  checkTags(source: string): void {
    const loaded = this.#load(source)
    if (loaded !== undefined) this.#diagnostics.push(...checkTags(loaded.specification))
  }

  /**
   * Outcomes of the hosted specifications that the site requested, except those that were not
   * fetched yet.
   */
  get hostedOutcomes(): ReadonlyMap<string, SpecificationOutcome> {
    return this.#outcomes
  }

  /** The hosted specification that each hosted document with an outcome belongs to, by URL. */
  get partOf(): ReadonlyMap<string, string> {
    return this.#partOf
  }

  /** Problems in the specifications that have been read. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics
  }

  #load(written: string): Loaded | undefined {
    const source = normalizeSource(written)
    if (this.#loaded.has(source)) return this.#loaded.get(source)
    const loaded = this.#parse(source)
    this.#loaded.set(source, loaded)
    return loaded
  }

  #parse(source: string): Loaded | undefined {
    const text = isHosted(source) ? this.#hostedText(source) : this.#fileText(source)
    if (text === undefined) return undefined
    let isWaiting = false
    const readPart = (url: string) => {
      const part = this.#hostedPart(url, source)
      isWaiting ||= part === 'pending'
      return part === 'pending' ? undefined : part.text
    }
    const files = new Set([source])
    const read = (path: string) => {
      files.add(path)
      return isHosted(path) ? readPart(path) : this.#readOther(path)
    }
    const overlays = this.#overlaysOf(source)
    const { specification, diagnostics } = parseSpecification(source, text, { read, overlays })
    if (overlays.length > 0 || declaresOverlay(text)) {
      this.#overlaid.set(source, overlays)
      for (const file of files) this.#changedFiles.add(file)
    }
    // The site is loaded again when the parts have been fetched.
    if (isWaiting) return undefined
    this.#diagnostics.push(...diagnostics)
    // If the specification is unusable, its operations are shown without checks. The diagnostics
    // report the problem itself.
    if (specification === undefined) return undefined
    const listings = operationListings(specification)
    return { specification, listings, schemas: schemaNames(specification) }
  }

  /** Returns the overlays of a specification, which docs.json may name without its extension. */
  #overlaysOf(source: string): readonly OverlayUse[] {
    const exact = this.#overlays.get(source)
    if (exact !== undefined || this.#overlays.size === 0 || isHosted(source)) return exact ?? []
    const names = [source, source.replace(/\.(?:json|ya?ml)$/, '')]
    const loose = [...this.#overlays].find(([written]) => {
      const isMeant = names.some((name) => name === written || name.endsWith(`/${written}`))
      return isMeant && !this.#files.has(written)
    })
    return loose?.[1] ?? []
  }

  readonly #readOther = (file: string): string | undefined =>
    this.#files.has(file) ? this.#tree.read(file) : undefined

  #fileText(file: string): string | undefined {
    if (!this.#files.has(file)) return undefined
    const text = this.#tree.read(file)
    if (text === undefined) this.#diagnostics.push(tooLarge(file))
    return text
  }

  #hostedText(url: string): string | undefined {
    const outcome = this.#hosted.outcome(url)
    if (outcome === undefined) return undefined
    this.#outcomes.set(url, outcome)
    const text = 'text' in outcome ? outcome.text : undefined
    if (text === undefined || !isMarkup(text)) return text
    this.#diagnostics.push(...notASpecification(url, text))
    return undefined
  }

  /** Returns the text of a part of a hosted specification, or the reason why it cannot be used. */
  #hostedPart(url: string, source: string): { readonly text: ReturnType<ReadFile> } | 'pending' {
    const outcome = this.#hosted.outcome(url, true)
    if (outcome === undefined || outcome.kind === 'pending') return 'pending'
    if (outcome.kind === 'stale') {
      this.#outcomes.set(url, outcome)
      this.#partOf.set(url, source)
    }
    return { text: textOfPart(url, outcome) }
  }

  #isSpecification(file: string): boolean {
    if (!/\.(?:json|ya?ml)$/.test(file)) return false
    const text = this.#tree.read(file)
    return text !== undefined && DECLARES_OPENAPI.test(text.slice(0, HEAD_LENGTH))
  }
}

/**
 * Number of characters to search for the version: `openapi: 3.1` or `swagger: 2.0` is near the top of a
 * specification, both in YAML and in JSON.
 */
const HEAD_LENGTH = 4_000
const DECLARES_OVERLAY = /(?:^|[{,])\s*["']?overlay["']?\s*:\s*["']?\d/m
const DECLARES_OPENAPI =
  /(?:^|[{,])\s*["']?(?:openapi["']?\s*:\s*["']?3\.\d|swagger["']?\s*:\s*["']?2\.0)/m

function declaresOverlay(text: string): boolean {
  const head = text.slice(0, HEAD_LENGTH)
  return DECLARES_OVERLAY.test(head) && !DECLARES_OPENAPI.test(head)
}
