import {
  any,
  choice,
  count,
  either,
  flag,
  list,
  map,
  number,
  type PartShape,
  part,
  pattern,
  positive,
  type Shape,
  schema,
  shapeOf,
  text,
} from './shape.ts'
import type { SpecVersion } from './shapes.ts'

const TYPES_3_0 = ['array', 'boolean', 'integer', 'number', 'object', 'string']
const TYPES_3_1 = [...TYPES_3_0, 'null']

const schemas = list(schema, { min: 1 })
const schemaMap = map(schema)
const names = list(text, { unique: true })

const COMMON = {
  title: text,
  description: text,
  format: text,
  default: any,
  pattern,
  multipleOf: positive,
  maximum: number,
  minimum: number,
  maxLength: count,
  minLength: count,
  maxItems: count,
  minItems: count,
  uniqueItems: flag,
  maxProperties: count,
  minProperties: count,
  not: schema,
  properties: schemaMap,
  readOnly: flag,
  writeOnly: flag,
  deprecated: flag,
  example: any,
  externalDocs: part('externalDocs'),
  discriminator: part('discriminator'),
  xml: part('xml'),
} satisfies Readonly<Record<string, Shape>>

/**
 * Returns the shape of a schema. OpenAPI 3.0 has a fixed list of keywords. OpenAPI 3.1 includes all
 * keywords of JSON Schema 2020-12, and allows any others.
 */
export function schemaShape(version: SpecVersion): PartShape {
  return version === '3.0' ? SCHEMA_3_0 : SCHEMA_3_1
}

const SCHEMA_3_0 = shapeOf('a schema', {
  ...COMMON,
  type: choice(...TYPES_3_0),
  nullable: flag,
  items: schema,
  exclusiveMaximum: flag,
  exclusiveMinimum: flag,
  required: list(text, { min: 1, unique: true }),
  enum: list(any, { min: 1 }),
  allOf: list(schema),
  anyOf: list(schema),
  oneOf: list(schema),
  additionalProperties: either(flag, schema),
})

const SCHEMA_3_1 = shapeOf(
  'a schema',
  {
    ...COMMON,
    type: either(choice(...TYPES_3_1), list(choice(...TYPES_3_1), { min: 1, unique: true })),
    exclusiveMaximum: number,
    exclusiveMinimum: number,
    required: names,
    enum: list(any),
    const: any,
    examples: list(any),
    items: schema,
    prefixItems: schemas,
    contains: schema,
    minContains: count,
    maxContains: count,
    allOf: schemas,
    anyOf: schemas,
    oneOf: schemas,
    ...Object.fromEntries(['if', 'then', 'else'].map((keyword) => [keyword, schema])),
    additionalProperties: schema,
    patternProperties: schemaMap,
    propertyNames: schema,
    unevaluatedItems: schema,
    unevaluatedProperties: schema,
    dependentSchemas: schemaMap,
    dependentRequired: map(names),
    contentEncoding: text,
    contentMediaType: text,
    contentSchema: schema,
    $ref: any,
    $dynamicRef: text,
    $dynamicAnchor: text,
    $id: text,
    $anchor: text,
    $schema: text,
    $comment: text,
    $defs: schemaMap,
  },
  { open: true },
)
