/**
 * Checks a value against its schema. Supports a subset of JSON Schema: types, enums, property
 * names, bounds, lengths and items. Formats, conditions, and patterns that a browser cannot parse
 * are skipped. Every reported difference is real, but not all differences are reported.
 */
import type { Json, MergedSchema, SchemaData } from '@octavo/openapi/browser'
import type { PlaygroundWords } from '@octavo/theme/browser'
import { fillWords } from '@octavo/theme/browser'

export type Difference = {
  /** Property names and indexes that lead to the value. */
  readonly path: readonly (string | number)[]
  readonly message: string
}

export type CheckOptions = {
  readonly merged: (schema: SchemaData) => MergedSchema
  /** In requests, read-only properties are not required; in responses, write-only ones. */
  readonly direction: 'request' | 'response'
  readonly words: PlaygroundWords
}

const DIFFERENCES_MAX = 50
const DEPTH_MAX = 40
const ITEMS_MAX = 500

export function checkValue(
  schema: SchemaData,
  value: Json,
  options: CheckOptions,
): readonly Difference[] {
  const check = new ValueCheck(options)
  check.value(schema, value, [])
  return check.found
}

class ValueCheck {
  readonly found: Difference[] = []
  readonly #options: CheckOptions

  constructor(options: CheckOptions) {
    this.#options = options
  }

  value(schema: SchemaData, value: Json, path: Difference['path']): void {
    if (path.length > DEPTH_MAX || this.found.length >= DIFFERENCES_MAX) return
    const merged = this.#options.merged(schema)
    if (merged.never) {
      this.#add(path, this.#words.tryNever)
      return
    }
    if (value === null && merged.nullable) return
    if (!this.#hasType(merged, value, path)) return
    this.#fixed(merged, value, path)
    if (typeof value === 'string') this.#text(merged, value, path)
    else if (typeof value === 'number') this.#number(merged, value, path)
    else if (isList(value)) this.#list(merged, value, path)
    else if (typeof value === 'object' && value !== null) this.#object(merged, value, path)
    for (const choice of merged.choices) this.#choice(choice, value, path)
  }

  #hasType({ types }: MergedSchema, value: Json, path: Difference['path']): boolean {
    if (types === undefined || types.length === 0) return true
    const type = typeOf(value)
    const fits = types.some((one) => one === type || (one === 'number' && type === 'integer'))
    const wanted = types.join(' | ')
    if (!fits) this.#add(path, fillWords(this.#words.tryIsType, { wanted, found: type }))
    return fits
  }

  #fixed(merged: MergedSchema, value: Json, path: Difference['path']): void {
    const text = JSON.stringify(value)
    const { enum: values, const: only } = merged
    if (values !== undefined && !values.some((one) => JSON.stringify(one) === text)) {
      const shown = values.slice(0, 8).map((one) => JSON.stringify(one))
      this.#addWanted(path, `${shown.join(' | ')}${values.length > 8 ? ' | …' : ''}`)
    }
    if (only !== undefined && JSON.stringify(only.value) !== text) {
      this.#addWanted(path, JSON.stringify(only.value))
    }
  }

  #text({ rules }: MergedSchema, value: string, path: Difference['path']): void {
    const length = [...value].length
    for (const [keyword, bound] of rules ?? []) {
      if (keyword === 'minLength' && length < Number(bound)) {
        this.#addRule(path, 'apiMinLength', bound)
      }
      if (keyword === 'maxLength' && length > Number(bound)) {
        this.#addRule(path, 'apiMaxLength', bound)
      }
    }
  }

  #number({ rules }: MergedSchema, value: number, path: Difference['path']): void {
    for (const [keyword, written] of rules ?? []) {
      const bound = Number(written)
      if (keyword === 'minimum' && value < bound) this.#addWanted(path, `≥ ${bound}`)
      if (keyword === 'maximum' && value > bound) this.#addWanted(path, `≤ ${bound}`)
      if (keyword === 'exclusiveMinimum' && value <= bound) this.#addWanted(path, `> ${bound}`)
      if (keyword === 'exclusiveMaximum' && value >= bound) this.#addWanted(path, `< ${bound}`)
      if (keyword === 'multipleOf' && bound > 0) {
        const times = value / bound
        if (Math.abs(times - Math.round(times)) > 1e-9) {
          this.#addRule(path, 'apiMultiple', bound)
        }
      }
    }
  }

  #list(merged: MergedSchema, value: readonly Json[], path: Difference['path']): void {
    for (const [keyword, bound] of merged.rules ?? []) {
      if (keyword === 'minItems' && value.length < Number(bound)) {
        this.#addRule(path, 'apiMinItems', bound)
      }
      if (keyword === 'maxItems' && value.length > Number(bound)) {
        this.#addRule(path, 'apiMaxItems', bound)
      }
      if (
        keyword === 'uniqueItems' &&
        new Set(value.map((one) => JSON.stringify(one))).size < value.length
      ) {
        this.#addRule(path, 'apiUnique', '')
      }
    }
    const first = merged.prefixItems ?? []
    for (const [index, item] of value.slice(0, ITEMS_MAX).entries()) {
      const schema = first[index] ?? merged.items
      if (schema !== undefined) this.value(schema, item, [...path, index])
    }
  }

  #object(
    merged: MergedSchema,
    value: Readonly<Record<string, Json>>,
    path: Difference['path'],
  ): void {
    const hidden = this.#options.direction === 'request' ? 'readOnly' : 'writeOnly'
    const known = new Set<string>()
    for (const { name, required, schema } of merged.properties ?? []) {
      known.add(name)
      const own = Object.hasOwn(value, name) ? value[name] : undefined
      if (own !== undefined) this.value(schema, own, [...path, name])
      else if (required && !this.#options.merged(schema)[hidden]) {
        this.#add([...path, name], this.#words.tryMissing)
      }
    }
    for (const name of merged.required ?? []) {
      if (!Object.hasOwn(value, name)) this.#add([...path, name], this.#words.tryMissing)
    }
    if (merged.patternProperties !== undefined) return
    for (const [name, own] of Object.entries(value)) {
      if (known.has(name) || merged.choices.length > 0) continue
      if (merged.additional === false) this.#add([...path, name], this.#words.tryUnknown)
      else if (typeof merged.additional === 'object') {
        this.value(merged.additional, own, [...path, name])
      }
    }
  }

  /** If no alternative matches, reports the differences from the most similar one. */
  #choice({ of }: MergedSchema['choices'][number], value: Json, path: Difference['path']): void {
    let best: readonly Difference[] | undefined
    let fitting = 0
    for (const option of of) {
      const inner = new ValueCheck(this.#options)
      inner.value(option, value, path)
      if (inner.found.length === 0) fitting += 1
      if (best === undefined || inner.found.length < best.length) best = inner.found
    }
    if (fitting > 0 || best === undefined) return
    if (of.length > 1) this.#add(path, this.#words.tryNoChoice)
    for (const one of best.slice(0, 5)) this.#add(one.path, one.message)
  }

  get #words(): PlaygroundWords {
    return this.#options.words
  }

  #addWanted(path: Difference['path'], wanted: string): void {
    this.#add(path, fillWords(this.#words.tryShouldBe, { wanted }))
  }

  #addRule(path: Difference['path'], rule: keyof PlaygroundWords, bound: unknown): void {
    this.#add(path, fillWords(this.#words[rule], { value: String(bound) }))
  }

  #add(path: Difference['path'], message: string): void {
    if (this.found.length < DIFFERENCES_MAX) this.found.push({ path, message })
  }
}

function typeOf(value: Json): string {
  if (value === null) return 'null'
  if (isList(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

/** Prints a path such as `pets[0].name`. */
export function printPath(path: Difference['path']): string {
  return path
    .map((step, index) =>
      typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`,
    )
    .join('')
}
