/**
 * The parts of a specification that are loaded. A part that is asked for and missing is loaded, and
 * then there is a new library: so an operation loads only what its request and response touch.
 */
import {
  type MergedSchema,
  mergeSchema,
  type PageContext,
  type SchemaData,
  type SharedPart,
  type SpecificationFrame,
} from '@octavo/openapi/browser'
import type { Fragments } from '../page/fragments.ts'

/** The maximum number of parts. Further ones are treated like broken links. */
const PARTS_MAX = 400

type Parts = ReadonlyMap<string, SharedPart | undefined>

type LibraryInput = {
  readonly fragments: Fragments
  readonly frame: SpecificationFrame
  readonly parts: Parts
}

export class PartLibrary {
  readonly #input: LibraryInput
  readonly #merged = new WeakMap<SchemaData, MergedSchema>()
  readonly #missing = new Set<string>()
  #onMissing: (() => void) | undefined
  readonly frame: SpecificationFrame

  constructor(input: LibraryInput) {
    this.#input = input
    this.frame = input.frame
  }

  readonly part = (ref: string): SharedPart | undefined => {
    const { parts } = this.#input
    if (!parts.has(ref) && parts.size + this.#missing.size < PARTS_MAX) {
      this.#missing.add(ref)
      this.#onMissing?.()
    }
    return parts.get(ref)
  }

  /** Checks whether a schema refers to a part that has not arrived, and asks for that part. */
  isWaiting(schema: SchemaData): boolean {
    return this.merged(schema).refs.some((ref) => this.#missing.has(ref))
  }

  /** Returns a library that also has the given parts. */
  async with(refs: Iterable<string>): Promise<PartLibrary> {
    const { fragments, parts } = this.#input
    const wanted = [...refs].filter((ref) => !parts.has(ref))
    if (wanted.length === 0) return this
    const loaded = await Promise.all(
      wanted.map(async (ref) => {
        const part = await fragments.load(ref).catch(() => undefined)
        return [ref, part as SharedPart | undefined] as const
      }),
    )
    return new PartLibrary({ ...this.#input, parts: new Map([...parts, ...loaded]) })
  }

  /**
   * Calls a function until it has all parts that it asks for, and returns its result and the
   * library with these parts.
   */
  async complete<Result>(ask: (library: PartLibrary) => Result): Promise<Result> {
    const result = ask(this)
    if (this.#missing.size === 0) return result
    return (await this.with(this.#missing)).complete(ask)
  }

  /** Calls back once with a library that has the parts that were missing in this one. */
  watch(onLoaded: (library: PartLibrary) => void): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isStopped = false
    const load = () => {
      this.#onMissing = undefined
      // Components are rendered one after another, and everything they ask for is loaded at once.
      timer = setTimeout(() => {
        void this.with(this.#missing).then((library) => {
          if (!isStopped) onLoaded(library)
        })
      })
    }
    if (this.#missing.size > 0) load()
    else this.#onMissing = load
    return () => {
      isStopped = true
      clearTimeout(timer)
      this.#onMissing = undefined
    }
  }

  get context(): PageContext {
    return { frame: this.frame, part: this.part }
  }

  readonly merged = (schema: SchemaData): MergedSchema => {
    const known = this.#merged.get(schema)
    if (known !== undefined) return known
    const merged = mergeSchema(schema, (ref) => {
      const part = this.part(ref)
      return part?.kind === 'schema' ? part.schema : undefined
    })
    this.#merged.set(schema, merged)
    return merged
  }
}
