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

describe('a path of a site', () => {
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
  ])('%s below %j', (pathname, basePath, found) => {
    expect(find(pathname, basePath)).toBe(found)
  })

  test('is found with its methods alone', () => {
    expect(find('/proxy')).toBeUndefined()
    expect(find('/a/proxy', '/docs', 'POST')).toBe(anywhere)
    expect(find('/mcp', '', 'DELETE')).toBeUndefined()
  })

  test('goes to the next route if it is not for the first', () => {
    const closed = route({ isFor: () => false })
    const both = new SiteRouter([closed, exact])
    const exchange = { request: { method: 'GET' }, pathname: '/mcp', view: { basePath: '' } }
    expect(both.find(exchange as SiteExchange)).toBe(exact)
  })
})

describe('before the base path is known', () => {
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
  ])('the body at %s may have %i bytes', (path, bytes) => {
    expect(router.bodyBytesMaxOf(path)).toBe(bytes)
  })

  test('methods are refused that nothing takes at a path like it', () => {
    expect(router.mayTake('POST', '/docs/mcp')).toBe(true)
    expect(router.mayTake('POST', '/robots.txt')).toBe(false)
    expect(router.mayTake('POST', '/mcp-guide')).toBe(false)
    expect(router.mayTake('DELETE', '/mcp')).toBe(false)
  })
})
