/** Describes where a form of specification has the parts that several operations share. */
import {
  list,
  map,
  type PartName,
  part,
  partOrReference,
  type Shapes,
  schema,
  shapeOf,
} from '../check/shape.ts'
import { type SpecVersion, shapesFor } from '../check/shapes.ts'
import { METHODS } from '../operations/list-operations.ts'

export type Form = '2.0' | SpecVersion

export type Layout = {
  readonly shapes: Shapes
  /** The path of the object that has the shared parts by their kind; the shape `components` has them. */
  readonly home: readonly string[]
  readonly kinds: Readonly<Partial<Record<PartName, string>>>
}

const KINDS = {
  schema: 'schemas',
  parameter: 'parameters',
  response: 'responses',
  requestBody: 'requestBodies',
  header: 'headers',
  example: 'examples',
  link: 'links',
  callback: 'callbacks',
  securityScheme: 'securitySchemes',
} as const

const parameters = list(partOrReference('parameter'))

/** Only the parts that may contain references. */
const SWAGGER_SHAPES: Shapes = new Map([
  ...shapesFor('3.0', true),
  ['document', shapeOf('the document', { paths: part('paths') })],
  [
    'components',
    shapeOf('the shared parts', {
      definitions: map(schema),
      parameters: map(partOrReference('parameter')),
      responses: map(partOrReference('response')),
      securityDefinitions: map(part('securityScheme')),
    }),
  ],
  [
    'pathItem',
    shapeOf('a path item', {
      parameters,
      ...Object.fromEntries(METHODS.map((method) => [method, part('operation')])),
    }),
  ],
  ['operation', shapeOf('an operation', { parameters, responses: part('responses') })],
  ['parameter', shapeOf('a parameter', { schema, items: schema })],
  ['response', shapeOf('a response', { schema })],
])

const SWAGGER: Layout = {
  shapes: SWAGGER_SHAPES,
  home: [],
  kinds: { schema: 'definitions', parameter: 'parameters', response: 'responses' },
}

export function layoutOf(form: Form): Layout {
  if (form === '2.0') return SWAGGER
  // OpenAPI 3.0 has no components for path items.
  const kinds = { ...KINDS, pathItem: form === '3.0' ? 'x-path-items' : 'pathItems' }
  return { shapes: shapesFor(form), home: ['components'], kinds }
}
