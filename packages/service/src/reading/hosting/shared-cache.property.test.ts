/**
 * Tests that every response from a cache shared by many projects equals the response without a
 * cache.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import {
  type AccessRange,
  accessOfAll,
  accessOfAny,
  groupsLabel,
  mayRead,
  omitRanges,
  omittedSpans,
  type Reader,
  removeSpans,
} from '@octavo/model'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { digest, siteOf, visit } from '../../../testing/test-deployment.ts'
import { PEPPER } from '../../../testing/test-service.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import { BlobCache } from './blob-cache.ts'
import { FileServer } from './file-server.ts'
import { classOf, findFile, type SiteView, viewOf } from './find-file.ts'
import { offsetInFile, visiblePieces } from './stream-file.ts'

const GROUPS = ['a', 'b', 'c']
const label = fc.oneof(
  fc.constantFrom('public' as const, 'default' as const),
  fc.subarray(GROUPS).map(groupsLabel),
)
const access = fc.oneof(
  label,
  fc.array(label, { maxLength: 3 }).map(accessOfAny),
  fc.array(label, { maxLength: 3 }).map(accessOfAll),
)

/** Generates sorted ranges, which can be nested but do not otherwise overlap. */
const rangesOf = (size: number): fc.Arbitrary<readonly AccessRange[]> =>
  fc
    .array(fc.record({ at: fc.tuple(fc.nat(size), fc.nat(size)), access }), { maxLength: 6 })
    .map((written) => {
      const open: number[] = []
      return written
        .map(({ at, access: who }) => ({
          start: Math.min(...at),
          end: Math.max(...at),
          access: who,
        }))
        .toSorted((a, b) => a.start - b.start || b.end - a.end)
        .filter(({ start, end }) => {
          while (open.length > 0 && (open.at(-1) ?? 0) <= start) open.pop()
          const fits = start < end && end <= (open.at(-1) ?? size)
          if (fits) open.push(end)
          return fits
        })
    })

/**
 * There are only a few file contents, so that several projects have the same bytes. Two of them are
 * long enough to be compressed.
 */
const TEXTS = ['0123456789', 'abcdefghij'.repeat(3), 'lorem ipsum '.repeat(100), 'x'.repeat(1_500)]
const PATHS = ['index.md', 'guide.md', '_octavo/scripts/site.js', '_octavo/search-data/1.bin']

const file = fc
  .constantFrom(...TEXTS)
  .chain((text) => fc.record({ text: fc.constant(text), access, ranges: rangesOf(text.length) }))
const site = fc.record({
  project: fc.constantFrom('1', '2', '3'),
  isProtected: fc.boolean(),
  files: fc.tuple(file, file, file, file),
})
const request = fc.record({
  site: fc.nat(),
  path: fc.constantFrom(...PATHS),
  groups: fc.option(fc.subarray(GROUPS), { nil: undefined }),
  encoding: fc.constantFrom('identity', 'br', 'gzip'),
})

let folder: string
let blobs: BlobStore
let cache: BlobCache
let server: Server
let port: number
let asked: { readonly view: SiteView; readonly path: string } | undefined
let deployments = 0

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-shared-'))
  blobs = await openFolderStore(folder)
  cache = new BlobCache(blobs, 4 * 1024 * 1024)
  const files = new FileServer({ blobs, cache, pepper: PEPPER })
  server = createServer(async (incoming, response) => {
    const { view, path } = asked ?? {}
    const found = view && path !== undefined ? await findFile(cache, view, path) : undefined
    if (view === undefined || found?.kind !== 'file') response.writeHead(404).end()
    else await files.serve(incoming, response, { view, entry: found.entry, vary: [], status: 200 })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

type Site = typeof site extends fc.Arbitrary<infer One> ? One : never

const stored = new Set<string>()

async function store(bytes: Buffer): Promise<string> {
  const sha256 = digest(bytes)
  if (!stored.has(sha256)) await blobs.put({ sha256, size: bytes.length }, piecesOf(bytes))
  stored.add(sha256)
  return sha256
}

async function deploy({ files }: Site): Promise<string> {
  const named = Object.fromEntries(files.map((one, index) => [PATHS[index] ?? '', one]))
  const { root, blobs: parts } = siteOf(named)
  for (const bytes of parts.values()) await store(bytes)
  return store(Buffer.from(root))
}

async function* piecesOf(bytes: Uint8Array, size = bytes.length || 1) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const DECODE = { br: brotliDecompressSync, gzip: gunzipSync }

describe('a cache shared by all projects of a process', () => {
  test('every response from the shared cache equals the response without a cache', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(site, { minLength: 1, maxLength: 4 }),
        fc.array(request, { minLength: 1, maxLength: 12 }),
        async (sites, requests) => {
          const roots = await Promise.all(sites.map(deploy))
          deployments += sites.length
          for (const { site: number, path, groups, encoding } of requests) {
            const index = number % sites.length
            const { project, isProtected, files } = sites[index] as Site
            const reader: Reader = {
              hasSiteAccess: !isProtected || groups !== undefined,
              groups: new Set(isProtected ? groups : []),
            }
            const digestOfRoot = roots[index] ?? ''
            const root = await cache.root(digestOfRoot)
            const view = viewOf(
              root,
              {
                organizationId: '1',
                projectId: project,
                publicId: `prj_${project}`,
                preview: undefined,
                protection: isProtected ? 'password' : 'public',
                deploymentId: `${deployments}-${index}`,
                root: digestOfRoot,
                earlier: [],
                allowsProxy: false,
              },
              { ...classOf(root, reader), origin: undefined },
            )
            asked = { view, path }
            const reply = await visit(port, 'site.localhost', '/', {
              headers: { 'accept-encoding': encoding },
            })
            const { text, access: who, ranges } = files[PATHS.indexOf(path)] ?? files[0]
            const may = (one: typeof who) => mayRead(reader, one)
            if (!may(who)) {
              expect(reply.status).toBe(404)
              continue
            }
            const expected = Buffer.from(omitRanges(Buffer.from(text), ranges, may))
            const used = reply.headers['content-encoding'] as keyof typeof DECODE | undefined
            const plain = used === undefined ? reply.bytes : DECODE[used](reply.bytes)
            expect(plain.toString()).toBe(expected.toString())
            const tag = used === undefined ? digest(expected) : `${digest(expected)}-${used}`
            expect(reply.headers.etag).toBe(`"${tag}"`)
          }
        },
      ),
    )
  })
})

describe('streamed files', () => {
  test('a streamed file equals the file in memory, for any range and any hidden parts', async () => {
    const size = 60
    const content = Buffer.from(Array.from({ length: size }, (_, index) => index))
    await fc.assert(
      fc.asyncProperty(
        rangesOf(size),
        fc.subarray(GROUPS),
        fc.tuple(fc.nat(size), fc.nat(size)),
        fc.integer({ min: 1, max: size }),
        async (ranges, groups, [one, other], pieceSize) => {
          const reader = { hasSiteAccess: true, groups: new Set(groups) }
          const omitted = omittedSpans(ranges, (who) => mayRead(reader, who))
          const whole = removeSpans(content, omitted)
          const start = Math.min(one, other, whole.length)
          const end = Math.min(Math.max(one, other), whole.length)
          if (start === end) return
          const from = offsetInFile(omitted, start)
          const part = content.subarray(from, offsetInFile(omitted, end - 1) + 1)
          const pieces: Uint8Array[] = []
          for await (const piece of visiblePieces(piecesOf(part, pieceSize), omitted, from))
            pieces.push(piece)
          expect(Buffer.concat(pieces)).toEqual(Buffer.from(whole.subarray(start, end)))
        },
      ),
    )
  })
})

test('a manifest run is parsed separately for each root that contains it', async () => {
  const { root, blobs: parts } = siteOf({ 'a.md': 'a', 'b.md': 'b' })
  for (const bytes of parts.values()) await store(bytes)
  const rootOf = async (text: string) => cache.root(await store(Buffer.from(text)))
  expect((await cache.run(await rootOf(root), 0)).all().length).toBe(2)
  const other = await rootOf(root.replace('"count":2', '"count":1'))
  await expect(cache.run(other, 0)).rejects.toThrow('does not match the root')
})
