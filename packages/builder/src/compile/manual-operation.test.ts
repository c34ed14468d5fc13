/**
 * Tests pages with `api` in the frontmatter: the method, the address, and the parameters from
 * `ParamField`.
 */
import { createPageParser } from '@octavo/content'
import { describe, expect, test } from 'vitest'
import { manualOperation } from './manual-operation.ts'

function read(api: string, text = '', settings = {}) {
  const nodes = createPageParser({ read: () => undefined })('page.mdx', text).children
  return manualOperation({ api, authMethod: undefined, nodes, settings })
}

describe('API pages written by hand', () => {
  test('a full URL in `api` includes the server, and a path uses `api.mdx.server`', () => {
    expect(read('get https://a.example/v1/pets')?.page).toMatchObject({
      method: 'GET',
      path: '/v1/pets',
      servers: [{ url: 'https://a.example' }],
    })
    const settings = { mdx: { server: ['https://a.example', 'https://b.example'] } }
    expect(read('POST /pets', '', settings)?.page).toMatchObject({
      path: '/pets',
      servers: [{ url: 'https://a.example' }, { url: 'https://b.example' }],
    })
    expect(read('POST /pets')?.page.servers).toEqual([])
    expect(read('https://a.example')).toBeUndefined()
  })

  test('a placeholder in the host is a server variable, and one in the path is a parameter', () => {
    const page = read('GET https://{host}/v1/{id}')?.page
    expect(page?.servers).toEqual([
      { url: 'https://{host}', variables: [{ name: 'host', default: 'host' }] },
    ])
    expect(page?.parameters).toMatchObject([{ in: 'path', name: 'id', required: true }])
  })

  test('`contentType` in the frontmatter sets the media type of the body', () => {
    const nodes = createPageParser({ read: () => undefined })(
      'page.mdx',
      '<ParamField body="name" type="string" />',
    ).children
    const input = { api: 'POST /pets', authMethod: 'cobo', nodes, settings: {} }
    const type = 'application/x-www-form-urlencoded'
    const made = manualOperation({ ...input, contentType: type })
    expect(made?.page.body).toMatchObject({ content: [{ type }] })
    const usual = { content: [{ type: 'application/json' }] }
    expect(manualOperation(input)?.page.body).toMatchObject(usual)
    expect(made?.frame.schemes).toMatchObject([{ type: 'apiKey', key: 'API-SECRET' }])
  })

  test('nested fields of a page become parameters and a body schema', () => {
    const page = read(
      'POST /pets/{id}',
      `<ParamField path="id" type="integer" required />
<ParamField query="tags" type="string[]" />
<ParamField body="owner" type="object" required>
  <Expandable><ParamField body="age" type="number" default={3} /></Expandable>
</ParamField>`,
    )?.page
    expect(page?.parameters).toEqual([
      { in: 'path', name: 'id', required: true, schema: { types: ['integer'] } },
      { in: 'query', name: 'tags', schema: { types: ['array'], items: { types: ['string'] } } },
    ])
    const age = { name: 'age', schema: { types: ['number'], default: { value: 3 } } }
    const owner = { types: ['object'], properties: [age] }
    const schema = {
      types: ['object'],
      properties: [{ name: 'owner', required: true, schema: owner }],
    }
    expect(page?.body).toEqual({ required: true, content: [{ type: 'application/json', schema }] })
  })

  test('a file field turns the body into a form, and WEBHOOK turns the page into a webhook', () => {
    const upload = read('POST /a', '<ParamField body="photo" type="file" />')?.page
    expect(upload?.body).toMatchObject({ content: [{ type: 'multipart/form-data' }] })
    expect(read('WEBHOOK /grown')?.page.kind).toBe('webhook')
  })

  test('`api.mdx.auth` in docs.json sets the security scheme', () => {
    const settings = { mdx: { auth: { method: 'key' as const, name: 'X-Key' } } }
    expect(read('GET /a', '', settings)?.frame.schemes).toMatchObject([{ key: 'X-Key' }])
    expect(read('GET /a')?.page.security).toEqual([])
  })
})
