/**
 * Tests that the access label of a page is enforced everywhere on a hosted site. Six readers
 * request every path of the manifest and everything that the host serves itself. Each private page
 * contains unique words, and the responses to readers without access must not contain them. The
 * last tests omit each label on purpose, to check that this search would find the mistake.
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

const POLL = { timeout: 10_000, interval: 50 }
const PAGES = { open: 1, default: 1, staff: 1, partners: 1, both: 1, news: 1, operation: 1 }
/**
 * The number of final letters to search for, since a search index omits the beginning that a word
 * shares with the previous word.
 */
const END_LENGTH = 8
const CONCURRENT_REQUESTS = 8
const PASSWORD = 'a password for tests'

const READERS = {
  anonymous: undefined,
  /** A reader who is signed in to another project of the service. */
  foreigner: undefined,
  'let in': [],
  staff: ['staff'],
  partner: ['partners'],
  both: ['staff', 'partners'],
} as const
type ReaderName = keyof typeof READERS
const NAMES = Object.keys(READERS) as readonly ReaderName[]

/**
 * One character for each expected status. A row has one character per reader, in the order of
 * `NAMES`.
 */
const SIGNS: Readonly<Record<number, string>> = { 200: '#', 404: '.' }
const EVERY_READER = '######'
const SIGNED_IN = '..####'
const STAFF = '...#.#'
const PARTNERS = '....##'
const BOTH = '...###'
const NO_READER = '......'

/**
 * The expected files and their readers, written by hand. Digests are replaced by `*`, and label ids
 * by their groups.
 */
const TABLE: Readonly<Record<string, string | readonly string[]>> = {
  '404.html': EVERY_READER,
  'index.html': EVERY_READER,
  'index.md': EVERY_READER,
  'robots.txt': EVERY_READER,
  'llms.txt': EVERY_READER,
  '_llms/api.txt': EVERY_READER,
  '_llms/guides.txt': EVERY_READER,
  'api-reference/list-plants.md': EVERY_READER,
  'api-reference/list-plants/index.html': EVERY_READER,
  '_octavo/oauth.html': EVERY_READER,
  '_octavo/scripts/*.js': EVERY_READER,
  '_octavo/styles/*.css': EVERY_READER,
  '_octavo/styles/*.woff2': EVERY_READER,
  'llms-full.txt': SIGNED_IN,
  'markdown.zip': SIGNED_IN,
  'sitemap.xml': SIGNED_IN,
  'api-reference/replace-plants.md': SIGNED_IN,
  'api-reference/replace-plants/index.html': SIGNED_IN,
  'images/shared.svg': SIGNED_IN,
  'images/own.svg': STAFF,
  'plants.yaml': STAFF,
  'guides/open.md': EVERY_READER,
  'guides/open/index.html': EVERY_READER,
  'guides/default.md': SIGNED_IN,
  'guides/default/index.html': SIGNED_IN,
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
  '_octavo/og/*.png': [EVERY_READER, SIGNED_IN, STAFF, PARTNERS, BOTH],
  '_octavo/api/*-public/0.json': EVERY_READER,
  '_octavo/api/*/0.json': SIGNED_IN,
  '_octavo/api/*-{staff}/0.json': STAFF,
  '_octavo/api/*-public/try-*.json': EVERY_READER,
  '_octavo/api/*/try-*.json': SIGNED_IN,
  '_octavo/api/*-{staff}/try-*.json': STAFF,
  '_octavo/search/all_public.bin': EVERY_READER,
  '_octavo/search/all.bin': SIGNED_IN,
  '_octavo/search/all_{staff}.bin': STAFF,
  '_octavo/search/all_{partners}.bin': PARTNERS,
  '_octavo/search/all_{partners,staff}.bin': BOTH,
  '_octavo/search-data/public/*.bin': EVERY_READER,
  '_octavo/search-data/*.bin': SIGNED_IN,
  '_octavo/search-data/{staff}/*.bin': STAFF,
  '_octavo/search-data/{partners}/*.bin': PARTNERS,
  '_octavo/search-data/{partners,staff}/*.bin': BOTH,
  '_octavo/sections/public/0.json': EVERY_READER,
  '_octavo/sections/0.json': SIGNED_IN,
  '_octavo/sections/{staff}/0.json': STAFF,
  '_octavo/sections/{partners}/0.json': PARTNERS,
  '_octavo/sections/{partners,staff}/0.json': BOTH,
  // Files for the service itself, and for hosts that do not read the manifest.
  '_octavo/assistant.json': NO_READER,
  '_octavo/headers.json': NO_READER,
  '_octavo/questions.jsonl': NO_READER,
  '_octavo/settings.json': NO_READER,
  _headers: NO_READER,
  _redirects: NO_READER,
  'old/index.html': NO_READER,
  'guides/index.html': NO_READER,
  'api-reference/index.html': NO_READER,
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
    expect((await readers.anonymous.get(pathOf('default'))).status).toBe(404)
  await vi.waitFor(isProtected, POLL)
}, 60_000)
afterAll(() => service.stop())

const readerFor = (name: ReaderName) => ({
  hasSiteAccess: READERS[name] !== undefined,
  groups: new Set<string>(READERS[name] ?? []),
})
const hiddenFrom = (name: ReaderName) =>
  (Object.keys(CANARIES) as CanaryPage[]).filter((page) => !mayRead(readerFor(name), LABELS[page]))

/**
 * Returns the words in the text that the reader may not see, except those in the reader's own
 * requests.
 */
function leaksIn(text: string, name: ReaderName, asked: readonly string[] = []): readonly string[] {
  const lower = text.toLowerCase()
  return hiddenFrom(name).flatMap((page) =>
    CANARIES[page].filter((word) => {
      const isAsked = asked.some((one) => one.toLowerCase().includes(word))
      return !isAsked && lower.includes(word.slice(-END_LENGTH))
    }),
  )
}

/** Requests all paths as a reader. Returns all words from pages that the reader may not read. */
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
  for (let at = 0; at < all.length; at += CONCURRENT_REQUESTS)
    found.push(...(await Promise.all(all.slice(at, at + CONCURRENT_REQUESTS).map(leaksAt))).flat())
  return found
}

/** Replaces the parts of a path that depend on the text of pages. */
function normalize(path: string): string {
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
  test('each reader can access exactly the files in the table', async () => {
    const rows = new Map<string, Set<string>>()
    for (const { path } of entries) {
      const replies = await Promise.all(NAMES.map((name) => readers[name].get(`/${path}`)))
      const row = replies.map(({ status }) => SIGNS[status] ?? `${status} `).join('')
      const key = normalize(path)
      rows.set(key, (rows.get(key) ?? new Set()).add(row))
    }
    const table = Object.fromEntries([...rows].map(([key, set]) => [key, [...set].toSorted()]))
    const written = Object.fromEntries(
      Object.entries(TABLE).map(([key, row]) => [key, [row].flat().toSorted()]),
    )
    expect(table).toEqual(written)
  })

  test.each(NAMES)(
    'the reader "%s" gets no words of pages they may not read',
    async (name) => {
      expect(await scan(name, readers[name])).toEqual([])
    },
    60_000,
  )

  test.each(NAMES)(
    'the reader "%s" can read their pages and sees them in the sidebar',
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
    'search finds exactly the pages that the reader "%s" may read, for every word',
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

  test.each(NAMES)(
    'the assistant answers the reader "%s" only from pages they may read',
    async (name) => {
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
    },
  )

  test.each(NAMES)(
    'the MCP server shows the reader "%s" only pages they may read',
    async (name) => {
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
    },
  )

  test('a shared cache may only store files that are public to everyone', async () => {
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

  test('responses with equal bytes have the same ETag, and others have different ones', async () => {
    const tags = new Map<string, string>()
    for (const name of NAMES) {
      const { headers, bytes } = await readers[name].get('/')
      tags.set(bytes.toString(), [...(tags.get(bytes.toString()) ?? ''), headers.etag].join(''))
      const again = await readers[name].get('/', { 'if-none-match': String(headers.etag) })
      expect(again.status).toBe(304)
    }
    expect(new Set(tags.keys()).size).toBe(5)
    const [anonymous, staff] = await Promise.all([
      readers.anonymous.get('/'),
      readers.staff.get('/'),
    ])
    const crossed = await readers.anonymous.get('/', {
      'if-none-match': String(staff.headers.etag),
    })
    expect([crossed.status, crossed.bytes.equals(anonymous.bytes)]).toEqual([200, true])
  })
})

describe('readers who signed out', () => {
  test('a signed-out reader is treated as anonymous within a second', async () => {
    const reader = await createTestReader(service, site.host, { ...site, groups: ['staff'] })
    expect((await reader.get(pathOf('staff'))).status).toBe(200)
    await service.owner.query(
      `delete from reader_session where project_id = $1 and groups = array['staff'] and created_at =
         (select max(created_at) from reader_session where project_id = $1)`,
      [site.project.id],
    )
    const ended = performance.now()
    await vi.waitFor(async () => expect((await reader.get(pathOf('staff'))).status).toBe(404), POLL)
    expect(performance.now() - ended).toBeQuick(1_000)
    const names = entries.filter(({ access }) => String(access) === 'staff')
    const paths = names.map(({ path }) => path)
    expect(await scan('anonymous', reader, paths)).toEqual([])
  })
})

describe('pages that were public before', () => {
  test('pages that are no longer public are only served to their groups', async () => {
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
    const anonymous = await createTestReader(service, own.host)
    await vi.waitFor(
      async () => expect((await anonymous.get(pathOf('staff'))).status).toBe(404),
      POLL,
    )
    const paths = manifestOf(before).entries.map(({ path }) => path)
    expect(await scan('anonymous', anonymous, paths)).toEqual([])
  }, 60_000)
})

describe('previews', () => {
  test('a preview enforces the labels of its pages and has its own sessions', async () => {
    const preview = await newAssistantSite(service, built, { target: 'preview', branch: 'x' })
    await protect(preview)
    const anonymous = await createTestReader(service, preview.host)
    const staff = await createTestReader(service, preview.host, { ...preview, groups: ['staff'] })
    await vi.waitFor(
      async () => expect((await anonymous.get(pathOf('default'))).status).toBe(404),
      POLL,
    )
    expect(await scan('anonymous', anonymous)).toEqual([])
    expect((await staff.get(pathOf('staff'))).status).toBe(200)
    expect((await staff.get('/_octavo/changes.json')).status).toBe(200)
    expect((await anonymous.get('/_octavo/changes.json')).status).toBe(404)
    // The reader's cookie from the site is not valid for the preview.
    const [, cookie = ''] = Object.entries(readers.staff.headers)[0] ?? []
    expect((await anonymous.get(pathOf('staff'), { cookie })).status).toBe(404)
  }, 60_000)

  test('a preview compares with live pages of its reader, and not of others who see the same preview', async () => {
    const siteFor = (groups: string) =>
      builtSite({
        'docs.json': JSON.stringify({ name: 'Plans', navigation: { pages: ['index', 'plan'] } }),
        'index.mdx': '---\ntitle: Plans\n---\nWelcome.\n',
        'plan.mdx': `---\ntitle: Plan\ngroups: [${groups}]\n---\nOnly for ${groups}.\n`,
      })
    const live = await newAssistantSite(service, await siteFor('staff'))
    await protect(live)
    const target = { target: 'preview', branch: 'y' }
    const { body } = await live.client.deploy(await siteFor('staff, partners'), target)
    const { hostname } = new URL(body.url)
    const { project } = live
    const staff = await createTestReader(service, hostname, { project, groups: ['staff'] })
    const partner = await createTestReader(service, hostname, { project, groups: ['partners'] })
    // The first reader decides which groups of a view are kept, so both orders are tried.
    for (const reader of [staff, partner, staff, partner])
      expect((await reader.get('/plan')).status).toBe(200)
    expect((await staff.get('/_octavo/live/plan')).status).toBe(200)
    expect((await partner.get('/_octavo/live/plan')).status).toBe(404)
    const changesFor = async (reader: TestReader) =>
      JSON.parse((await reader.get('/_octavo/changes.json')).bytes.toString()).pages
    expect(await changesFor(staff)).toMatchObject({ changed: ['/plan'], added: [] })
    expect(await changesFor(partner)).toMatchObject({ changed: [], added: ['/plan'] })
  }, 60_000)
})

describe('labels omitted on purpose', () => {
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
    ['the 404 page', ({ path }) => path === '404.html'],
    ['llms.txt', ({ path }) => path === 'llms.txt'],
    ['llms-full.txt', ({ path }) => path === 'llms-full.txt'],
    ['the llms.txt list of a tab', ({ path }) => path === '_llms/guides.txt'],
    ['the sitemap', ({ path }) => path === 'sitemap.xml'],
    ['the root of an index', ({ path, access }) => /search\//.test(path) && isPrivate(access)],
    ['parts of an index', ({ path, access }) => /search-data/.test(path) && isPrivate(access)],
    ['sections', ({ path, access }) => /sections/.test(path) && isPrivate(access)],
    ['a specification', ({ path }) => path === 'plants.yaml'],
    ['parts of a specification', ({ path, access }) => /api\/\w/.test(path) && isPrivate(access)],
  ])('the private-site tests detect a missing access label: %s', async (_, match) => {
    const own = await newAssistantSite(service, open(match))
    await protect(own)
    const anonymous = await createTestReader(service, own.host)
    await vi.waitFor(
      async () => expect((await anonymous.get(pathOf('default'))).status).toBe(404),
      POLL,
    )
    const paths = entries.filter(match).map(({ path }) => path)
    const leaks = await scan('anonymous', anonymous, paths)
    const replies = await Promise.all(paths.map((path) => anonymous.get(`/${path}`)))
    // Files without words, such as images, are compared with the table.
    const isInTable = replies.some(({ status }, index) => {
      const row = [TABLE[normalize(paths[index] ?? '')]].flat()
      return status === 200 && row.every((one) => one?.startsWith('.'))
    })
    expect([leaks.length > 0, isInTable]).not.toEqual([false, false])
  })
})
