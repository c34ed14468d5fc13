/** Tests vectors with several processes: a worker that is killed, and the model on this machine. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findModel } from '@octavo/embeddings'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { CHILD_ENVIRONMENT } from '../../../../builder/testing/child-environment.ts'
import {
  type AssistantSite,
  GARDEN,
  modelAt,
  newAssistantSite,
  startAssistantService,
} from '../../../testing/assistant-site.ts'
import { builtSite } from '../../../testing/built-site.ts'
import { startEmbeddingServer } from '../../../testing/embedding-server.ts'
import { fastTempFolder } from '../../../testing/quick-folder.ts'
import { PEPPER_TEXT, type TestService } from '../../../testing/test-service.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'

const MAIN = join(import.meta.dirname, '../../main.ts')
const POLL = { interval: 200, timeout: 120_000 }

type Row = { readonly is_done: boolean; readonly passages: number; readonly embedded: number }
const rowsOf = (service: TestService, { project }: AssistantSite) =>
  service.owner.query<Row>(
    `select try_after is null and sha256 is not null as is_done, passages, embedded
       from deployment_vectors where project_id = $1 order by deployment_id`,
    [project.id],
  )

/** Returns the paths of the pages that the answer cites, best first. */
async function pagesFor(site: AssistantSite, question: string, scope?: string) {
  const headers = { accept: 'application/json' }
  const { text } = await site.ask(question, { headers, ...(scope && { body: { scope } }) })
  const { sources, nearest } = JSON.parse(text)
  return [...sources, ...nearest].map(({ url }: { url: string }) => new URL(url).pathname)
}

describe('a worker killed while embedding', () => {
  const folder = mkdtempSync(join(fastTempFolder(), 'octavo-vectors-kill-'))
  const workers = new Set<ChildProcess>()
  let server: Awaited<ReturnType<typeof startEmbeddingServer>>
  let service: TestService

  beforeAll(async () => {
    server = await startEmbeddingServer()
    service = await startAssistantService({
      blobStore: await openFolderStore(folder),
      vectors: { mode: 'remote', model: modelAt(server.url, { model: 'things' }) },
    })
  })
  afterAll(async () => {
    for (const worker of workers) worker.kill('SIGKILL')
    await service.stop()
    server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  function startWorker(): ChildProcess {
    const worker = spawn(process.execPath, [MAIN, '--role', 'worker'], {
      env: {
        ...CHILD_ENVIRONMENT,
        DATABASE_URL: service.settings.databaseUrl,
        OCTAVO_KEY_PEPPER: PEPPER_TEXT,
        OCTAVO_BLOBS: folder,
        OCTAVO_WORK_FOLDER: join(folder, 'work'),
        OCTAVO_ADMIN_PORT: '0',
        OCTAVO_VECTORS: 'remote',
        OCTAVO_VECTORS_URL: server.url,
        OCTAVO_VECTORS_MODEL: 'things',
      },
      stdio: 'inherit',
    })
    workers.add(worker)
    return worker
  }

  test('the vectors of a killed worker are computed again by another worker', async () => {
    const pages = Array.from({ length: 200 }, (_, page) => `p${page}`)
    const files = Object.fromEntries(
      pages.map((page) => [`${page}.mdx`, `---\ntitle: ${page}\n---\nThe text of ${page}.\n`]),
    )
    const navigation = { groups: [{ group: 'Care', pages: ['water', ...pages] }] }
    const many = await builtSite({
      'docs.json': JSON.stringify({ name: 'Many', navigation }),
      'water.mdx': GARDEN['water.mdx'],
      ...files,
    })
    server.answer(500)
    const site = await newAssistantSite(service, many)
    const first = startWorker()
    await vi.waitFor(() => expect(server.requests.length).toBeGreaterThan(2), POLL)
    first.kill('SIGKILL')
    expect(await rowsOf(service, site)).toEqual([])
    expect(await pagesFor(site, 'My seedlings look thirsty')).toEqual([])
    server.answer()
    startWorker()
    await vi.waitFor(
      async () => expect(await rowsOf(service, site)).toMatchObject([{ is_done: true }]),
      POLL,
    )
    expect((await pagesFor(site, 'My seedlings look thirsty'))[0]).toBe('/water')
  }, 240_000)
})

describe('the local model', async () => {
  const model = await findModel([import.meta.dirname])
  test.skipIf(typeof model === 'string')(
    'the local model embeds only English pages and finds one that shares no word with the question',
    async () => {
      const service = await startAssistantService({
        vectors: { mode: 'local', weightsFolder: undefined },
      })
      try {
        const language = (code: string) => ({
          language: code,
          groups: [{ group: 'G', pages: [`${code}/weather`, `${code}/start`] }],
        })
        const site = await newAssistantSite(
          service,
          await builtSite({
            'docs.json': JSON.stringify({
              name: 'Shop',
              navigation: { languages: [language('en'), language('de')] },
            }),
            'en/weather.mdx': '---\ntitle: Umbrellas\n---\nCarry one below dark clouds.\n',
            'en/start.mdx': '---\ntitle: Install\n---\nInstall the package with npm.\n',
            'de/weather.mdx': '---\ntitle: Schirme\n---\nBei dunklen Wolken mitnehmen.\n',
            'de/start.mdx': '---\ntitle: Installation\n---\nMit npm installieren.\n',
          }),
        )
        const question = 'What helps against rain?'
        expect(await pagesFor(site, question)).toEqual([])
        await service.service.startWorker()
        await vi.waitFor(
          async () =>
            expect(await rowsOf(service, site)).toEqual([
              { is_done: true, passages: 2, embedded: 2 },
            ]),
          POLL,
        )
        expect((await pagesFor(site, question))[0]).toBe('/en/weather')
        expect(await pagesFor(site, question, 'de')).toEqual([])
      } finally {
        await service.stop()
      }
    },
    240_000,
  )
})
