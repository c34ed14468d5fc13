/**
 * The shapes of OpenAPI 3.0 and 3.1, based on the official JSON Schemas. `shapes.e2e.test.ts`
 * checks that the shapes accept the same documents as these schemas.
 */

import { METHODS } from '../operations/list-operations.ts'
import { schemaShape } from './schema-shapes.ts'
import { securityParts } from './security-shapes.ts'
import {
  any,
  choice,
  flag,
  type KeyRule,
  list,
  literalTrue,
  map,
  type PartName,
  type PartShape,
  pair,
  part,
  partOrReference,
  type Shape,
  type Shapes,
  schema,
  shapeOf,
  text,
  variant,
} from './shape.ts'

export type SpecVersion = '3.0' | '3.1'

const COMPONENT_NAME: KeyRule = { test: /^[\w.-]+$/, example: 'Plant.v1' }
const PATH: KeyRule = { test: /^\//, example: '/plants/{id}' }
const STATUS: KeyRule = { test: /^(?:default|[1-5](?:\d\d|XX))$/, example: '404' }

const serverList = list(part('server'))
const securityList = list(map(list(text)))
const headers = map(partOrReference('header'))
const content = map(part('mediaType'))
const examples = map(partOrReference('example'))
/**
 * Duplicates are not checked here but in `check-parameters.ts`, together with the path's
 * parameters.
 */
const parameters = list(partOrReference('parameter'))

/**
 * Fields that cannot be used together with `content`, since it already describes the serialization.
 */
const NOT_WITH_CONTENT = [
  ['content', 'schema'],
  ...['style', 'explode', 'allowReserved', 'example', 'examples'].map(
    (field) => [field, 'content'] as const,
  ),
] as const

/**
 * Returns the shapes of one OpenAPI version. The shared parts of Swagger 2.0, which is read as 3.0,
 * have any names, such as `Page«Plant»`.
 */
export function shapesFor(version: SpecVersion, isSwagger = false): Shapes {
  if (isSwagger) return SHAPES_OF_SWAGGER
  return version === '3.0' ? SHAPES_3_0 : SHAPES_3_1
}

const SHAPES_OF_SWAGGER = new Map(Object.entries(partsOf('3.0', undefined))) as Shapes
const SHAPES_3_0 = new Map(Object.entries(partsOf('3.0', COMPONENT_NAME))) as Shapes
const SHAPES_3_1 = new Map(Object.entries(partsOf('3.1', COMPONENT_NAME))) as Shapes

function partsOf(
  version: SpecVersion,
  names: KeyRule | undefined,
): Readonly<Record<PartName, PartShape>> {
  return {
    ...documentParts(version),
    ...serverParts(version),
    ...componentParts(version, names),
    ...schemaParts(version),
    ...pathParts(version),
    ...valueParts(version),
    ...responseParts(version),
    ...securityParts(version),
  }
}

/** Returns fields that were added in OpenAPI 3.1; none for 3.0. */
function since31(version: SpecVersion, fields: Readonly<Record<string, Shape>>) {
  return version === '3.0' ? {} : fields
}

function documentParts(version: SpecVersion) {
  return {
    document: shapeOf(
      'the document',
      {
        // The version is checked before the shapes are.
        openapi: any,
        info: part('info'),
        externalDocs: part('externalDocs'),
        servers: serverList,
        security: securityList,
        tags: list(part('tag'), { unique: true }),
        paths: part('paths'),
        components: part('components'),
        ...since31(version, { webhooks: map(pathItemIn(version)), jsonSchemaDialect: text }),
      },
      { required: version === '3.0' ? ['openapi', 'info', 'paths'] : ['openapi', 'info'] },
    ),
    info: shapeOf(
      '`info`',
      {
        title: text,
        description: text,
        termsOfService: text,
        contact: part('contact'),
        license: part('license'),
        version: text,
        ...since31(version, { summary: text }),
      },
      { required: ['title', 'version'] },
    ),
    contact: shapeOf('`contact`', { name: text, url: text, email: text }),
    license: shapeOf(
      '`license`',
      { name: text, url: text, ...since31(version, { identifier: text }) },
      { required: ['name'], notBoth: [['url', 'identifier']] },
    ),
    tag: shapeOf(
      'a tag',
      { name: text, description: text, externalDocs: part('externalDocs') },
      { required: ['name'] },
    ),
    externalDocs: shapeOf(
      '`externalDocs`',
      { description: text, url: text },
      { required: ['url'] },
    ),
  }
}

function serverParts(version: SpecVersion) {
  return {
    server: shapeOf(
      'a server',
      { url: text, description: text, variables: map(part('serverVariable')) },
      { required: ['url'] },
    ),
    serverVariable: shapeOf(
      'a server variable',
      {
        enum: list(text, { min: version === '3.0' ? 0 : 1 }),
        default: text,
        description: text,
      },
      { required: ['default'] },
    ),
  }
}

function componentParts(version: SpecVersion, names: KeyRule | undefined) {
  return {
    components: shapeOf('`components`', {
      schemas: map(schema, names),
      responses: map(partOrReference('response'), names),
      parameters: map(partOrReference('parameter'), names),
      examples: map(partOrReference('example'), names),
      requestBodies: map(partOrReference('requestBody'), names),
      headers: map(partOrReference('header'), names),
      securitySchemes: map(partOrReference('securityScheme'), names),
      links: map(partOrReference('link'), names),
      callbacks: map(partOrReference('callback'), names),
      ...since31(version, { pathItems: map(pathItemIn(version), names) }),
    }),
  }
}

function schemaParts(version: SpecVersion) {
  return {
    schema: schemaShape(version),
    discriminator: shapeOf(
      '`discriminator`',
      { propertyName: text, mapping: map(text) },
      { required: ['propertyName'], open: version === '3.0' },
    ),
    xml: shapeOf('`xml`', {
      name: text,
      namespace: text,
      prefix: text,
      attribute: flag,
      wrapped: flag,
    }),
  }
}

/**
 * Returns the shape of a path item. It has a `$ref` field of its own, and in OpenAPI 3.1 it may
 * also be a reference.
 */
function pathItemIn(version: SpecVersion): Shape {
  return version === '3.0' ? part('pathItem') : partOrReference('pathItem')
}

function pathParts(version: SpecVersion) {
  const operations = Object.fromEntries(METHODS.map((method) => [method, part('operation')]))
  return {
    paths: shapeOf('`paths`', {}, { others: { keys: PATH, of: part('pathItem') } }),
    pathItem: shapeOf('a path', {
      $ref: any,
      summary: text,
      description: text,
      servers: serverList,
      parameters,
      ...operations,
    }),
    operation: shapeOf(
      'an operation',
      {
        tags: list(text),
        summary: text,
        description: text,
        externalDocs: part('externalDocs'),
        operationId: text,
        parameters,
        requestBody: partOrReference('requestBody'),
        responses: part('responses'),
        callbacks: map(partOrReference('callback')),
        deprecated: flag,
        security: securityList,
        servers: serverList,
      },
      { required: version === '3.0' ? ['responses'] : [] },
    ),
    callback: shapeOf(
      'a callback',
      {},
      { others: { keys: { test: /^(?!x-)/, example: '' }, of: pathItemIn(version) } },
    ),
  }
}

/** Returns the shapes of values in requests and responses, and of their examples. */
function valueParts(version: SpecVersion) {
  const value = { schema, content: pair(part('mediaType')), example: any, examples }
  const noTwoExamples = version === '3.0' ? ([['example', 'examples']] as const) : []
  return {
    parameter: parameterShape(value, noTwoExamples),
    header: shapeOf(
      'a header',
      {
        description: text,
        required: flag,
        deprecated: flag,
        explode: flag,
        style: choice('simple'),
        ...value,
        ...(version === '3.0' ? { allowEmptyValue: flag, allowReserved: flag } : {}),
      },
      { exactlyOne: ['schema', 'content'], notBoth: [...NOT_WITH_CONTENT, ...noTwoExamples] },
    ),
    requestBody: shapeOf(
      'a request body',
      { description: text, content, required: flag },
      { required: ['content'] },
    ),
    mediaType: shapeOf(
      'a media type',
      { schema, example: any, examples, encoding: map(part('encoding')) },
      { notBoth: noTwoExamples },
    ),
    encoding: shapeOf('an encoding', {
      contentType: text,
      headers,
      explode: flag,
      allowReserved: flag,
      style: choice('form', 'spaceDelimited', 'pipeDelimited', 'deepObject'),
    }),
    example: shapeOf('an example', {
      summary: text,
      description: text,
      value: any,
      externalValue: text,
    }),
  }
}

function responseParts(version: SpecVersion) {
  return {
    responses: shapeOf(
      '`responses`',
      {},
      { others: { keys: STATUS, of: partOrReference('response') }, filled: true },
    ),
    response: shapeOf(
      'a response',
      { description: text, headers, content, links: map(partOrReference('link')) },
      { required: ['description'] },
    ),
    link: shapeOf(
      'a link',
      {
        operationRef: text,
        operationId: text,
        parameters: map(any),
        requestBody: any,
        description: text,
        server: part('server'),
      },
      {
        exactlyOne: version === '3.0' ? [] : ['operationId', 'operationRef'],
        notBoth: [['operationRef', 'operationId']],
      },
    ),
  }
}

/** Returns the shape of a parameter. Its allowed styles depend on its location. */
function parameterShape(
  value: Readonly<Record<string, Shape>>,
  noTwoExamples: PartShape['notBoth'],
): PartShape {
  const parameter = shapeOf(
    'a parameter',
    {
      name: text,
      in: choice('query', 'header', 'path', 'cookie'),
      description: text,
      required: flag,
      deprecated: flag,
      allowEmptyValue: flag,
      style: text,
      explode: flag,
      allowReserved: flag,
      ...value,
    },
    {
      required: ['name', 'in'],
      exactlyOne: ['schema', 'content'],
      notBoth: [...NOT_WITH_CONTENT, ...noTwoExamples],
    },
  )
  const styled = (place: string, styles: readonly string[]) =>
    [
      place,
      variant(parameter, { style: choice(...styles) }, { name: `a ${place} parameter` }),
    ] as const
  const query = styled('query', ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'])
  const inPath = variant(
    parameter,
    { style: choice('matrix', 'label', 'simple'), required: literalTrue },
    { name: 'a path parameter', required: ['required'] },
  )
  const shapes = new Map([query, styled('header', ['simple']), styled('cookie', ['form'])])
  return { ...parameter, variants: { field: 'in', shapes: shapes.set('path', inPath) } }
}
