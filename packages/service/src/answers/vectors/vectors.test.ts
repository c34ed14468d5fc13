/**
 * Tests semantic search with a real service, real deployments and a fake embedding server on
 * loopback.
 */
import { globSync, mkdtempSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ModelBehavior, refuse } from '../../../../assistant/testing/model-server.ts'
import {
  type AssistantSite,
  GARDEN,
  modelAt,
  newAssistantSite,
  outcomeOf,
  startAssistantService,
} from '../../../testing/assistant-site.ts'
import { builtSite } from '../../../testing/built-site.ts'
import { type EmbeddingServer, startEmbeddingServer } from '../../../testing/embedding-server.ts'
import { fastTempFolder } from '../../../testing/quick-folder.ts'
import type { TestSite } from '../../../testing/test-deployment.ts'
import type { TestProject, TestService } from '../../../testing/test-service.ts'
import { runCommand } from '../../app/commands/run-command.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import { createLog } from '../../platform/telemetry/log.ts'
import { DeploymentService } from '../../publishing/deployments/deployment-service.ts'
import { PreviewStore } from '../../publishing/deployments/preview-store.ts'
import { DeploymentStore } from '../../publishing/deployments/store.ts'
import { BlobCache } from '../../reading/hosting/blob-cache.ts'
import { openAnswerParts } from '../assistant/open-assistant.ts'
import { createGapJob } from '../gaps/run-gaps.ts'
import { createDeploymentVectors } from './deployment-vectors.ts'
import { createVectorJob } from './embed-deployments.ts'
import { queueVectorWork } from './queue-vector-work.ts'
import { createTextEmbedder } from './text-embedder.ts'

/** A question that shares no words with the page that answers it. */
const QUESTION = 'My seedlings look thirsty'
const WATER_PAGE = /\/water$/

const blobsFolder = mkdtempSync(join(fastTempFolder(), 'octavo-vectors-'))
let blobs: BlobStore
let server: EmbeddingServer
let service: TestService
let garden: TestSite
let site: AssistantSite
let gapRounds: number

beforeAll(async () => {
  blobs = await openFolderStore(blobsFolder)
  server = await startEmbeddingServer()
  service = await startAssistantService({
    blobStore: blobs,
    blobs: { blobs: blobsFolder } as never,
    vectors: { mode: 'remote', model: modelAt(server.url, { model: 'things' }) },
  })
  garden = await builtSite(GARDEN)
})
afterAll(async () => {
  await service.stop()
  server.stop()
  rmSync(blobsFolder, { recursive: true, force: true })
})
beforeEach(async () => {
  server.answer()
  site = await newAssistantSite(service, garden)
  gapRounds = 0
})

const embedderOf = ({ settings }: TestService) => {
  const embedder = createTextEmbedder(settings.vectors, settings)
  if (embedder === undefined) throw new Error('vectors are off')
  return embedder
}

/** Creates the parts of a worker. */
function openWorker() {
  const { database } = service.service
  const { settings } = service
  const log = createLog((line) => service.log.push(line), Date.now)
  const cache = new BlobCache(blobs, 10_000_000)
  const embedder = embedderOf(service)
  const vectors = createDeploymentVectors({ database, blobs, embedder, log, now: Date.now })
  const parts = openAnswerParts({ settings, blobs, cache, vectors, log, now: Date.now })
  const { libraries } = parts
  const job = createVectorJob({
    database,
    blobs,
    cache,
    libraries,
    embedder,
    deploymentsOf: (tenant) =>
      new DeploymentService({
        store: new DeploymentStore(database.forProject(tenant)),
        previews: new PreviewStore(database.forProject(tenant)),
        blobs,
        siteUrlOf: () => undefined,
        previewUrlOf: () => undefined,
        prepareWebhook: async () => undefined,
        onReleased: async () => {},
        now: Date.now,
      }),
    queueAgain: async () => {},
    onEmbedded: async () => {
      gapRounds += 1
    },
    now: Date.now,
    log,
  })
  const gapJob = createGapJob({
    database,
    parts,
    cache,
    notifyHost: async () => {},
    now: Date.now,
    log,
  })
  return { libraries, cache, job, gapJob }
}

/** Runs one round of the job, as a worker does. */
async function runRound(signal = new AbortController().signal): Promise<void> {
  await openWorker().job({ data: site.project.tenant, signal, finish: async () => {} })
}

type Row = {
  readonly deployment_id: string
  readonly sha256: Buffer | null
  readonly is_done: boolean
  readonly passages: number
  readonly embedded: number
}
const rowsOf = (project: TestProject = site.project) =>
  service.owner.query<Row>(
    `select deployment_id, sha256, try_after is null as is_done, passages, embedded
       from deployment_vectors where project_id = $1 order by deployment_id`,
    [project.id],
  )

/** Returns the URLs of the pages that the answer cites, best first. */
async function pagesFor(
  question: string,
  { asked = site, scope }: { asked?: AssistantSite; scope?: string } = {},
): Promise<string[]> {
  const headers = { accept: 'application/json' }
  const { text } = await asked.ask(question, { headers, ...(scope && { body: { scope } }) })
  const { sources, nearest } = JSON.parse(text)
  return [...sources, ...nearest].map(({ url }: { url: string }) => url)
}

describe('questions that share no word with a page', () => {
  test('a page is found by a question without shared words as soon as its vectors exist', async () => {
    expect(await pagesFor(QUESTION)).toEqual([])
    await runRound()
    expect((await pagesFor(QUESTION))[0]).toMatch(WATER_PAGE)
    const [row] = await rowsOf()
    expect(row).toMatchObject({ deployment_id: site.deployment, is_done: true })
    expect(row?.embedded).toBe(row?.passages)
    expect(gapRounds).toBe(1)
  })

  test('a question is embedded only once for all searches of its answer', async () => {
    await runRound()
    server.answer()
    await pagesFor('Is it irrigated?')
    expect(server.texts()).toEqual(['Is it irrigated?'])
  })
})

describe('vectors of deployments', () => {
  test('a deployment is live before its vectors exist, and the job that computes them is queued', async () => {
    const jobs = await service.owner.query(
      `select from jobs.job where name = 'vectors' and singleton_key = $1 and state = 'created'`,
      [site.project.tenant.projectId],
    )
    expect(jobs).toHaveLength(1)
    expect(await rowsOf()).toEqual([])
    expect(server.texts()).toEqual([])
  })

  test('a deployment that changes one section embeds only that section', async () => {
    await runRound()
    const [first] = await rowsOf()
    server.answer()
    const text = GARDEN['soil.mdx'].replace('heavy', 'very heavy')
    await site.client.deploy(await builtSite({ ...GARDEN, 'soil.mdx': text }))
    await runRound()
    expect(server.texts()).toEqual([expect.stringContaining('very heavy soil')])
    const [, second] = await rowsOf()
    expect(second).toMatchObject({ is_done: true, embedded: 1, passages: first?.passages })
    expect((await pagesFor(QUESTION))[0]).toMatch(WATER_PAGE)
  })

  test('a deployment without changes embeds nothing', async () => {
    await runRound()
    server.answer()
    await site.client.deploy(garden)
    await runRound()
    expect(server.texts()).toEqual([])
    const [first, second] = await rowsOf()
    expect(second?.sha256?.equals(first?.sha256 ?? Buffer.alloc(0))).toBe(true)
  })

  test('a preview gets vectors, unless it comes from a fork that was not approved', async () => {
    const { id } = await site.client.deploy(garden, { target: 'preview', branch: 'new' })
    await service.owner.query('update preview set runs_scripts = false where project_id = $1', [
      site.project.id,
    ])
    await runRound()
    expect((await rowsOf()).map(({ deployment_id }) => deployment_id)).toEqual([site.deployment])
    await service.owner.query('update preview set runs_scripts = true where project_id = $1', [
      site.project.id,
    ])
    await runRound()
    expect((await rowsOf()).map(({ deployment_id }) => deployment_id)).toContain(id)
  })

  test('a deployment whose assistant is turned off gets no vectors', async () => {
    const off = { ...JSON.parse(GARDEN['docs.json']), assistant: { enabled: false } }
    await site.client.deploy(await builtSite({ ...GARDEN, 'docs.json': JSON.stringify(off) }))
    await runRound()
    expect(server.texts()).toEqual([])
    expect(await rowsOf()).toMatchObject([{ sha256: null, is_done: false }])
  })
})

describe('the vectors job', () => {
  test('a job that was aborted is continued by the next one', async () => {
    const pages = Array.from({ length: 70 }, (_, page) => `p${page}`)
    const navigation = { groups: [{ group: 'Care', pages }] }
    const files = Object.fromEntries(
      pages.map((page) => [`${page}.mdx`, `---\ntitle: ${page}\n---\nWater for ${page}.\n`]),
    )
    await site.client.deploy(
      await builtSite({ 'docs.json': JSON.stringify({ name: 'Many', navigation }), ...files }),
    )
    const stopped = new AbortController()
    const embed: ModelBehavior = (response, body) => {
      const { input } = body as { readonly input: readonly string[] }
      const data = input.map((_, index) => ({ index, embedding: [1, 2, 3] }))
      response.end(JSON.stringify({ data }))
    }
    // Stop the worker during its second request.
    server.behave(embed, () => stopped.abort(), embed)
    await runRound(stopped.signal)
    const [halfway] = await rowsOf()
    expect(halfway).toMatchObject({ is_done: false, passages: 70, embedded: 32 })
    expect(gapRounds).toBe(0)
    server.behave(embed)
    await runRound()
    expect(await rowsOf()).toMatchObject([{ is_done: true, passages: 70, embedded: 70 }])
    expect(server.texts()).toHaveLength(38)
    expect(gapRounds).toBe(1)
  })

  test('a job waits after a failure of the server, and a sweep finds deployments without vectors', async () => {
    const sent: string[] = []
    const send = async (_: string, { projectId = '' }: { projectId?: string }) => {
      sent.push(projectId)
    }
    const sweep = async () => {
      sent.length = 0
      const { database } = service.service
      await queueVectorWork(database, { send }, embedderOf(service).model)
      return sent.includes(site.project.id)
    }
    expect(await sweep()).toBe(true)
    server.behave(refuse(400))
    await runRound()
    expect(await rowsOf()).toMatchObject([{ sha256: null, is_done: false }])
    expect(await sweep()).toBe(false)
    expect(outcomeOf(await site.ask('When do I turn on the hose?'))).toMatchObject({
      status: 'answered',
    })
    await service.owner.query('update deployment_vectors set try_after = now()')
    expect(await sweep()).toBe(true)
    server.answer()
    await runRound()
    expect(await rowsOf()).toMatchObject([{ is_done: true }])
    expect(await sweep()).toBe(false)
  })

  test('all passages are embedded again for another model', async () => {
    await runRound()
    await service.owner.query(`update deployment_vectors set model = 'another'`)
    expect(await pagesFor(QUESTION)).toEqual([])
    server.answer()
    await runRound()
    expect(server.texts().length).toBeGreaterThan(2)
    expect((await pagesFor(`${QUESTION}!!`))[0]).toMatch(WATER_PAGE)
  })
})

describe('stored vectors', () => {
  const age = async (hours: number) => {
    const by = `interval '${hours} hours'`
    await service.owner.query(`update project_blob set stored_at = stored_at - ${by}`)
    await service.owner.query(
      `update deployment set finished_at = finished_at - ${by}, collected_at = null`,
    )
    for (const name of globSync('??/*', { cwd: blobsFolder })) {
      const file = join(blobsFolder, name)
      const then = statSync(file).mtimeMs / 1_000 - hours * 3_600
      utimesSync(file, then, then)
    }
  }
  const octavo = (...args: readonly string[]) =>
    runCommand(args, { settings: service.settings, print: () => {}, now: Date.now })
  const blobOf = async () => (await rowsOf())[0]?.sha256?.toString('hex') ?? ''

  test('vectors are deleted together with their deployment', async () => {
    // Use text that no other test uses, since other projects keep their blobs.
    const own = { ...GARDEN, 'soil.mdx': '---\ntitle: Soil\n---\nNobody else has this earth.\n' }
    const { id } = await site.client.deploy(await builtSite(own))
    await runRound()
    const sha256 = await blobOf()
    await age(30)
    await octavo('blobs', 'collect')
    expect(await blobs.hasMany([sha256])).toEqual(new Set([sha256]))
    await octavo('deployment', 'remove', site.project.publicId, id, '--reason', 'test')
    expect(await rowsOf()).toEqual([])
    await runRound()
    expect(await rowsOf()).toEqual([])
    await age(30)
    await octavo('blobs', 'collect')
    expect(await blobs.hasMany([sha256])).toEqual(new Set())
  })

  test('vectors count toward the storage of the organization, and are not stored when it is full', async () => {
    await service.owner.query('update organization set storage_bytes_max = 1 where id = $1', [
      site.project.tenant.organizationId,
    ])
    await runRound()
    expect(await rowsOf()).toMatchObject([{ sha256: null, is_done: false }])
    expect(outcomeOf(await site.ask('When do I turn on the hose?'))).toMatchObject({
      status: 'answered',
    })
  })

  test('a reader does not find restricted pages through their vectors', async () => {
    const secret = {
      ...GARDEN,
      'docs.json': GARDEN['docs.json'].replace('"soil"', '"soil", "vault"'),
      'vault.mdx': '---\ntitle: Vault\ngroups: [staff]\n---\nThe vault opens with 12-34-56.\n',
    }
    await site.client.deploy(await builtSite(secret))
    await runRound()
    // The vectors of all pages, including restricted ones, are in one blob.
    expect(server.texts().some((text) => text.includes('12-34-56'))).toBe(true)
    const found = await pagesFor('Tell me the safe combination')
    expect(found.length).toBeGreaterThan(0)
    expect(found.join(' ')).not.toContain('vault')
    const search = async (...groups: string[]) => {
      const { libraries, cache } = openWorker()
      const { live = '' } = await new DeploymentStore(
        service.service.database.forProject(site.project.tenant),
      ).publication()
      const [row] = await service.owner.query<{ root: Buffer }>(
        'select root from deployment where id = $1',
        [live],
      )
      const digest = row?.root.toString('hex') ?? ''
      const library = await libraries.library({
        tenant: site.project.tenant,
        deploymentId: live ?? '',
        digest,
        root: await cache.root(digest),
        reader: { hasSiteAccess: true, groups: new Set(groups) },
        scope: undefined,
      })
      const sections = await library.search('Tell me the safe combination', 10)
      return sections.map(({ section }) => section.page.url)
    }
    expect((await search('staff'))[0]).toBe('/vault')
    expect(await search('other')).not.toContain('/vault')
  })

  test('a search in one language does not find pages of another language through their vectors', async () => {
    const language = (code: string) => ({
      language: code,
      groups: [{ group: 'Care', pages: [`${code}/water`, `${code}/soil`] }],
    })
    const files = {
      'docs.json': JSON.stringify({
        name: 'Garden',
        navigation: { languages: [language('en'), language('de')] },
      }),
      'en/water.mdx': GARDEN['water.mdx'],
      'en/soil.mdx': GARDEN['soil.mdx'],
      'de/water.mdx': '---\ntitle: Wasser\n---\nJeden Morgen (irrigation) einschalten.\n',
      'de/soil.mdx': '---\ntitle: Erde\n---\nHumus untermischen.\n',
    }
    const two = await newAssistantSite(service, await builtSite(files))
    site = two
    await runRound()
    const found = await pagesFor(QUESTION, { asked: two })
    expect(found[0]).toMatch(/\/en\/water$/)
    expect(found.join(' ')).not.toContain('/de/')
    const urls = await pagesFor(QUESTION, { asked: two, scope: 'de' })
    expect(urls[0]).toMatch(/\/de\/water$/)
    expect(urls.join(' ')).not.toContain('/en/')
  })
})

test('gaps are asked in a new deployment when its vectors exist, or after an hour without them', async () => {
  const runGaps = async () => {
    const { signal } = new AbortController()
    await openWorker().gapJob({ data: site.project.tenant, signal, finish: async () => {} })
    const [gap] = await service.owner.query<{
      checked_deployment_id: string | null
      is_waiting: boolean
    }>(
      `select checked_deployment_id, exists (select from gap_work w where w.project_id = g.project_id) as is_waiting
         from gap g where project_id = $1`,
      [site.project.id],
    )
    return gap
  }
  const deploySoil = async (word: string) => {
    const text = GARDEN['soil.mdx'].replace('heavy', word)
    return (await site.client.deploy(await builtSite({ ...GARDEN, 'soil.mdx': text }))).id
  }
  await runRound()
  expect(await pagesFor('Greenhouse heating?')).toBeDefined()
  expect(await runGaps()).toEqual({ checked_deployment_id: null, is_waiting: false })
  const second = await deploySoil('light')
  expect(await runGaps()).toEqual({ checked_deployment_id: null, is_waiting: true })
  await runRound()
  expect(await runGaps()).toEqual({ checked_deployment_id: second, is_waiting: false })
  const third = await deploySoil('dark')
  await service.owner.query(
    `update deployment set published_at = now() - interval '2 hours', finished_at = now() - interval '2 hours'
      where project_id = $1`,
    [site.project.id],
  )
  expect(await runGaps()).toEqual({ checked_deployment_id: third, is_waiting: false })
})

// These tests run last, because the service does not use the server for a while after a failure.
describe('an unavailable embedding server', () => {
  test('questions are answered with word search, and the log does not contain them', async () => {
    await runRound()
    server.behave(refuse(400))
    const outcome = outcomeOf(await site.ask('When do I turn on the hose?'))
    expect(outcome).toMatchObject({ status: 'answered' })
    expect(service.log.join('')).toContain('a question was not embedded')
    expect(service.log.join('')).not.toContain('turn on the hose')
  })
})
