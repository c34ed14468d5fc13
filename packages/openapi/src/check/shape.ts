/**
 * Describes the allowed content of each part of a specification, as data. `shapes.ts` translates
 * OpenAPI's official schemas to shapes, and `check-shape.ts` compares documents with them. The
 * official schemas themselves report little more than "must match exactly one of", so they are used
 * only as a reference in tests.
 */
export type Shape =
  | {
      readonly is:
        | 'any'
        | 'text'
        | 'flag'
        | 'literalTrue'
        | 'number'
        | 'positive'
        | 'count'
        | 'pattern'
    }
  | { readonly is: 'choice'; readonly values: readonly string[] }
  | { readonly is: 'list'; readonly of: Shape; readonly min: number; readonly unique: boolean }
  | { readonly is: 'map'; readonly of: Shape; readonly keys: KeyRule | undefined }
  /** A map with exactly one entry. */
  | { readonly is: 'pair'; readonly of: Shape }
  | { readonly is: 'part'; readonly part: PartName; readonly orReference: boolean }
  /** A schema: an object, or in OpenAPI 3.1 also `true` or `false`. */
  | { readonly is: 'schema' }
  /** One of several shapes, chosen by the JSON type of the value. */
  | { readonly is: 'either'; readonly shapes: readonly Shape[] }

export type KeyRule = { readonly test: RegExp; readonly example: string }

export type PartName =
  | 'document'
  | 'info'
  | 'contact'
  | 'license'
  | 'server'
  | 'serverVariable'
  | 'components'
  | 'paths'
  | 'pathItem'
  | 'operation'
  | 'externalDocs'
  | 'parameter'
  | 'requestBody'
  | 'mediaType'
  | 'encoding'
  | 'responses'
  | 'response'
  | 'callback'
  | 'example'
  | 'link'
  | 'header'
  | 'tag'
  | 'schema'
  | 'discriminator'
  | 'xml'
  | 'securityScheme'
  | 'flows'
  | 'implicitFlow'
  | 'passwordFlow'
  | 'clientFlow'
  | 'codeFlow'

export type PartShape = {
  /** The name that messages use: "an operation", "a schema". */
  readonly name: string
  readonly fields: ReadonlyMap<string, Shape>
  readonly required: readonly string[]
  /** Rules for keys that are not fields, such as paths and status codes. */
  readonly others: { readonly keys: KeyRule; readonly of: Shape } | undefined
  /** Whether any other key is allowed. */
  readonly open: boolean
  /** Whether at least one key that is not an extension is required. */
  readonly filled: boolean
  /** Fields of which exactly one must be present. */
  readonly exactlyOne: readonly string[]
  /** Pairs of fields that cannot be used together. */
  readonly notBoth: readonly (readonly [field: string, other: string])[]
  /** A field whose value selects a different shape. */
  readonly variants: Variants | undefined
}

type Variants = { readonly field: string; readonly shapes: ReadonlyMap<string, PartShape> }

export type Shapes = ReadonlyMap<PartName, PartShape>

export const any: Shape = { is: 'any' }
export const text: Shape = { is: 'text' }
export const flag: Shape = { is: 'flag' }
export const literalTrue: Shape = { is: 'literalTrue' }
export const number: Shape = { is: 'number' }
export const positive: Shape = { is: 'positive' }
export const count: Shape = { is: 'count' }
export const pattern: Shape = { is: 'pattern' }
export const schema: Shape = { is: 'schema' }

export function choice(...values: readonly string[]): Shape {
  return { is: 'choice', values }
}

export function list(of: Shape, rule: { min?: number; unique?: boolean } = {}): Shape {
  return { is: 'list', of, min: rule.min ?? 0, unique: rule.unique ?? false }
}

export function map(of: Shape, keys?: KeyRule): Shape {
  return { is: 'map', of, keys }
}

export function pair(of: Shape): Shape {
  return { is: 'pair', of }
}

export function part(name: PartName): Shape {
  return { is: 'part', part: name, orReference: false }
}

export function partOrReference(name: PartName): Shape {
  return { is: 'part', part: name, orReference: true }
}

export function either(...shapes: readonly Shape[]): Shape {
  return { is: 'either', shapes }
}

/** Returns the shape of a part for one value of a field, with additional or stricter fields. */
export function variant(
  of: PartShape,
  fields: Readonly<Record<string, Shape>>,
  rules: { readonly name: string; readonly required?: readonly string[] },
): PartShape {
  return {
    ...of,
    name: rules.name,
    fields: new Map([...of.fields, ...Object.entries(fields)]),
    required: [...of.required, ...(rules.required ?? [])],
  }
}

export function shapeOf(
  name: string,
  fields: Readonly<Record<string, Shape>>,
  rules: Partial<Omit<PartShape, 'name' | 'fields'>> = {},
): PartShape {
  return {
    name,
    fields: new Map(Object.entries(fields)),
    required: rules.required ?? [],
    others: rules.others,
    open: rules.open ?? false,
    filled: rules.filled ?? false,
    exactlyOne: rules.exactlyOne ?? [],
    notBoth: rules.notBoth ?? [],
    variants: rules.variants,
  }
}
