/**
 * Uploads hostile manifests and files. All of them are rejected with a reason, while similar valid
 * ones are accepted.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Client,
  clientOf,
  digest,
  framesOf,
  siteOf,
  type TestSite,
  visit,
} from '../../../testing/test-deployment.ts'
import {
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'

let folder: string
let service: TestService
let project: TestProject
let client: Client

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-hostile-'))
  service = await startTestService({
    blobStore: await openFolderStore(folder),
    url: 'http://127.0.0.1:8080',
    sitesDomain: 'sites.localhost',
  })
  project = await service.createProject(SCOPES)
  client = clientOf(service.url, project)
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Deploys a whole site. Returns the first response that rejects it, or else the last response. */
async function deploy(site: TestSite) {
  const created = await client.create(site)
  if (created.status !== 201) return created
  for (let round = 0; round < 3; round += 1) {
    const { status, body } = await client.call('GET', `/deployments/${created.body.id}/missing`)
    if (status !== 200) return { status, body }
    if (body.missing.length === 0) break
    const known = (body.missing as string[]).flatMap((sha256) => {
      const bytes = site.blobs.get(sha256)
      return bytes === undefined ? [] : [[sha256, bytes] as const]
    })
    if (known.length === 0) break
    await client.sendBlobs(known)
  }
  return client.call('POST', `/deployments/${created.body.id}/finish`)
}

async function expectRefusal(site: TestSite, reason: RegExp): Promise<void> {
  const { status, body } = await deploy(site)
  expect({ status, code: body.code }).toEqual({ status: 422, code: 'unprocessable' })
  const reasons = [
    body.detail,
    ...(body.errors ?? []).map((error: { reason: string }) => error.reason),
  ]
  expect(reasons.join('\n')).toMatch(reason)
}

const NOT_VALID = /is not a valid file path/
const ENCODED = /encoded dot, slash or control character/
const RESERVED = /This path is reserved for the host/

const BAD_PATHS: readonly (readonly [path: string, reason: RegExp])[] = [
  ['..', NOT_VALID],
  ['.', NOT_VALID],
  ['../x', NOT_VALID],
  ['../../etc/passwd', NOT_VALID],
  ['a/..', NOT_VALID],
  ['a/../b', NOT_VALID],
  ['a/./b', NOT_VALID],
  ['./a', NOT_VALID],
  ['a/.', NOT_VALID],
  ['', NOT_VALID],
  ['/', NOT_VALID],
  ['//', NOT_VALID],
  ['/etc/passwd', NOT_VALID],
  ['//host/x', NOT_VALID],
  ['a//b', NOT_VALID],
  ['a/', NOT_VALID],
  ['a\u0000', NOT_VALID],
  ['a\u0000.html', NOT_VALID],
  ['a\u0001', NOT_VALID],
  ['a\tb', NOT_VALID],
  ['a\nb', NOT_VALID],
  ['a\r\nSet-Cookie: x', NOT_VALID],
  ['a\u001b[31m', NOT_VALID],
  ['a\u007f', NOT_VALID],
  ['a\ud800', NOT_VALID],
  ['\udc00/index.html', NOT_VALID],
  ['x'.repeat(5_000), NOT_VALID],
  ['x'.repeat(4_097), NOT_VALID],
  ['d/'.repeat(2_500).concat('x'), NOT_VALID],
  ['a\\b', /backslash/],
  ['..\\x', /backslash/],
  ['C:\\Windows\\x', /backslash/],
  ['\\\\host\\share', /backslash/],
  ['%2e%2e/x', ENCODED],
  ['%2E%2E/x', ENCODED],
  ['a/.%2e/b', ENCODED],
  ['a/%2e', ENCODED],
  ['..%2fx', ENCODED],
  ['a%2Fb', ENCODED],
  ['a%5cb', ENCODED],
  ['a%00', ENCODED],
  ['a%0d%0aSet-Cookie: x', ENCODED],
  ['a%1b', ENCODED],
  ['a%7f', ENCODED],
  ['mcp', RESERVED],
  ['mcp/index.html', RESERVED],
  ['Mcp', RESERVED],
  ['login', RESERVED],
  ['LOGIN/index.html', RESERVED],
  ['logout', RESERVED],
  ['logout/index.html', RESERVED],
  ['_octavo/version.json', RESERVED],
  ['_OCTAVO/version.json', RESERVED],
  ['_octavo/host.js', RESERVED],
  ['_octavo/proxy', RESERVED],
  ['_octavo/questions.jsonl', RESERVED],
  ['_octavo/proxy/x', RESERVED],
  ['.well-known/octavo', RESERVED],
  ['.well-known/octavo.json', RESERVED],
  ['.well-known/mcp', RESERVED],
  ['.well-known/mcp/server-card.json', RESERVED],
  ['.well-known/oauth-protected-resource', RESERVED],
]

describe('paths', () => {
  test.each(BAD_PATHS)('the invalid path %# is rejected', async (path, reason) => {
    await expectRefusal(siteOf({ 'index.html': 'x', [path]: 'x' }), reason)
  })

  test.each([
    [['A.html', 'a.html']],
    [['Guide/index.html', 'guide/index.html']],
    [['Ä.txt', 'ä.txt']],
    // The first name is the Kelvin sign, whose lowercase form is k.
    [['\u212a.txt', 'k.txt']],
  ])('paths that differ only in case are rejected: %j', async (paths) => {
    await expectRefusal(
      siteOf(Object.fromEntries(paths.map((path) => [path, path]))),
      /only in capital/,
    )
  })

  test('a page that only redirects on other hosts may differ from another page only in case', async () => {
    const redirect = { text: 'Moved', access: [] }
    for (const files of [
      { 'API/index.html': redirect, 'api/index.html': 'x' },
      { 'API/index.html': 'x', 'api/index.html': redirect },
    ])
      expect((await deploy(siteOf(files))).body.state).toBe('live')
  })

  const GOOD_PATHS = [
    '...',
    'a..b',
    '.hidden',
    'a/.b/c',
    'x'.repeat(4_096),
    'd/'.repeat(2_000).concat('x'),
    'a b',
    'a:b',
    'a?b',
    'a#b',
    '100%',
    'a%41',
    'v1%2e0',
    'ä/ö/ü.html',
    '日本語/index.html',
    '👩‍🚀.png',
    'mcp.html',
    'mcp/overview/index.html',
    'login-help/index.html',
    'a/login',
    '_octavo/versions.json',
    '.well-known/security.txt',
    '.well-known/octavox',
    "it's.txt",
    '<script>.txt',
  ]

  test('paths that are similar to invalid ones are accepted and served', async () => {
    const site = siteOf({
      'index.html': 'x',
      ...Object.fromEntries(GOOD_PATHS.map((path) => [path, path])),
    })
    expect(await deploy(site)).toMatchObject({ status: 200, body: { state: 'live' } })
    const [row] = await service.owner.query<{ slug: string }>(
      'select slug from project where id = $1',
      [project.id],
    )
    for (const path of GOOD_PATHS) {
      const url = `/${path.split('/').map(encodeURIComponent).join('/')}`
      const reply = await visit(service.port, `${row?.slug}.sites.localhost`, url)
      expect([reply.status, reply.bytes.toString()], path.slice(0, 50)).toEqual([200, path])
    }
  })
})

const GOOD = siteOf({ 'a.html': 'a', 'b.html': 'b' })
const rootWith = (change: (root: Record<string, unknown>) => unknown): TestSite => {
  const root = JSON.parse(GOOD.root)
  const changed = change(root)
  return { ...GOOD, root: JSON.stringify(changed ?? root) }
}
const runWith = (change: object) =>
  rootWith((root) => {
    const [run] = root.runs as readonly object[]
    root.runs = [{ ...run, ...change }]
  })
const redirectWith = (redirect: object) =>
  rootWith((root) => {
    root.redirects = [
      { source: '/a', destination: '/b', permanent: true, access: 'default', ...redirect },
    ]
  })

const BAD_ROOTS: readonly (readonly [name: string, site: TestSite, reason: RegExp])[] = [
  ['invalid JSON', { ...GOOD, root: 'x' }, /not valid JSON/],
  ['truncated JSON', { ...GOOD, root: GOOD.root.slice(0, -20) }, /not valid JSON/],
  ['a null', { ...GOOD, root: 'null' }, /not an object/],
  ['a list', { ...GOOD, root: '[]' }, /not an object/],
  ['a number', { ...GOOD, root: '1' }, /not an object/],
  ['a hundred thousand brackets', { ...GOOD, root: '['.repeat(100_000) }, /not valid JSON/],
  [
    'brackets that close again',
    { ...GOOD, root: '['.repeat(50_000) + ']'.repeat(50_000) },
    /not an object|not valid JSON/,
  ],
  ['no format', rootWith((root) => delete root.format && root), /format is not/],
  ['unsupported format', rootWith((root) => ({ ...root, format: 'octavo/2' })), /format is not/],
  ['no runs', rootWith((root) => ({ ...root, runs: undefined })), /runs is not a list/],
  ['runs that are an object', rootWith((root) => ({ ...root, runs: {} })), /runs is not a list/],
  ['a run that is null', rootWith((root) => ({ ...root, runs: [null] })), /not an object/],
  ['a billion entries', runWith({ count: 1e9 }), /empty or too long/],
  ['1,001 entries', runWith({ count: 1_001 }), /empty or too long/],
  ['no entries', runWith({ count: 0 }), /empty or too long/],
  ['minus one entry', runWith({ count: -1 }), /whole number/],
  ['half an entry', runWith({ count: 1.5 }), /whole number/],
  ['a count as text', runWith({ count: '2' }), /whole number/],
  ['a count that lies', runWith({ count: 3 }), /does not match/],
  ['a first path that lies', runWith({ first: 'b.html' }), /does not match/],
  ['a first path outside', runWith({ first: '../a' }), NOT_VALID],
  ['a short digest', runWith({ sha256: 'ab' }), /not SHA-256/],
  ['an upper-case digest', runWith({ sha256: 'A'.repeat(64) }), /not SHA-256/],
  ['a digest that is a path', runWith({ sha256: '../'.repeat(21).concat('x') }), /not SHA-256/],
  [
    'the same run twice',
    rootWith((root) => ({ ...root, runs: [...(root.runs as []), ...(root.runs as [])] })),
    /not sorted/,
  ],
  [
    '101,000 files',
    rootWith((root) => ({
      ...root,
      runs: Array.from({ length: 101 }, (_, index) => ({
        first: `p${String(index).padStart(3, '0')}`,
        sha256: digest(String(index)),
        count: 1_000,
      })),
    })),
    /can have at most 100000 files/,
  ],
  [
    'an invalid label',
    rootWith((root) => ({ ...root, labels: { staff: ['staff'] } })),
    /not a label id/,
  ],
  [
    'too many labels',
    rootWith((root) => ({
      ...root,
      labels: Object.fromEntries(
        Array.from({ length: 20_000 }, (_, index) => [index.toString(16).padStart(12, '0'), []]),
      ),
    })),
    /too many labels/,
  ],
  [
    'a base path on another host',
    rootWith((root) => ({ ...root, basePath: '//evil.example' })),
    /base path/,
  ],
  ['a base path that goes up', rootWith((root) => ({ ...root, basePath: '/a/../b' })), /base path/],
  [
    'a base path with a header',
    rootWith((root) => ({ ...root, basePath: '/a\r\nx: y' })),
    /base path/,
  ],
  [
    'a base path with a script',
    rootWith((root) => ({ ...root, basePath: 'javascript:x' })),
    /base path/,
  ],
  ['a base path that is a number', rootWith((root) => ({ ...root, basePath: 1 })), /not a string/],
  [
    'an origin that adds a directive',
    rootWith((root) => ({ ...root, origins: { images: ['https://a.example; script-src *'] } })),
    /is not an origin/,
  ],
  [
    'an origin with a keyword',
    rootWith((root) => ({ ...root, origins: { scripts: ["'unsafe-eval'"] } })),
    /is not an origin/,
  ],
  [
    'an origin with a header',
    rootWith((root) => ({ ...root, origins: { images: ['x\r\ny: z'] } })),
    /is not an origin/,
  ],
  [
    'an origin of 400 characters',
    rootWith((root) => ({ ...root, origins: { images: ['x'.repeat(400)] } })),
    /is not an origin/,
  ],
  ['origins that are a list', rootWith((root) => ({ ...root, origins: [] })), /not an object/],
  ['a redirect from nowhere', redirectWith({ source: 1 }), /not a string/],
  ['a redirect for an unknown label', redirectWith({ access: '0123456789ab' }), /does not list/],
  ['a redirect for "all of none"', redirectWith({ access: { all: [] } }), /no label/],
  ['a redirect to half a character', redirectWith({ destination: '/\ud800' }), /well-formed/],
  [
    'a redirect that takes a power of time',
    redirectWith({ source: '/:a-:b-:c-:d' }),
    /two wildcards/,
  ],
  ['a redirect below /_octavo/', redirectWith({ source: '/_octavo/scripts/x.js' }), /_octavo/],
  ['a wildcard below /_octavo/', redirectWith({ source: '_octavo/:path*' }), /_octavo/],
  ['a redirect with two stars', redirectWith({ source: '/*a*' }), /two wildcards/],
  [
    'a thousand and one patterns',
    rootWith((root) => ({
      ...root,
      redirects: Array.from({ length: 1_001 }, (_, index) => ({
        source: `/${index}/:a`,
        destination: '/b',
        permanent: true,
        access: 'default',
      })),
    })),
    /1000 redirects with wildcards/,
  ],
  [
    'ten thousand and one redirects',
    rootWith((root) => ({
      ...root,
      redirects: Array.from({ length: 10_001 }, (_, index) => ({
        source: `/${index}`,
        destination: '/b',
        permanent: true,
        access: 'default',
      })),
    })),
    /10000 redirects/,
  ],
  [
    'a search index outside',
    rootWith((root) => ({ ...root, search: [{ scope: 'all', path: '../x', access: 'default' }] })),
    NOT_VALID,
  ],
]

describe('manifest roots', () => {
  test.each(BAD_ROOTS)('a manifest root with %s is rejected', async (_, site, reason) => {
    await expectRefusal(site, reason)
  })

  test.each([
    ['without changes', GOOD],
    ['with a base path', rootWith((root) => ({ ...root, basePath: '/docs/v1.0' }))],
    [
      'with origins',
      rootWith((root) => ({
        ...root,
        origins: { images: ['https://*.example.com', 'http://localhost:8080', 'data:', 'wss:'] },
      })),
    ],
    ['with a redirect that begins like /_octavo/', redirectWith({ source: '/_octavos/:x*' })],
    ['with a wildcard in each part', redirectWith({ source: '/:lang/old/:page*' })],
    ['with an unknown field', rootWith((root) => ({ ...root, later: { x: 1 } }))],
  ])('a manifest root %s is accepted', async (_, site) => {
    expect(await deploy(site)).toMatchObject({ status: 200, body: { state: 'live' } })
  })
})

/** Creates a site with a single run that contains this text. */
function siteOfRun(text: string): TestSite {
  const sha256 = digest(text)
  const root = JSON.parse(GOOD.root)
  root.runs = [{ ...root.runs[0], sha256 }]
  return {
    root: JSON.stringify(root),
    blobs: new Map([...GOOD.blobs, [sha256, Buffer.from(text)]]),
  }
}
const [goodRun] = JSON.parse(GOOD.root).runs as { sha256: string }[]
const goodEntries = JSON.parse(
  GOOD.blobs.get(goodRun?.sha256 ?? '')?.toString() ?? '[]',
) as object[]
const entriesWith = (...changes: readonly object[]) =>
  siteOfRun(JSON.stringify(goodEntries.map((entry, index) => ({ ...entry, ...changes[index] }))))

describe('manifest runs', () => {
  test.each([
    ['invalid JSON', siteOfRun('x'), /not valid JSON/],
    ['no list', siteOfRun('{}'), /not a list/],
    ['fifty thousand brackets', siteOfRun('['.repeat(50_000) + ']'.repeat(50_000)), /.*/],
    ['one entry too few', siteOfRun(JSON.stringify(goodEntries.slice(1))), /does not match/],
    [
      'one entry twice',
      siteOfRun(JSON.stringify([goodEntries[0], goodEntries[0]])),
      /out of order/,
    ],
    [
      'entries in the wrong order',
      siteOfRun(JSON.stringify(goodEntries.toReversed())),
      /does not match|out of order/,
    ],
    ['a size below zero', entriesWith({ size: -1 }), /whole number/],
    ['a size as text', entriesWith({ size: '1' }), /whole number/],
    ['a size that is too small', entriesWith({ size: 0 }), /The file has 1 bytes, not 0/],
    ['a size that is too large', entriesWith({ size: 2 ** 50 }), /The file has 1 bytes, not/],
    [
      'a label that the root does not list',
      entriesWith({ access: '0123456789ab' }),
      /does not list/,
    ],
    ['access for "any of none"', entriesWith({ access: { any: [] } }), /no label/],
    ['a range behind the end', entriesWith({ ranges: [[0, 2, 'default']] }), /exceeds its size/],
    [
      'a range that ends before it begins',
      entriesWith({ ranges: [[1, 0, 'default']] }),
      /out of order/,
    ],
    [
      'more ranges than it may have',
      entriesWith({ ranges: Array.from({ length: 20_001 }, () => [0, 1, 'default']) }),
      /too many ranges/,
    ],
    ['a digest that was never sent', entriesWith({ sha256: digest('never sent') }), /is missing/],
  ] as const)('a manifest run with %s is rejected', async (_, site, reason) => {
    await expectRefusal(site, reason)
  })

  test('a blob of another project is rejected like one that does not exist', async () => {
    const secret = 'The plans of another project'
    const other = await service.createProject(SCOPES)
    await clientOf(service.url, other).deploy(siteOf({ 'plans.txt': secret }))
    const reply = async (sha256: string) => {
      const { body } = await deploy(entriesWith({ sha256, size: secret.length }))
      return body.errors.map(({ reason }: { reason: string }) => reason.replace(sha256, '…'))
    }
    const theirs = await reply(digest(secret))
    expect(theirs).toEqual(['The blob … is missing.'])
    expect(await reply(digest('Files that nobody has'))).toEqual(theirs)
  })
})

describe('hostile uploads', () => {
  const send = (path: string, body: Uint8Array<ArrayBuffer>, method = 'POST') =>
    fetch(`${service.url}/v1/projects/${project.publicId}${path}`, {
      method,
      headers: { authorization: `Bearer ${project.token}` },
      body,
    })

  test('a frame that claims to have four gigabytes is rejected without allocating them', async () => {
    const frame = framesOf([[digest('x'), Buffer.from('x')]])
    frame.writeUInt32BE(0xffffffff, 32)
    const before = process.memoryUsage().rss
    expect((await send('/blobs', new Uint8Array(frame))).status).toBe(400)
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024)
  })

  test('HTML in an image file is served as an image', async () => {
    const html = '<!doctype html><script>alert(document.domain)</script>'
    const site = siteOf({
      'index.html': 'x',
      // The type in the manifest is ignored.
      'photo.png': { text: html, type: 'text/html' },
      'notes.txt': { text: html, type: 'text/html' },
      'data.unknown': { text: html, type: 'text/html' },
      'drawing.svg': { text: `<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>` },
    })
    expect((await deploy(site)).body.state).toBe('live')
    const [row] = await service.owner.query<{ slug: string }>(
      'select slug from project where id = $1',
      [project.id],
    )
    for (const [path, type] of [
      ['/photo.png', 'image/png'],
      ['/notes.txt', 'text/plain; charset=utf-8'],
      ['/data.unknown', 'application/octet-stream'],
      ['/drawing.svg', 'image/svg+xml'],
    ] as const) {
      await expect
        .poll(
          async () => {
            const { headers } = await visit(service.port, `${row?.slug}.sites.localhost`, path)
            return headers['content-type']
          },
          { timeout: 10_000 },
        )
        .toMatch(type)
      const { headers } = await visit(service.port, `${row?.slug}.sites.localhost`, path)
      expect(headers['x-content-type-options']).toBe('nosniff')
      if (path.endsWith('.svg')) expect(headers['content-security-policy']).toContain('sandbox')
    }
  })

  test('a request with JSON nested 100,000 levels deep is rejected', async () => {
    const response = await fetch(`${service.url}/v1/projects/${project.publicId}/deployments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${project.token}`, 'content-type': 'application/json' },
      body: `{"root":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    })
    expect(response.status).toBe(400)
  })
})

test('at least 100 hostile cases are tested', () => {
  expect(BAD_PATHS.length + BAD_ROOTS.length).toBeGreaterThanOrEqual(100)
})
