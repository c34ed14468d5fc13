import { describe, expect, test } from 'vitest'
import { type SiteExchange, type SiteRoute, SiteRouter } from './site-router.ts'

const route = (more: Partial<SiteRoute>): SiteRoute => ({
  paths: ['/mcp'],
  after: 'base',
  methods: new Set(['GET', 'POST']),
  bodyBytesMax: 10,
  metric: 'site',
  handle: () => undefined,
  ...more,
})
const exact = route({})
const below = route({ paths: ['/_octavo/live/'], bodyBytesMax: 20 })
const atRoot = route({ paths: ['/robots.txt'], after: 'root', methods: new Set(['GET']) })
const either = route({ paths: ['/version.json'], after: 'either', bodyBytesMax: 0 })
const anywhere = route({ paths: ['/proxy'], after: 'anything', methods: new Set(['POST']) })
const router = new SiteRouter([exact, below, atRoot, either, anywhere])

const find = (pathname: string, basePath = '', method = 'GET') =>
  router.find({ request: { method }, pathname, view: { basePath } } as SiteExchange)

describe('routes of paths on a site', () => {
  test.each([
    ['/mcp', '', exact],
    ['/docs/mcp', '/docs', exact],
    ['/mcp', '/docs', undefined],
    ['/agents/mcp', '', undefined],
    ['/mcp-guide', '', undefined],
    ['/mcp/', '', undefined],
    ['/docsmcp', '/docs', undefined],
    ['/_octavo/live/', '', below],
    ['/docs/_octavo/live/a/b', '/docs', below],
    ['/_octavo/live', '', undefined],
    ['/a/_octavo/live/b', '', undefined],
    ['/robots.txt', '/docs', atRoot],
    ['/docs/robots.txt', '/docs', undefined],
    ['/version.json', '/docs', either],
    ['/docs/version.json', '/docs', either],
    ['/a/version.json', '/docs', undefined],
  ])(
    'the path %s with the base path %j matches the expected route',
    (pathname, basePath, found) => {
      expect(find(pathname, basePath)).toBe(found)
    },
  )

  test('a route only handles its own methods', () => {
    expect(find('/proxy')).toBeUndefined()
    expect(find('/a/proxy', '/docs', 'POST')).toBe(anywhere)
    expect(find('/mcp', '', 'DELETE')).toBeUndefined()
  })

  test('a request goes to the next matching route if the first does not apply to the site', () => {
    const closed = route({ isFor: () => false })
    const both = new SiteRouter([closed, exact])
    const exchange = { request: { method: 'GET' }, pathname: '/mcp', view: { basePath: '' } }
    expect(both.find(exchange as SiteExchange)).toBe(exact)
  })
})

describe('routes before the base path is known', () => {
  test.each([
    ['/mcp', 10],
    ['/docs/mcp', 10],
    ['/agents/mcp', 10],
    ['/mcp-guide', 0],
    ['/xmcp', 0],
    ['/mcp/x', 0],
    ['mcp', 0],
    ['/docs/_octavo/live/x', 20],
    ['/_octavo/live', 0],
    ['/_octavo/live/mcp', 20],
    ['/version.json', 0],
  ])('the limit for a request body at %s is %i bytes', (path, bytes) => {
    expect(router.bodyBytesMaxOf(path)).toBe(bytes)
  })

  test('a method is rejected if no route at a similar path accepts it', () => {
    expect(router.mayAcceptMethod('POST', '/docs/mcp')).toBe(true)
    expect(router.mayAcceptMethod('POST', '/robots.txt')).toBe(false)
    expect(router.mayAcceptMethod('POST', '/mcp-guide')).toBe(false)
    expect(router.mayAcceptMethod('DELETE', '/mcp')).toBe(false)
  })
})
