/**
 * Tests that one label decides on every surface of a hosted site: six readers, every path of the
 * manifest, and everything that the host itself serves. Words of each private page are searched for
 * in everything served to readers without access; the same search detects each label that is
 * omitted on purpose.
 */
import { inflateRawSync } from 'node:zlib'
import { type Access, type ManifestEntry, mayRead, printManifest } from '@octavo/model'
import { SearchEngine, type SearchRoot } from '@octavo/search'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  type AssistantSite,
  newAssistantSite,
  readerOf,
  startAssistantService,
} from '../../../testing/assistant-site.ts'
import { builtSite } from '../../../testing/built-site.ts'
import {
  createTestReader,
  fetchAllVariants,
  type TestReader,
  unlistedPaths,
} from '../../../testing/private-readers.ts'
import {
  CANARIES,
  type CanaryPage,
  LABELS,
  manifestOf,
  PRIVATE_FILES,
  pathOf,
} from '../../../testing/private-site.ts'
import { digest, type TestSite } from '../../../testing/test-deployment.ts'
import type { TestService } from '../../../testing/test-service.ts'

const PATIENCE = { timeout: 10_000, interval: 50 }
const PAGES = { open: 1, default: 1, staff: 1, partners: 1, both: 1, news: 1, operation: 1 }
/** A search index omits the prefix that a word shares with the previous one. */
const END_LENGTH = 8
const AT_A_TIME = 8
const PASSWORD = 'a password for tests'

const READERS = {
  stranger: undefined,
  /** Signed in to another project of the service. */
  foreigner: undefined,
  'let in': [],
  staff: ['staff'],
  partner: ['partners'],
  both: ['staff', 'partners'],
} as const
type ReaderName = keyof typeof READERS
const NAMES = Object.keys(READERS) as readonly ReaderName[]

/** Statuses as signs; each row lists the readers in the order of `NAMES`. */
const SIGNS: Readonly<Record<number, string>> = { 200: '#', 404: '.' }
const EVERYBODY = '######'
const LET_IN = '..####'
const STAFF = '...#.#'
const PARTNERS = '....##'
const BOTH = '...###'
const NOBODY = '......'

/** Written by hand. Digests are `*`, and label ids are replaced by their groups. */
const TABLE: Readonly<Record<string, string | readonly string[]>> = {
  '404.html': EVERYBODY,
  'index.html': EVERYBODY,
  'index.md': EVERYBODY,
  'robots.txt': EVERYBODY,
  'llms.txt': EVERYBODY,
  '_llms/api.txt': EVERYBODY,
  '_llms/guides.txt': EVERYBODY,
  'api-reference/list-plants.md': EVERYBODY,
  'api-reference/list-plants/index.html': EVERYBODY,
  '_octavo/oauth.html': EVERYBODY,
  '_octavo/scripts/*.js': EVERYBODY,
  '_octavo/styles/*.css': EVERYBODY,
  '_octavo/styles/*.woff2': EVERYBODY,
  'llms-full.txt': LET_IN,
  'markdown.zip': LET_IN,
  'sitemap.xml': LET_IN,
  'api-reference/replace-plants.md': LET_IN,
  'api-reference/replace-plants/index.html': LET_IN,
  'images/shared.svg': LET_IN,
  'images/own.svg': STAFF,
  'plants.yaml': STAFF,
  'guides/open.md': EVERYBODY,
  'guides/open/index.html': EVERYBODY,
  'guides/default.md': LET_IN,
  'guides/default/index.html': LET_IN,
  'guides/staff.md': STAFF,
  'guides/staff/index.html': STAFF,
  'guides/operation.md': STAFF,
  'guides/operation/index.html': STAFF,
  'guides/news.md': STAFF,
  'guides/news/index.html': STAFF,
  'guides/news/rss.xml': STAFF,
  'guides/partners.md': PARTNERS,
  'guides/partners/index.html': PARTNERS,
  'guides/both.md': BOTH,
  'guides/both/index.html': BOTH,
  '_octavo/og/*.png': [EVERYBODY, LET_IN, STAFF, PARTNERS, BOTH],
  '_octavo/api/*-public/0.json': EVERYBODY,
  '_octavo/api/*/0.json': LET_IN,
  '_octavo/api/*-{staff}/0.json': STAFF,
  '_octavo/search/all_public.bin': EVERYBODY,
  '_octavo/search/all.bin': LET_IN,
  '_octavo/search/all_{staff}.bin': STAFF,
  '_octavo/search/all_{partners}.bin': PARTNERS,
  '_octavo/search/all_{partners,staff}.bin': BOTH,
  '_octavo/search-data/public/*.bin': EVERYBODY,
  '_octavo/search-data/*.bin': LET_IN,
  '_octavo/search-data/{staff}/*.bin': STAFF,
  '_octavo/search-data/{partners}/*.bin': PARTNERS,
  '_octavo/search-data/{partners,staff}/*.bin': BOTH,
  '_octavo/sections/public/0.json': EVERYBODY,
  '_octavo/sections/0.json': LET_IN,
  '_octavo/sections/{staff}/0.json': STAFF,
  '_octavo/sections/{partners}/0.json': PARTNERS,
  '_octavo/sections/{partners,staff}/0.json': BOTH,
  // Used by the service itself and by hosts that do not read the manifest.
  '_octavo/assistant.json': NOBODY,
  '_octavo/headers.json': NOBODY,
  '_octavo/settings.json': NOBODY,
  _headers: NOBODY,
  _redirects: NOBODY,
  'old/index.html': NOBODY,
  'guides/index.html': NOBODY,
  'api-reference/index.html': NOBODY,
}

let service: TestService
let built: TestSite
let site: AssistantSite
let entries: readonly ManifestEntry[]
let readers: Readonly<Record<ReaderName, TestReader>>

async function protect({ client }: AssistantSite): Promise<void> {
  const { status } = await client.call('PUT', '/access', { mode: 'password', password: PASSWORD })
  expect(status).toBe(200)
}

async function readersOf({ project, host }: AssistantSite): Promise<typeof readers> {
  const foreign = await newAssistantSite(service)
  const foreigner = await createTestReader(service, foreign.host, { ...foreign, groups: ['staff'] })
  const made = await Promise.all(
    NAMES.map(async (name): Promise<[ReaderName, TestReader]> => {
      const groups = READERS[name]
      const session = groups && { project, groups }
      const reader = await createTestReader(service, host, session)
      if (name !== 'foreigner') return [name, reader]
      const get: TestReader['get'] = (path, headers, method) =>
        reader.get(path, { ...foreigner.headers, ...headers }, method)
      return [name, { ...reader, headers: foreigner.headers, get }]
    }),
  )
  return Object.fromEntries(made) as typeof readers
}

beforeAll(async () => {
  service = await startAssistantService()
  built = await builtSite(PRIVATE_FILES, 'https://docs.example.com')
  ;({ entries } = manifestOf(built))
  site = await newAssistantSite(service, built)
  await protect(site)
  readers = await readersOf(site)
  const isProtected = async () =>
    expect((await readers.stranger.get(pathOf('default'))).status).toBe(404)
  await vi.waitFor(isProtected, PATIENCE)
}, 60_000)
afterAll(() => service.stop())

const readerFor = (name: ReaderName) => ({
  hasSiteAccess: READERS[name] !== undefined,
  groups: new Set<string>(READERS[name] ?? []),
})
const hiddenFrom = (name: ReaderName) =>
  (Object.keys(CANARIES) as CanaryPage[]).filter((page) => !mayRead(readerFor(name), LABELS[page]))

/** Returns words in a text that its reader may not see. `asked` are words that the reader sent. */
function leaksIn(text: string, name: ReaderName, asked: readonly string[] = []): readonly string[] {
  const lower = text.toLowerCase()
  return hiddenFrom(name).flatMap((page) =>
    CANARIES[page].filter((word) => {
      const isAsked = asked.some((one) => one.toLowerCase().includes(word))
      return !isAsked && lower.includes(word.slice(-END_LENGTH))
    }),
  )
}

/** Returns all that a reader finds of pages they may not read, by path. */
async function scan(
  name: ReaderName,
  reader: TestReader,
  paths: readonly string[] = entries.map(({ path }) => path),
): Promise<readonly string[]> {
  const leaksAt = async (path: string) => {
    const text = await fetchAllVariants(reader, `/${path}`)
    return leaksIn(text, name, [path]).map((word) => `${word} at /${path}`)
  }
  const all = [...paths, ...unlistedPaths(paths)]
  const found: string[] = []
  for (let at = 0; at < all.length; at += AT_A_TIME)
    found.push(...(await Promise.all(all.slice(at, at + AT_A_TIME).map(leaksAt))).flat())
  return found
}

/** Returns the path in a form that does not change with the text of pages. */
function normalise(path: string): string {
  const pages = Object.entries(CANARIES).flatMap(([name, words]) =>
    words[4] === undefined ? [] : [[words[4], name] as const],
  )
  const labels = [...manifestOf(built).root.labels].map(
    ([id, label]) => [id, `{${[label].flat().join(',')}}`] as const,
  )
  return [...pages, ...labels]
    .reduce((text, [from, to]) => text.replaceAll(from, to), path)
    .replace(/(?<=_octavo\/search-data\/(?:[^/]+\/)?)(?:all|pages\/[^/]+)\/[^/]+(?=\.bin)/, '*')
    .replace(/(?<=_octavo\/(?:scripts|styles)\/)[^/]+(?=\.)/, '*')
    .replaceAll(/[\da-f]{12,}/g, '*')
}

describe('private sites', () => {
  test('each reader gets exactly the files in the table', async () => {
    const rows = new Map<string, Set<string>>()
    for (const { path } of entries) {
      const replies = await Promise.all(NAMES.map((name) => readers[name].get(`/${path}`)))
      const row = replies.map(({ status }) => SIGNS[status] ?? `${status} `).join('')
      const key = normalise(path)
      rows.set(key, (rows.get(key) ?? new Set()).add(row))
    }
    const table = Object.fromEntries([...rows].map(([key, set]) => [key, [...set].toSorted()]))
    const written = Object.fromEntries(
      Object.entries(TABLE).map(([key, row]) => [key, [row].flat().toSorted()]),
    )
    expect(table).toEqual(written)
  })

  test.each(NAMES)(
    'the reader "%s" gets no word of pages they may not read',
    async (name) => {
      expect(await scan(name, readers[name])).toEqual([])
    },
    60_000,
  )

  test.each(NAMES)(
    'the reader "%s" sees the pages they may read, in the sidebar too',
    async (name) => {
      const open = (Object.keys(CANARIES) as CanaryPage[]).filter(
        (page) => page !== 'image' && mayRead(readerFor(name), LABELS[page]),
      ) as Exclude<CanaryPage, 'image'>[]
      const home = (await readers[name].get('/')).bytes.toString()
      for (const page of open) {
        const reply = await readers[name].get(pathOf(page))
        expect([page, reply.status]).toEqual([page, 200])
        expect(reply.bytes.toString()).toContain(CANARIES[page][2])
        if (page !== 'operation') expect(home).toContain(CANARIES[page][0])
      }
    },
  )

  test.each(NAMES)(
    'search returns for "%s" exactly the pages they may read, for every word',
    async (name) => {
      const home = (await readers[name].get('/')).bytes.toString()
      const [, index = ''] = /data-index="([^"]*)"/.exec(home) ?? []
      const read = async (path: string) => {
        const { status, bytes } = await readers[name].get(path)
        expect([path, status]).toEqual([path, 200])
        return inflateRawSync(bytes)
      }
      const found = new Set<string>()
      for (const address of index.split(' ').filter(Boolean)) {
        const root = JSON.parse((await read(address)).toString()) as SearchRoot
        const engine = new SearchEngine(root, (file) => read(`${root.folder}/${file}.bin`))
        for (const word of Object.values(CANARIES).flat()) {
          const { pages } = await engine.find(word, 5)
          for (const { url } of (await engine.load(pages)).map(({ page }) => page)) found.add(url)
        }
      }
      const readable = (Object.keys(LABELS) as CanaryPage[]).filter(
        (page) => page !== 'image' && mayRead(readerFor(name), LABELS[page]),
      ) as Exclude<CanaryPage, 'image'>[]
      const known = [...found].filter((url) => url.startsWith('/guides/'))
      expect(known.toSorted()).toEqual(readable.map(pathOf).toSorted())
    },
  )

  test.each(NAMES)('questions of "%s" are answered only from pages they may read', async (name) => {
    const own = readerOf(service.port, site.host)
    const ticket = await own.ticket()
    for (const page of Object.keys(CANARIES) as CanaryPage[]) {
      const word = CANARIES[page][2] ?? CANARIES[page][0]
      const question = `How to set up ${word}?`
      const { status, text } = await own.ask(question, { headers: readers[name].headers, ticket })
      expect(status).toBe(200)
      expect([page, leaksIn(text, name, [question])]).toEqual([page, []])
      if (page !== 'image' && mayRead(readerFor(name), LABELS[page]))
        expect([page, text.includes(pathOf(page))]).toEqual([page, true])
    }
  })

  test.each(NAMES)('MCP returns to "%s" only pages they may read', async (name) => {
    const { call } = readerOf(service.port, site.host)
    const tool = async (tool: string, input: object) => {
      const params = { name: tool, arguments: input }
      const { status, text } = await call('POST', '/mcp', {
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-11-25',
          ...readers[name].headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      })
      expect([tool, status]).toEqual([tool, 200])
      return text
    }
    const list = await tool('list_pages', {})
    expect(leaksIn(list, name)).toEqual([])
    for (const page of Object.keys(CANARIES) as Exclude<CanaryPage, 'image'>[]) {
      const mayThey = mayRead(readerFor(name), LABELS[page])
      const word = CANARIES[page][2] ?? CANARIES[page][0]
      const url = CANARIES[page][4] === undefined ? '/' : pathOf(page)
      for (const [what, input] of [
        ['search_docs', { query: word }],
        ['grep_docs', { text: word }],
        ['read_page', { url }],
        ['get_operation', { operation: 'POST /plants' }],
      ] as const) {
        const text = await tool(what, input)
        const asked = [JSON.stringify(input)]
        expect([what, page, leaksIn(text, name, asked)]).toEqual([what, page, []])
        if (what === 'read_page' && page in PAGES && mayThey) expect(text).toContain(word)
      }
      if (page in PAGES && page !== 'operation') expect(list.includes(url)).toBe(mayThey)
    }
  })

  test('a shared cache may store only files that are public for everyone', async () => {
    for (const { path, access, ranges = [] } of entries) {
      const isForAll = access === 'public' && ranges.length === 0
      const reply = await readers.both.get(`/${path}`)
      if (reply.status !== 200) continue
      const { 'cache-control': control } = reply.headers
      expect([path, /^private, no-cache$|^no-store$/.test(String(control))]).toEqual([
        path,
        !isForAll,
      ])
    }
    for (const path of ['/old', '/guides'])
      expect((await readers.staff.get(path)).headers['cache-control']).toBe('private, no-cache')
  })

  test('equal bytes have the same ETag and different bytes another one', async () => {
    const tags = new Map<string, string>()
    for (const name of NAMES) {
      const { headers, bytes } = await readers[name].get('/')
      tags.set(bytes.toString(), [...(tags.get(bytes.toString()) ?? ''), headers.etag].join(''))
      const again = await readers[name].get('/', { 'if-none-match': String(headers.etag) })
      expect(again.status).toBe(304)
    }
    expect(new Set(tags.keys()).size).toBe(5)
    const [stranger, staff] = await Promise.all([readers.stranger.get('/'), readers.staff.get('/')])
    const crossed = await readers.stranger.get('/', { 'if-none-match': String(staff.headers.etag) })
    expect([crossed.status, crossed.bytes.equals(stranger.bytes)]).toEqual([200, true])
  })
})

describe('readers who signed out', () => {
  test('a signed-out reader gets only what an anonymous reader gets, within a second', async () => {
    const reader = await createTestReader(service, site.host, { ...site, groups: ['staff'] })
    expect((await reader.get(pathOf('staff'))).status).toBe(200)
    await service.owner.query(
      `delete from reader_session where project_id = $1 and groups = array['staff'] and created_at =
         (select max(created_at) from reader_session where project_id = $1)`,
      [site.project.id],
    )
    const ended = performance.now()
    await vi.waitFor(
      async () => expect((await reader.get(pathOf('staff'))).status).toBe(404),
      PATIENCE,
    )
    expect(performance.now() - ended).toBeQuick(1_000)
    const names = entries.filter(({ access }) => String(access) === 'staff')
    const paths = names.map(({ path }) => path)
    expect(await scan('stranger', reader, paths)).toEqual([])
  })
})

describe('pages that were public before', () => {
  test('pages that were public before are now served only to their groups', async () => {
    const open = Object.fromEntries(
      Object.entries(PRIVATE_FILES).map(([path, text]) => [
        path,
        text
          .replaceAll(/^groups: .*$/gm, 'public: true')
          .replace(', metadata: { groups: [staff] }', ''),
      ]),
    )
    const before = await builtSite(open, 'https://docs.example.com')
    const own = await newAssistantSite(service, before)
    await protect(own)
    await own.client.deploy(built)
    const stranger = await createTestReader(service, own.host)
    await vi.waitFor(
      async () => expect((await stranger.get(pathOf('staff'))).status).toBe(404),
      PATIENCE,
    )
    const paths = manifestOf(before).entries.map(({ path }) => path)
    expect(await scan('stranger', stranger, paths)).toEqual([])
  }, 60_000)
})

describe('previews', () => {
  test('a preview has the labels of its pages, for readers of the preview only', async () => {
    const preview = await newAssistantSite(service, built, { target: 'preview', branch: 'x' })
    await protect(preview)
    const stranger = await createTestReader(service, preview.host)
    const staff = await createTestReader(service, preview.host, { ...preview, groups: ['staff'] })
    await vi.waitFor(
      async () => expect((await stranger.get(pathOf('default'))).status).toBe(404),
      PATIENCE,
    )
    expect(await scan('stranger', stranger)).toEqual([])
    expect((await staff.get(pathOf('staff'))).status).toBe(200)
    expect((await staff.get('/_octavo/changes.json')).status).toBe(200)
    expect((await stranger.get('/_octavo/changes.json')).status).toBe(404)
    // The site's cookie is not valid for the preview.
    const [, cookie = ''] = Object.entries(readers.staff.headers)[0] ?? []
    expect((await stranger.get(pathOf('staff'), { cookie })).status).toBe(404)
  }, 60_000)
})

describe('a label omitted on one surface', () => {
  const open = (match: (entry: ManifestEntry) => boolean) => {
    const { root, entries: all } = manifestOf(built)
    const changed = all.map((entry): ManifestEntry => {
      return match(entry) ? { ...entry, access: 'public', ranges: [] } : entry
    })
    expect(changed).not.toEqual(all)
    const printed = printManifest(root, changed, digest)
    const blobs = new Map(built.blobs)
    for (const { sha256, text } of printed.runs) blobs.set(sha256, Buffer.from(text))
    return { root: printed.root, blobs }
  }
  const isPrivate = (access: Access) => JSON.stringify(access).includes('staff')

  test.each<[string, (entry: ManifestEntry) => boolean]>([
    ['a page', ({ path }) => path === `${pathOf('staff').slice(1)}/index.html`],
    ['its Markdown', ({ path }) => path === `${pathOf('staff').slice(1)}.md`],
    ['its feed', ({ path }) => path.endsWith('rss.xml')],
    ['its picture', ({ path }) => path === 'images/own.svg'],
    ['the sidebar of a public page', ({ path }) => path === 'index.html'],
    ['the page for what is missing', ({ path }) => path === '404.html'],
    ['llms.txt', ({ path }) => path === 'llms.txt'],
    ['llms-full.txt', ({ path }) => path === 'llms-full.txt'],
    ['the list of a tab', ({ path }) => path === '_llms/guides.txt'],
    ['the sitemap', ({ path }) => path === 'sitemap.xml'],
    ['the root of an index', ({ path, access }) => /search\//.test(path) && isPrivate(access)],
    ['parts of an index', ({ path, access }) => /search-data/.test(path) && isPrivate(access)],
    ['sections', ({ path, access }) => /sections/.test(path) && isPrivate(access)],
    ['a specification', ({ path }) => path === 'plants.yaml'],
    ['parts of a specification', ({ path, access }) => /api\/\w/.test(path) && isPrivate(access)],
  ])('a missing label is detected: %s', async (_, match) => {
    const own = await newAssistantSite(service, open(match))
    await protect(own)
    const stranger = await createTestReader(service, own.host)
    await vi.waitFor(
      async () => expect((await stranger.get(pathOf('default'))).status).toBe(404),
      PATIENCE,
    )
    const paths = entries.filter(match).map(({ path }) => path)
    const leaks = await scan('stranger', stranger, paths)
    const replies = await Promise.all(paths.map((path) => stranger.get(`/${path}`)))
    // Files without words, such as images, are checked against the table.
    const isInTable = replies.some(({ status }, index) => {
      const row = [TABLE[normalise(paths[index] ?? '')]].flat()
      return status === 200 && row.every((one) => one?.startsWith('.'))
    })
    expect([leaks.length > 0, isInTable]).not.toEqual([false, false])
  })
})
