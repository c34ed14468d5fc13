/** Tests which route of the service handles which path and method on a site. */
import { describe, expect, test } from 'vitest'
import { Assistant } from '../../answers/assistant/assistant.ts'
import { readerPages } from '../access/reader-pages.ts'
import { SiteProofs } from './site-proofs.ts'
import { type SiteExchange, type SiteRoute, SiteRouter } from './site-router.ts'
import { siteRoutes } from './site-routes.ts'

/** Only contains the fields that are used before the first request. */
const deps = {
  url: 'https://octavo.test',
  secretKeys: [],
  allowPrivateHosts: [],
  database: { pool: { options: { max: 10 } } },
  now: () => 0,
} as never
const routes = siteRoutes({
  assistant: new Assistant(deps),
  readerPages: readerPages(deps),
  mcp: { bodyBytesMax: 1 },
  proofs: new SiteProofs(deps),
} as never)
const router = new SiteRouter(routes)

type Site = {
  readonly protection?: string
  readonly isPreview?: boolean
  readonly hasIndex?: boolean
  readonly basePath?: string
}

function find(method: string, pathname: string, site: Site = {}): SiteRoute | undefined {
  const { protection = 'public', isPreview = false, hasIndex = true, basePath = '' } = site
  return router.find({
    request: { method },
    slug: isPreview ? 'preview/a' : 'a',
    pathname,
    pointer: { protection, preview: isPreview ? {} : undefined },
    view: {
      basePath,
      root: { search: [{}] },
      isReadable: () => hasIndex,
      reader: { hasSiteAccess: true },
    },
  } as never as SiteExchange)
}

/** Returns a name for a route such as `GET HEAD /login`, or `ALL …` if it accepts every method. */
function nameOf(route: SiteRoute | undefined): string | undefined {
  if (route === undefined) return undefined
  const methods = [...route.methods].join(' ')
  return `${route.methods.size === 7 ? 'ALL' : methods} ${route.paths[0]}`
}
/** Returns the names of the routes for GET, HEAD, POST and PUT. */
const found = (path: string, site?: Site) =>
  ['GET', 'HEAD', 'POST', 'PUT'].map((method) => nameOf(find(method, path, site)))

const READ = 'GET HEAD'
const ASSISTANT = '/_octavo/assistant/'
const METADATA = '/.well-known/oauth-protected-resource'
const NONE = [undefined, undefined, undefined, undefined]
const all = (path: string) => Array(4).fill(`ALL ${path}`)
const read = (path: string) => [`${READ} ${path}`, `${READ} ${path}`, undefined, undefined]
const form = (path: string) => [...read(path).slice(0, 2), `POST ${path}`, undefined]

test.each([
  ['/_octavo/events', all('/_octavo/events')],
  ['/mcp', all('/mcp')],
  ['/_octavo/proxy', [undefined, undefined, 'POST /_octavo/proxy', undefined]],
  ['/_octavo/version.json', read('/_octavo/version.json')],
  ['/_octavo/host.js', read('/_octavo/host.js')],
  ['/_octavo/proof/api/add.json', read('/_octavo/proof/')],
  ['/robots.txt', NONE],
  ['/guide', NONE],
  ['/guide/mcp', NONE],
])('the path %s is routed to the expected methods', (path, entries) => {
  expect(found(path)).toEqual(entries)
})

describe('routes of the assistant', () => {
  const ticket = `${ASSISTANT}ticket`
  const refusing = `ALL ${ticket}`
  const posted = (path: string) => [`ALL ${path}`, `ALL ${path}`, `POST ${path}`, `ALL ${path}`]
  const script = [`${READ} ${ASSISTANT}`, `${READ} ${ASSISTANT}`, ...all(ASSISTANT).slice(2)]

  test.each([
    ['ticket', [`GET ${ticket}`, refusing, `POST ${ticket}`, refusing]],
    ['messages', posted(`${ASSISTANT}messages`)],
    ['feedback', posted(`${ASSISTANT}feedback`)],
    ['panel-0123456789ab-de.js', script],
    ['feedback-0123456789ab-pt-BR.js', script],
    ['proof-0123456789ab.js', script],
    ['proof-0123456789ab-de.js', all(ASSISTANT)],
    ['x/panel-0123456789ab-de.js', all(ASSISTANT)],
    ['', all(ASSISTANT)],
    ['constructor', all(ASSISTANT)],
    ['ticket/', all(ASSISTANT)],
  ])(
    'the assistant path "%s" has a route for every method, with the metric of the assistant',
    (name, entries) => {
      expect(found(ASSISTANT + name)).toEqual(entries)
      expect(found(`/docs${ASSISTANT}${name}`, { basePath: '/docs' })).toEqual(entries)
      for (const method of ['GET', 'POST', 'PUT'])
        expect(find(method, ASSISTANT + name)?.metric).toBe('assistant')
    },
  )

  test('a site without a search index has no assistant routes except its scripts', () => {
    const site = { hasIndex: false }
    expect(found(ticket, site)).toEqual(all(ASSISTANT))
    expect(found(`${ASSISTANT}panel-0123456789ab-de.js`, site)).toEqual(script)
  })

  test('assistant paths outside of the base path have no route', () => {
    expect(found(ticket, { basePath: '/docs' })).toEqual(NONE)
    expect(found(`/x${ticket}`)).toEqual(NONE)
  })
})

describe('sign-in routes', () => {
  const ofAll = (entries: readonly unknown[]) =>
    Object.fromEntries(['password', 'members', 'oidc', 'jwt'].map((way) => [way, entries]))
  const PROTECTIONS = ['public', ...Object.keys(ofAll(NONE))]

  test.each<[string, Readonly<Record<string, readonly unknown[]>>]>([
    ['/login', { ...ofAll(read('/login')), password: form('/login') }],
    ['/login/code', { members: read('/login/code') }],
    ['/login/callback', { oidc: read('/login/callback') }],
    ['/login/jwt-callback', { jwt: form('/login/jwt-callback') }],
    ['/login/x', {}],
    ['/logout', ofAll(form('/logout'))],
    [METADATA, ofAll(read(METADATA))],
    [`${METADATA}/mcp`, ofAll(read(METADATA))],
    [`${METADATA}/x`, {}],
  ])('the path %s has routes only on sites with a matching sign-in method', (path, entries) => {
    for (const protection of PROTECTIONS)
      expect(found(path, { protection })).toEqual(entries[protection] ?? NONE)
  })

  test.each([
    ['/docs/login', read('/login')],
    ['/login', NONE],
    [`/docs${METADATA}`, read(METADATA)],
    [METADATA, read(METADATA)],
    [`${METADATA}/docs/mcp`, read(METADATA)],
    [`${METADATA}/mcp`, NONE],
  ])('the path %s on a site with a base path has the expected routes', (path, entries) => {
    expect(found(path, { protection: 'oidc', basePath: '/docs' })).toEqual(entries)
  })

  test('each sign-in method has its own route for /login', () => {
    const ways = ['password', 'members', 'oidc', 'jwt']
    const begun = ways.map((protection) => find('GET', '/login', { protection }))
    expect(new Set(begun).size).toBe(ways.length)
  })

  test.each([
    ['/login', 16_384],
    ['/logout', 16_384],
    ['/login/jwt-callback', 16_384],
    ['/login/code', 0],
    ['/login/callback', 0],
    [METADATA, 0],
  ])('the limit for a sign-in request body at %s is %i bytes', (path, bytes) => {
    expect(router.bodyBytesMaxOf(path)).toBe(bytes)
  })
})

test('robots.txt of the service and the tools for reviewers exist only in previews', () => {
  for (const [path, entries] of [
    ['/robots.txt', read('/robots.txt')],
    ['/_octavo/changes.json', read('/_octavo/changes.json')],
    ['/_octavo/live/guide/start', read('/_octavo/live/')],
  ] as const) {
    expect(found(path, { isPreview: true })).toEqual(entries)
    expect(found(path)).toEqual(NONE)
  }
})
