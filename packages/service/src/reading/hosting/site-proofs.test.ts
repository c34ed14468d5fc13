/**
 * Tests proofs of request samples: `octavo test` and `octavo deploy --proof` send them, and the pages
 * of a site get them.
 */
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../../../cli/src/context/system-clock.ts'
import { run } from '../../../../cli/src/run.ts'
import { readerOf, startAssistantService } from '../../../testing/assistant-site.ts'
import { createTestReader } from '../../../testing/private-readers.ts'
import { clientOf, siteOf } from '../../../testing/test-deployment.ts'
import type { TestProject, TestService } from '../../../testing/test-service.ts'

const NOW = Date.now()
const RAN = new Date(NOW - 3 * 86_400_000).toISOString()

const ACCESS = { list: '{public: true}', inner: '{}', staff: '{groups: [staff]}' }
const operation = (name: keyof typeof ACCESS, code: string) => `  /${name}:
    get:
      summary: Get ${name}
      x-mint: {metadata: ${ACCESS[name]}}
      x-codeSamples: [{lang: curl, source: '${code}'}]
      responses: {'200': {description: All}}
`
const curl = (name: string, more = '') => `curl${more} https://api.example.com/${name}`
const specification = (more = '') => `openapi: 3.1.0
info: {title: Plants, version: '1'}
servers: [{url: https://api.example.com}]
paths:
${operation('list', curl('list', more))}${operation('inner', curl('inner'))}${operation('staff', curl('staff'))}`

const digest = (text: string) => createHash('sha256').update(text).digest('hex')
const shortOf = (text: string) => digest(text).slice(0, 12)
const PAGES = {
  list: 'api-reference/get-list',
  inner: 'api-reference/get-inner',
  staff: 'api-reference/get-staff',
}

const sample = (name: keyof typeof PAGES, outcome = 'passed', more = '') => ({
  specification: 'api.yaml',
  operation: `GET /${name}`,
  pages: [PAGES[name]],
  language: 'bash',
  origin: 'x-codeSamples',
  sha256: digest(curl(name, more)),
  outcome,
})
const proofOf = (...samples: readonly object[]) => ({
  format: 'octavo-proof/1',
  octavo: '0.1.0',
  date: RAN,
  runtimes: ['curl 8.5.0'],
  samples,
})
const ALL = proofOf(sample('list'), sample('inner'), sample('staff'))
const shown = (name: string, more = '') => ({
  date: RAN,
  passed: { bash: [shortOf(curl(name, more))] },
})

let service: TestService
let project: TestProject
let host: string
let folder: string
beforeAll(async () => {
  service = await startAssistantService()
})
afterAll(() => service.stop())

/** Each test has a project of its own. */
beforeEach(async () => {
  project = await service.createProject(SCOPES)
  const [row] = await service.owner.query<{ slug: string }>(
    'select slug from project where id = $1',
    [project.id],
  )
  host = `${row?.slug}.sites.localhost`
  folder = mkdtempSync(join(tmpdir(), 'octavo-proof-'))
  writeFileSync(
    join(folder, 'docs.json'),
    JSON.stringify({
      name: 'Plants',
      navigation: { groups: [{ group: 'API', openapi: 'api.yaml' }] },
    }),
  )
  writeFileSync(join(folder, 'api.yaml'), specification())
  return () => rmSync(folder, { recursive: true, force: true })
})

async function octavo(...args: readonly string[]) {
  let [out, err] = ['', '']
  const code = await run({
    args: [...args],
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      NO_COLOR: '1',
      FORCE_COLOR: undefined,
      OCTAVO_API_KEY: project.token,
    },
    clock: systemClock,
    out: { write: (text) => (out += text) },
    err: { write: (text) => (err += text) },
  })
  return { code, out, err }
}

const deploy = (...args: readonly string[]) =>
  octavo('deploy', '--project', project.publicId, '--service', service.url, ...args)

async function deployProof(proof: object, ...args: readonly string[]) {
  writeFileSync(join(folder, 'proof.json'), JSON.stringify(proof))
  return deploy('--proof', 'proof.json', ...args)
}

const client = () => clientOf(service.url, project)
const get = (path: string, headers = {}) =>
  readerOf(service.port, host).call('GET', path, { headers })
const proofAt = async (page: string, headers = {}) => {
  const { status, text } = await get(`/_octavo/proof/${page}.json`, headers)
  return status === 200 ? JSON.parse(text) : status
}
const live = async () => (await client().call('GET', '')).body.live as string

describe('octavo deploy --proof', () => {
  test('results of octavo test are sent with a deployment, and its pages get them', async () => {
    expect(await octavo('test', '-o', 'proof.json')).toMatchObject({ code: 0 })
    const { code, out, err } = await deploy('--proof', 'proof.json')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const { date } = JSON.parse(readFileSync(join(folder, 'proof.json'), 'utf8'))
    expect(out).toContain(
      `  Proof of ${date.slice(0, 10)}: 3 samples passed. It is shown on 3 pages.\n`,
    )
    expect(await proofAt(PAGES.list)).toEqual({ ...shown('list'), date })
    expect((await get(`/${PAGES.list}`)).text).toContain(
      `data-sample="bash ${shortOf(curl('list'))}"`,
    )
    expect((await get('/_octavo/host.js')).text).toContain('Sample ran {time}')
  })

  test('the manifest of a deployment is the same with and without a proof', async () => {
    await deploy()
    const roots = 'select distinct root from deployment where project_id = $1'
    await deployProof(ALL)
    expect(await service.owner.query(roots, [project.id])).toHaveLength(1)
  })

  test('failed samples and samples that did not run are counted and not shown', async () => {
    const { out } = await deployProof(
      proofOf(sample('list', 'failed'), sample('inner', 'not-run'), sample('staff')),
    )
    expect(out).toContain('1 sample passed, 1 failed, 1 did not run. It is shown on 1 page.')
    expect(await proofAt(PAGES.list)).toBe(204)
    const { body } = await client().call('GET', `/deployments/${await live()}/proof`)
    expect(body).toMatchObject({ date: RAN, passed: 1, failed: 1, notRun: 1, pages: 1 })
  })

  test.each([
    [
      'missing.json',
      undefined,
      'The file missing.json does not exist. `octavo test -o missing.json` writes it.',
    ],
    ['x.json', '{', 'x.json is not a result of `octavo test`: it is not JSON.'],
    [
      'x.json',
      '{}',
      'x.json is not a result of `octavo test`: `format`: Invalid input: expected "octavo-proof/1".',
    ],
  ])('a file that is no proof is reported before the build: %s %s', async (file, text, message) => {
    if (text !== undefined) writeFileSync(join(folder, file), text)
    expect(await deploy('--proof', file)).toEqual({ code: 2, out: '', err: `octavo: ${message}\n` })
  })
})

describe('proofs of later deployments', () => {
  test('pages of a later deployment without a proof show the last one', async () => {
    await deployProof(ALL)
    writeFileSync(join(folder, 'api.yaml'), specification(' --silent'))
    await deploy()
    // The page has another hash than its proof, so it shows that the sample has changed.
    expect((await get(`/${PAGES.list}`)).text).toContain(shortOf(curl('list', ' --silent')))
    expect(await proofAt(PAGES.list)).toEqual(shown('list'))
  })

  test('a new proof replaces the last one, and a rollback shows the earlier one again', async () => {
    await deployProof(ALL)
    writeFileSync(join(folder, 'api.yaml'), specification(' --silent'))
    await deployProof(proofOf(sample('list', 'passed', ' --silent')))
    expect(await proofAt(PAGES.list)).toEqual(shown('list', ' --silent'))
    const rollback = [
      'deployments',
      'rollback',
      '--project',
      project.publicId,
      '--service',
      service.url,
    ]
    expect(await octavo(...rollback)).toMatchObject({ code: 0 })
    await expect.poll(() => proofAt(PAGES.list), { timeout: 10_000 }).toEqual(shown('list'))
  })

  test('the site never shows the proof of a draft or a preview', async () => {
    await deployProof(ALL, '--draft')
    await deployProof(ALL, '--preview', '--branch', 'next')
    await deploy()
    expect(await proofAt(PAGES.list)).toBe(204)
    expect((await get('/_octavo/host.js')).text).not.toContain('Sample ran')
  })

  test('a preview shows its own proof, otherwise that of its branch or of the site', async () => {
    await deployProof(ALL)
    const previewHost = async () => {
      const { body } = await client().call('GET', '/previews')
      return new URL(body.previews[0].url).hostname
    }
    await deploy('--preview', '--branch', 'next')
    host = await previewHost()
    expect(await proofAt(PAGES.list)).toEqual(shown('list'))
    await deployProof(proofOf(sample('list', 'passed', ' -i')), '--preview', '--branch', 'next')
    await expect.poll(() => proofAt(PAGES.list), { timeout: 10_000 }).toEqual(shown('list', ' -i'))
    await deploy('--preview', '--branch', 'next')
    expect(await proofAt(PAGES.list)).toEqual(shown('list', ' -i'))
  })

  test('only the last 20 proofs of the site are kept', async () => {
    const site = siteOf({ 'index.html': 'Welcome' })
    const deployOne = async (more: object) => {
      const { id } = await client().deploy(site, more)
      expect(await client().call('PUT', `/deployments/${id}/proof`, ALL)).toMatchObject({
        status: 200,
      })
    }
    for (let count = 0; count < 21; count += 1) await deployOne({})
    await deployOne({ target: 'preview', branch: 'next' })
    const kept = await service.owner.query(
      `select min(d.number)::integer as first, count(*)::integer as count from sample_proof s
         join deployment d on d.project_id = s.project_id and d.id = s.deployment_id
        where d.project_id = $1 group by d.target order by d.target`,
      [project.id],
    )
    expect(kept).toEqual([
      { first: 22, count: 1 },
      { first: 2, count: 20 },
    ])
  })
})

describe('readers of a private site', () => {
  const readerIn = async (groups?: readonly string[]) =>
    (await createTestReader(service, host, groups && { project, groups })).headers
  const seenBy = async (headers: object) =>
    Promise.all(Object.values(PAGES).map((page) => proofAt(page, headers)))

  test('a reader gets the proofs of exactly those pages that they may read', async () => {
    await deployProof(ALL)
    await client().call('PUT', '/access', { mode: 'password', password: 'a password for tests' })
    const anonymous = await readerIn()
    await expect
      .poll(() => seenBy(anonymous), { timeout: 10_000 })
      .toEqual([shown('list'), 404, 404])
    expect(await seenBy(await readerIn([]))).toEqual([shown('list'), shown('inner'), 404])
    expect(await seenBy(await readerIn(['staff']))).toEqual([
      shown('list'),
      shown('inner'),
      shown('staff'),
    ])
  })

  test('a proof of a hidden page looks like that of a page that does not exist', async () => {
    await deployProof(ALL)
    const [hidden, unknown] = [
      await get(`/_octavo/proof/${PAGES.staff}.json`),
      await get('/_octavo/proof/get-nothing.json'),
    ]
    expect(hidden.text).toBe(unknown.text)
    expect([hidden.status, unknown.status]).toEqual([404, 404])
    expect(hidden.headers['cache-control']).toBe('no-store')
  })

  test('a path that names no page is not found', async () => {
    await deployProof(ALL)
    const paths = [
      PAGES.list,
      `${PAGES.list}/.json`,
      `../${PAGES.list}.json`,
      '%2e%2e/docs.json',
      '.json',
      'api.yaml.json',
      '%zz.json',
    ]
    for (const path of paths) expect((await get(`/_octavo/proof/${path}`)).status, path).toBe(404)
  })
})

describe('the route for proofs', () => {
  const put = async (body: object, id?: string) =>
    client().call('PUT', `/deployments/${id ?? (await live())}/proof`, body)

  test('a proof can be sent after the deployment, and replaces the first', async () => {
    await deploy()
    expect(await put(ALL)).toMatchObject({ status: 200, body: { passed: 3, pages: 3 } })
    expect(await put(proofOf(sample('list')))).toMatchObject({ body: { passed: 1, pages: 1 } })
    expect(await proofAt(PAGES.list)).toEqual(shown('list'))
  })

  test('a deployment without a proof has none', async () => {
    await deploy()
    expect(await client().call('GET', `/deployments/${await live()}/proof`)).toMatchObject({
      status: 404,
      body: { detail: 'No proof was sent with this deployment.' },
    })
  })

  test('a proof for a canceled deployment is rejected', async () => {
    await deploy('--draft')
    const [row] = await service.owner.query<{ id: string }>(
      `update deployment set state = 'cancelled' where project_id = $1 returning id`,
      [project.id],
    )
    expect(await put(ALL, row?.id)).toMatchObject({
      status: 409,
      body: { detail: 'Deployment #1 takes no proof: it is cancelled.' },
    })
  })

  test('samples may have run up to ten minutes in the future, as clocks differ', async () => {
    await deploy()
    const ranAt = (minutes: number) =>
      put({ ...ALL, date: new Date(Date.now() + minutes * 60_000).toISOString() })
    expect(await ranAt(9)).toMatchObject({ status: 200 })
    expect(await ranAt(11)).toMatchObject({
      status: 400,
      body: { detail: 'The samples cannot have run in the future.' },
    })
  })

  const many = (count: number) => ({ ...ALL, samples: Array(count).fill(sample('list')) })
  const onPages = (count: number) => ({ ...sample('list'), pages: Array(count).fill('get-list') })
  test.each([
    ['20,000 samples', many(20_000), 200],
    ['20,001 samples', many(20_001), 400],
    ['a sample on 20 pages', proofOf(onPages(20)), 200],
    ['a sample on 21 pages', proofOf(onPages(21)), 400],
    ['another format', { ...ALL, format: 'octavo-proof/2' }, 400],
    ['no date', { ...ALL, date: 'yesterday' }, 400],
    ['a hash in upper case', proofOf({ ...sample('list'), sha256: 'A'.repeat(64) }), 400],
    ['an unknown outcome', proofOf({ ...sample('list'), outcome: 'ok' }), 400],
    ['text that cannot be stored', proofOf({ ...sample('list'), pages: ['a\u0000'] }), 400],
    [
      'names of prototypes',
      proofOf({ ...sample('list'), pages: ['__proto__'], language: '__proto__' }),
      200,
    ],
    ['more properties', { ...ALL, added: true }, 200],
  ])('a proof with %s gets the expected response', async (_, body, status) => {
    const { body: created } = await client().create(siteOf({ 'index.html': 'Welcome' }))
    expect((await put(body, created.id)).status).toBe(status)
  })
})
