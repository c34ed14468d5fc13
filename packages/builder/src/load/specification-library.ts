import { type Diagnostic, isHosted, normalizeSource, type OperationListing } from '@octavo/model'
import {
  checkTags,
  operationListings,
  parseSpecification,
  type Specification,
  schemaNames,
} from '@octavo/openapi'
import type { SourceTree } from '../source/source-tree.ts'
import { tooLarge } from './load-pages.ts'

/** The text of a hosted specification, fetched before the build; nothing when it was not. */
export type ReadHosted = (url: string) => string | undefined

type Loaded = {
  readonly specification: Specification
  readonly listings: readonly OperationListing[]
  readonly schemas: readonly string[]
}

/** The specifications of a site. Each is read when it is first asked for, and once. */
export class SpecificationLibrary {
  readonly #tree: SourceTree
  readonly #readHosted: ReadHosted
  readonly #files: ReadonlySet<string>
  readonly #loaded = new Map<string, Loaded | undefined>()
  readonly #diagnostics: Diagnostic[] = []
  #found: readonly string[] | undefined

  constructor(tree: SourceTree, readHosted: ReadHosted) {
    this.#tree = tree
    this.#readHosted = readHosted
    this.#files = new Set(tree.files)
  }

  readonly operations = (source: string) => this.#load(source)?.listings
  readonly schemas = (source: string) => this.#load(source)?.schemas

  /** Every specification of the repository, listed in docs.json or not. */
  readonly specificationFiles = (): readonly string[] => {
    this.#found ??= this.#tree.files.filter((file) => this.#isSpecification(file))
    return this.#found
  }

  /** Those that were read, by path or address. */
  get specifications(): ReadonlyMap<string, Specification> {
    const read = [...this.#loaded].flatMap(([source, loaded]) =>
      loaded === undefined ? [] : [[source, loaded.specification] as const],
    )
    return new Map(read)
  }

  /** For a specification that the navigation groups by tag. */
  checkTags(source: string): void {
    const loaded = this.#load(source)
    if (loaded !== undefined) this.#diagnostics.push(...checkTags(loaded.specification))
  }

  /** What is wrong in those that were read. */
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
    const isLocal = !isHosted(source)
    if (isLocal && !this.#files.has(source)) return undefined
    const text = isLocal ? this.#tree.read(source) : this.#readHosted(source)
    if (text === undefined) {
      if (isLocal) this.#diagnostics.push(tooLarge(source))
      return undefined
    }
    const { specification, diagnostics } = parseSpecification(source, text)
    this.#diagnostics.push(...diagnostics)
    // Entries that name its operations are then shown unchecked; the problem itself is reported.
    if (specification === undefined) return undefined
    const listings = operationListings(specification)
    return { specification, listings, schemas: schemaNames(specification) }
  }

  #isSpecification(file: string): boolean {
    if (!/\.(?:json|ya?ml)$/.test(file)) return false
    const text = this.#tree.read(file)
    return text !== undefined && DECLARES_OPENAPI.test(text.slice(0, HEAD_LENGTH))
  }
}

/** `openapi: 3` stands near the top of a specification, in YAML and in JSON. */
const HEAD_LENGTH = 4_000
const DECLARES_OPENAPI = /(?:^|[{,])\s*["']?openapi["']?\s*:\s*["']?3/m
