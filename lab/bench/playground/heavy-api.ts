/**
 * Describes an exceptionally large API: requests and responses with hundreds of fields and
 * variants.
 */
export const FIELDS = 300

export function heavySpecification(): string {
  const body = (schema: object) => ({
    required: true,
    content: { 'application/json': { schema } },
  })
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Heavy', version: '1' },
    servers: [{ url: 'http://127.0.0.1:9/v1' }],
    paths: {
      '/many': {
        post: {
          summary: 'Many',
          requestBody: body(manyFields('field')),
          responses: {
            200: {
              description: 'Good.',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Outer' } } },
            },
          },
        },
      },
      '/choice': {
        post: {
          summary: 'Choice',
          requestBody: body({
            oneOf: ['red', 'green', 'blue'].map((color) => ({
              title: color,
              ...manyFields(color),
            })),
          }),
          responses: { 204: { description: 'Done.' } },
        },
      },
    },
    components: {
      schemas: {
        Outer: { type: 'object', properties: { one: { $ref: '#/components/schemas/Middle' } } },
        Middle: { type: 'object', properties: { two: { $ref: '#/components/schemas/Many' } } },
        Many: manyFields('inner'),
      },
    },
  })
}

function manyFields(name: string): object {
  const fields = Array.from({ length: FIELDS }, (_, index) => [
    `${name}${index}`,
    { description: `What **${name}${index}** is for.`, ...kindOf(index) },
  ])
  return { type: 'object', required: [`${name}0`], properties: Object.fromEntries(fields) }
}

function kindOf(index: number): object {
  const kinds = [
    { type: 'string', maxLength: 100 },
    { type: 'integer', minimum: 0 },
    { type: 'boolean', default: false },
    { type: 'string', enum: ['small', 'middle', 'large'] },
    { type: 'array', items: { type: 'string' } },
    { type: 'object', properties: { key: { type: 'string' }, value: { type: 'number' } } },
  ]
  return kinds[index % kinds.length] ?? {}
}
