/** The parts of a specification that a request uses, loaded before they are shown. */
import {
  type MergedSchema,
  mergeSchema,
  type PageContext,
  type SchemaData,
  type SharedPart,
  type SpecificationFrame,
} from '@octavo/openapi/browser'
import type { Fragments } from '../page/fragments.ts'

/** Beyond this limit, values are edited as JSON and responses are not checked any deeper. */
const PARTS_MAX = 400

export class PartLibrary {
  readonly #fragments: Fragments
  readonly #parts = new Map<string, SharedPart | undefined>()
  readonly #merged = new WeakMap<SchemaData, MergedSchema>()
  readonly frame: SpecificationFrame

  constructor(fragments: Fragments, frame: SpecificationFrame) {
    this.#fragments = fragments
    this.frame = frame
  }

  /** Loads all parts that a value references, directly or indirectly. */
  async ensure(value: unknown): Promise<void> {
    let waiting = refsIn(value)
    while (waiting.length > 0 && this.#parts.size < PARTS_MAX) {
      const missing = [...new Set(waiting)].filter((ref) => !this.#parts.has(ref))
      const loaded = await Promise.all(
        missing.map(async (ref) => {
          const part = (await this.#fragments.load(ref)) as SharedPart | undefined
          this.#parts.set(ref, part)
          return part
        }),
      )
      waiting = loaded.flatMap(refsIn)
    }
  }

  readonly part = (ref: string): SharedPart | undefined => this.#parts.get(ref)

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

/** Returns every `ref` in a value, at any depth. Samples contain authors' data, not references. */
function refsIn(value: unknown): string[] {
  const found: string[] = []
  const visit = (at: unknown) => {
    if (Array.isArray(at)) at.forEach(visit)
    else if (typeof at === 'object' && at !== null) {
      for (const [key, inner] of Object.entries(at)) {
        if (key === 'sample' || key === 'requestSample' || key === 'value') continue
        if (key === 'ref' && typeof inner === 'string') found.push(inner)
        else visit(inner)
      }
    }
  }
  // A part's own `ref` is its name, so only its contents are searched.
  visit(isPart(value) ? Object.values(value).filter((one) => typeof one === 'object') : value)
  return found
}

function isPart(value: unknown): value is SharedPart {
  return typeof value === 'object' && value !== null && 'ref' in value && 'kind' in value
}
