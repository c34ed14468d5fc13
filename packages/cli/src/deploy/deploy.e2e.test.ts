/**
 * Tests `octavo deploy` with a real service and database, and requests the deployed sites as a
 * reader.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mediaType, parseManifestRoot, parseManifestRun } from '@octavo/model'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHILD_ENVIRONMENT } from '../../../builder/testing/child-environment.ts'
import {
  freePort,
  type RunningPostgres,
  startPostgres,
} from '../../../service/testing/start-postgres.ts'
import { LoopbackGithub, runJob } from '../../testing/loopback-github.ts'
import { WrittenSite } from '../../testing/preview/running-preview.ts'
import { systemClock } from '../context/system-clock.ts'
import { run } from '../run.ts'

const CHROMIUM = '/usr/bin/chromium'
const SERVICE = join(import.meta.dirname, '../../../service/src/main.ts')
const SLUG = 'plants'

const siteFiles = (version: string) => ({
  'docs.json': JSON.stringify({
    name: 'Plants',
    colors: { primary: version === 'even' ? '#0D9373' : '#93370D' },
    navigation: {
      groups: [
        { group: 'Start', pages: ['index', 'guides/water'] },
        { group: 'API', openapi: 'api.yaml' },
      ],
    },
    redirects: [{ source: '/old', destination: '/guides/water' }],
  }),
  'index.mdx': `---\ntitle: Welcome\n---\n\nThis is version ${version}.\n`,
  'guides/water.mdx': '---\ntitle: Water\n---\n\n## How much\n\nA rhododendron needs a lot.\n',
  'api.yaml': `openapi: 3.1.0
info: { title: Plants, version: '1' }
servers: [{ url: https://api.example.com }]
paths:
  /plants:
    get: { summary: List plants, responses: { '200': { description: All. } } }
`,
})

let postgres: RunningPostgres
let blobs: string
let environment: Record<string, string>
let site: WrittenSite
let project: string
let apiKey: string
let port: number
let otherPort: number
/** Environment variables of a CI job. */
let variables: Readonly<Record<string, string>> = {}
let issuerUrl: string
const processes: ChildProcess[] = []

/** Acts as GitHub for a CI job: signs an identity token for the requested audience. */
const jobKeys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const issuer = createServer((incoming, response) => {
  // The operator's commands block this process, so a persistent connection would time out.
  response.setHeader('connection', 'close')
  const { pathname, searchParams } = new URL(incoming.url ?? '', issuerUrl)
  const reply = (value: object) => response.end(JSON.stringify(value))
  if (pathname === '/keys') {
    const jwk = { ...jobKeys.publicKey.export({ format: 'jwk' }), kid: 'job', alg: 'RS256' }
    return reply({ keys: [jwk] })
  }
  if (pathname !== '/token') return reply({ issuer: issuerUrl, jwks_uri: `${issuerUrl}/keys` })
  if (incoming.headers.authorization !== 'Bearer of-the-runner')
    return response.writeHead(401).end()
  return reply({ value: identityFor(searchParams.get('audience') ?? '') })
})

function identityFor(aud: string): string {
  const seconds = Math.floor(Date.now() / 1_000)
  const claims = { repository: 'team/docs', ref: 'refs/heads/main' }
  const parts = [
    { alg: 'RS256', kid: 'job' },
    { iss: issuerUrl, aud, iat: seconds, exp: seconds + 300, ...claims },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  const signature = sign('sha256', Buffer.from(parts.join('.')), jobKeys.privateKey)
  return [...parts, signature.toString('base64url')].join('.')
}

beforeAll(async () => {
  postgres = await startPostgres({ settings: { fsync: 'off' } })
  blobs = mkdtempSync(join(tmpdir(), 'octavo-blobs-'))
  ;[port, otherPort] = [await freePort(), await freePort()]
  issuer.listen(0, '127.0.0.1')
  await once(issuer, 'listening')
  issuerUrl = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`
  environment = {
    ...CHILD_ENVIRONMENT,
    DATABASE_OWNER_URL: postgres.url,
    DATABASE_URL: Object.assign(new URL(postgres.url), { username: 'plants_service' }).href,
    OCTAVO_KEY_PEPPER: 'a pepper for tests, 32 characters or more',
    OCTAVO_BLOBS: blobs,
    OCTAVO_URL: `http://127.0.0.1:${port}`,
    OCTAVO_SITES_DOMAIN: 'sites.localhost',
    OCTAVO_PREVIEWS_DOMAIN: 'previews.localhost',
    OCTAVO_ADMIN_PORT: '0',
    OCTAVO_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
    OCTAVO_OIDC_ISSUERS: `work=${issuerUrl}`,
  }
  command('migrate')
  const made = command('init', '--organization', 'Garden', '--project', SLUG, '--json')
  ;({ projectId: project, adminKey: apiKey } = JSON.parse(made))
  await Promise.all([start('all', port), start('host', otherPort)])
  site = new WrittenSite(siteFiles('odd'))
}, 120_000)
afterAll(async () => {
  for (const one of processes) one.kill('SIGKILL')
  issuer.closeAllConnections()
  issuer.close()
  site?.[Symbol.dispose]()
  await postgres?.stop()
  if (blobs !== undefined) rmSync(blobs, { recursive: true, force: true })
})

function command(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SERVICE, ...args], {
    env: environment,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

async function start(role: string, at: number): Promise<void> {
  const child = spawn(process.execPath, [SERVICE, '--role', role], {
    env: { ...environment, PORT: String(at) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  processes.push(child)
  await new Promise<void>((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('listening')) resolve()
    })
    child.once('exit', () => reject(new Error(`${role} ended`)))
  })
}

const octavo = (...args: readonly string[]) =>
  octavoWith({ OCTAVO_API_KEY: apiKey, ...variables }, ...args)

function octavoWith(env: Record<string, string>, ...args: readonly string[]) {
  return runOctavo(env, [...args, '--project', project, '--service', `http://127.0.0.1:${port}`])
}

async function runOctavo(env: Record<string, string>, args: readonly string[]) {
  let out = ''
  let err = ''
  const code = await run({
    args,
    cwd: site.root,
    env: { NO_COLOR: '1', FORCE_COLOR: undefined, ...env },
    clock: systemClock,
    out: { write: (text) => (out += text) },
    err: { write: (text) => (err += text) },
  })
  return { code, out, err }
}

const write = (files: Readonly<Record<string, string>>) => {
  for (const [path, text] of Object.entries(files))
    writeFileSync(join(site.root, 'docs', path), text)
}

type Reply = { readonly status: number; readonly type: string; readonly bytes: Buffer }

function visit(path: string, at = port, host = `${SLUG}.sites.localhost:${port}`): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: at, path, headers: { host } }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          type: response.headers['content-type'] ?? '',
          bytes: Buffer.concat(pieces),
        }),
      )
    })
    sent.on('error', reject)
    sent.end()
  })
}

describe('octavo deploy', () => {
  test('octavo deploy --wait publishes the site and waits until readers get it (requirement S1)', async () => {
    const { code, out, err } = await octavo('deploy', 'docs', '--wait')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(
      new RegExp(
        `^✓ Deployment #\\d+ is live: http://${SLUG}\\.sites\\.localhost:${port}\\n  Sent (\\d+) of \\1 files, `,
      ),
    )
    for (const at of [port, otherPort])
      await expect
        .poll(async () => (await visit('/', at)).bytes.toString())
        .toContain('version odd')
  })

  test('every path in the manifest is served with the built bytes and media type', async () => {
    const folder = join(site.root, 'docs/.octavo/deploy')
    const read = (path: string) => readFileSync(join(folder, path))
    const parsed = parseManifestRoot(read('_octavo/manifest.json').toString())
    if (parsed.kind !== 'root') throw new Error(parsed.reason)
    let count = 0
    for (const [index, { sha256 }] of parsed.root.runs.entries()) {
      const text = read(`_octavo/manifest/${sha256}.json`).toString()
      const run = parseManifestRun(text, parsed.root, index)
      if (run.kind !== 'run') throw new Error(run.reason)
      for (const { path, access } of run.entries) {
        const reply = await visit(`/${encodeURI(path)}`)
        // Files with other access labels are meant for other hosts and are not served.
        if (typeof access === 'object') expect(reply.status, path).toBe(404)
        else {
          expect([reply.status, reply.type], path).toEqual([200, mediaType(path)])
          expect(reply.bytes.equals(read(path)), path).toBe(true)
        }
        count += 1
      }
    }
    expect(count).toBeGreaterThan(20)
    expect((await visit('/old')).status).toBe(308)
    expect((await visit('/nowhere')).status).toBe(404)
  })

  test('an unchanged site uploads no files, and an edited site can be deployed', async () => {
    expect((await octavo('deploy', 'docs')).out).toMatch(/\n {2}Sent 0 of \d+ files, 0\.0 kB\.\n$/)
    write({
      'guides/water.mdx': '---\ntitle: Water\n---\n\n## How much\n\nA rhododendron needs more.\n',
    })
    const { out } = await octavo('deploy', 'docs', '--json')
    expect(JSON.parse(out)).toMatchObject({
      state: 'live',
      url: `http://${SLUG}.sites.localhost:${port}`,
    })
  })

  test('a broken link is reported and does not stop a deployment', async () => {
    write({ 'index.mdx': '---\ntitle: Welcome\n---\n\n[x](/nowhere)\n' })
    const { code, out } = await octavo('deploy', 'docs', '--draft')
    expect(code).toBe(0)
    expect(out).toContain('The site has 1 error and 0 warnings. `octavo check` lists them.')
  })

  test('an unknown component stops a deployment, and the last lines say how to deploy anyway', async () => {
    write({ 'index.mdx': '---\ntitle: Welcome\n---\n\n<Crad />\n' })
    const broken = await octavo('deploy', 'docs')
    expect(broken.code).toBe(1)
    expect(broken.out).toContain('content/unknown-component')
    expect(broken.err).toMatch(/^Nothing was deployed: 1 problem stops the deployment\.\n/)
    for (const way of ['--allow-errors', '--write-baseline', 'failOn'])
      expect(broken.err).toContain(way)
    expect((await octavo('deploy', 'docs', '--draft', '--allow-errors')).code).toBe(0)
  })

  test('the problems of a prebuilt folder stop its deployment too', async () => {
    write({ 'index.mdx': '---\ntitle: Welcome\n---\n\n<Crad />\n\n[x](/nowhere)\n' })
    expect((await runOctavo({}, ['build', 'docs', '-o', 'built'])).code).toBe(1)
    const refused = await octavo('deploy', '--prebuilt', 'built')
    expect(refused.code).toBe(1)
    expect(refused.err).toContain('  error  content/unknown-component: 1\n')
    expect(refused.err).toContain('Nothing was deployed')
    const sent = await octavo('deploy', '--prebuilt', 'built', '--draft', '--allow-errors')
    expect(sent.code).toBe(0)
    expect(sent.out).toContain('The site has 2 errors and 0 warnings.')
  })

  test('known problems do not stop a deployment, even of a prebuilt folder, and are counted', async () => {
    write({ 'index.mdx': '---\ntitle: Welcome\n---\n\n<Crad />\n' })
    const baseline = await runOctavo({}, ['check', 'docs', '--write-baseline'])
    expect(baseline.code).toBe(0)
    const sent = await octavo('deploy', 'docs', '--draft')
    expect(sent.code).toBe(0)
    const known = 'The site has 0 errors and 0 warnings. 1 known (octavo-baseline.json).\n'
    expect(sent.out).toContain(known)
    const built = await runOctavo({}, ['build', 'docs', '-o', 'built'])
    expect([built.code, built.out]).toEqual([0, expect.stringContaining('1 known')])
    const prebuilt = await octavo('deploy', '--prebuilt', 'built', '--draft')
    expect(prebuilt.code).toBe(0)
    expect(prebuilt.out).toContain(known)
    rmSync(join(site.root, 'docs/octavo-baseline.json'))
  })

  test('octavo deploy reports a site that asks for sign-in, a draft, an unbuilt folder and a wrong key', async () => {
    const config = JSON.parse(siteFiles('odd')['docs.json'])
    write({ ...siteFiles('odd'), 'docs.json': JSON.stringify({ ...config, auth: {} }) })
    expect(await octavo('deploy', 'docs')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/asks readers to sign in, but everyone .*octavo deploy --public/s),
    })
    expect((await octavo('deploy', 'docs', '--draft', '--public')).code).toBe(0)
    write(siteFiles('odd'))
    expect((await octavo('deploy', 'docs', '--draft')).out).toContain(
      'It is a draft, so it is not published.',
    )
    const folder = await octavo('deploy', '--prebuilt', 'docs')
    expect(folder).toMatchObject({
      code: 1,
      err: expect.stringContaining('was not written by `octavo build`'),
    })
    const right = apiKey
    apiKey = `${right.slice(0, -1)}${right.endsWith('x') ? 'y' : 'x'}`
    expect(await octavo('deploy', 'docs')).toMatchObject({
      code: 1,
      err: expect.stringContaining('The service refused the request (401)'),
    })
    apiKey = right
  })

  test('the error for a file that is too large names the file', async () => {
    const video = 'a-video.mp4'
    write({ [video]: 'v'.repeat(100 * 1024 * 1024 + 1) })
    const { code, err } = await octavo('deploy', 'docs')
    rmSync(join(site.root, 'docs', video))
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/^octavo: a-video\.mp4: /),
    })
  })

  test('a prebuilt folder is deployed, and its tampered files are not served', async () => {
    await site.octavo('build', 'docs', '-o', 'dist')
    expect((await octavo('deploy', '--prebuilt', 'dist')).code).toBe(0)
    await site.octavo('build', 'docs', '-o', 'dist')
    writeFileSync(join(site.root, 'dist/index.html'), '<script>alert(1)</script>')
    write({ 'index.mdx': '---\ntitle: Welcome\n---\n\nNew words.\n' })
    const changed = await octavo('deploy', '--prebuilt', 'dist')
    // The service already has the content with this digest, so the changed file is not read.
    expect(changed.code).toBe(0)
    expect((await visit('/')).bytes.toString()).not.toContain('alert(1)')
  })
})

describe('octavo deploy --preview', () => {
  const textOf = async (url: string) => (await visit('/', port, new URL(url).host)).bytes.toString()
  const preview = async (...args: readonly string[]) => {
    const { out } = await octavo('deploy', 'docs', '--preview', '--wait', '--json', ...args)
    return JSON.parse(out)
  }

  test('a branch preview keeps its URL and does not change the site', async () => {
    write(siteFiles('next'))
    const { code, out } = await octavo('deploy', 'docs', '--preview', '--branch', 'Next', '--wait')
    expect(code).toBe(0)
    const [, url = ''] =
      /^✓ Deployment #\d+ is the preview of Next: (\S+)\n {2}Sent /.exec(out) ?? []
    expect(url).toMatch(/^http:\/\/plants-next-[a-z2-7]{20}\.previews\.localhost:\d+$/)
    expect(await textOf(url)).toContain('version next')
    expect((await visit('/')).bytes.toString()).not.toContain('version next')
    write(siteFiles('later'))
    const later = await preview('--branch', 'Next')
    expect(later).toEqual({
      id: expect.any(String),
      number: expect.any(Number),
      state: 'ready',
      url,
    })
    expect(await textOf(url)).toContain('version later')
  })

  test('the branch of a preview comes from CI variables, and a preview without a branch is rejected', async () => {
    expect(await octavo('deploy', 'docs', '--preview')).toEqual({
      code: 2,
      out: '',
      err: 'octavo: The branch of the preview is unknown. Add --branch <name>.\n',
    })
    variables = { GITHUB_HEAD_REF: 'from-ci', GITHUB_REF_NAME: '7/merge' }
    expect((await preview()).url).toContain('plants-from-ci-')
    variables = {}
  })

  test('a preview is listed with its branch until it is deleted', async () => {
    const { out } = await octavo('deployments', 'previews')
    expect(out).toMatch(
      /^BRANCH {3,}ENDS \(UTC\) {2,}URL\nfrom-ci {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}http/,
    )
    const gone = await octavo('deployments', 'delete-preview', 'from-ci')
    expect(gone.out).toMatch(/^✓ The preview of from-ci is deleted: http:\/\/plants-from-ci-/)
    expect(await octavo('deployments', 'delete-preview', 'from-ci')).toMatchObject({
      code: 1,
      err: 'octavo: The branch "from-ci" has no preview.\n',
    })
  })
})

describe('octavo deployments', () => {
  const ids: string[] = []
  const numbers: number[] = []
  const site = (pages: readonly string[]) => ({
    'docs.json': JSON.stringify({ name: 'Plants', navigation: { pages } }),
    ...Object.fromEntries(
      pages.map((page) => [`${page}.mdx`, `---\ntitle: ${page}\n---\n\nText.\n`]),
    ),
  })
  const deployed = async (...args: readonly string[]) => {
    const { id, number } = JSON.parse((await octavo('deploy', 'docs', '--json', ...args)).out)
    ids.push(id)
    numbers.push(number)
    return id as string
  }

  test('octavo deployments lists deployments and their state, newest first', async () => {
    write(site(['index']))
    await deployed('--message', 'First')
    write(site(['index', 'soil']))
    await deployed('--message', 'Second', '--branch', 'main')
    const { code, out } = await octavo('deployments')
    const [head, second, first] = out.split('\n')
    expect(code).toBe(0)
    expect(head).toMatch(/^NUMBER {2}STATE +CREATED \(UTC\) +BRANCH +MESSAGE$/)
    expect(second).toMatch(new RegExp(`^${numbers[1]} +live  .*  main  +Second$`))
    expect(first).toMatch(new RegExp(`^${numbers[0]} +superseded  .*  First$`))
    const json = await octavo('deployments', 'list', '--json')
    expect(JSON.parse(json.out).deployments[0]).toMatchObject({ id: ids[1], state: 'live' })
  })

  test('a rollback publishes the previously live deployment and locks the project', async () => {
    const back = await octavo('deployments', 'rollback', '--wait')
    expect(back).toMatchObject({ code: 0, err: '' })
    expect(back.out).toBe(
      `✓ Rolled back to #${numbers[0]} First: http://plants.sites.localhost:${port}
  The project is locked: Rolled back to #${numbers[0]} First.
  New deployments are not published until you run \`octavo deployments unlock\`.
`,
    )
    expect((await visit('/soil')).status).toBe(404)
    expect((await octavo('deploy', 'docs')).out).toContain('The project is locked, so it is not')
    expect((await octavo('deployments')).out).toContain(
      `locked: Rolled back to #${numbers[0]} First.`,
    )
    expect((await octavo('deployments', 'unlock')).out).toBe(
      '✓ The project is unlocked. The next deployment is published.\n',
    )
    const newer = await octavo('deployments', 'rollback', String(numbers[1]))
    expect(newer).toMatchObject({ code: 1, err: expect.stringContaining('is not older than') })
    expect((await octavo('deployments', 'publish', `#${numbers[1]}`, '--wait')).out).toBe(
      `✓ Deployment #${numbers[1]} is live: http://plants.sites.localhost:${port}\n`,
    )
    expect((await visit('/soil')).status).toBe(200)
  })

  test('a rollback skips a deployment that was itself rolled back', async () => {
    await octavo('deployments', 'rollback')
    await octavo('deployments', 'unlock')
    write(site(['index', 'light']))
    await deployed('--message', 'Third')
    const { out } = await octavo('deployments', 'rollback', '--json')
    expect(JSON.parse(out)).toEqual({
      live: ids[0],
      liveNumber: numbers[0],
      lockReason: `Rolled back to #${numbers[0]} First`,
    })
    await octavo('deployments', 'unlock')
  })

  test('octavo deployments diff compares a deployment with the live one or another one', async () => {
    const { out } = await octavo('deployments', 'diff')
    const [first, ...lines] = out.trimEnd().split('\n')
    expect(first).toBe(`Deployment #${numbers[2]} compared with #${numbers[0]} (live):`)
    expect(lines.slice(0, -1)).toEqual(['  added  /light', '  added  /soil'])
    expect(lines.at(-1)).toMatch(/^ {2}Files: \d+ added, \d+ changed, \d+ removed\.$/)
    const compareArgs = ['diff', String(numbers[2]), '--base', ids[1] ?? ''] as const
    const other = await octavo('deployments', ...compareArgs, '--json')
    expect(JSON.parse(other.out)).toMatchObject({
      id: ids[2],
      base: ids[1],
      pages: { added: ['/light'], removed: [] },
    })
  })

  test('a lock has a reason, and publishing a deployment that does not exist fails', async () => {
    const locked = await octavo('deployments', 'lock', '--reason', 'Release \u001b[31mfreeze.')
    expect(locked.out).toMatch(
      /^The project is locked: Release \ufffd\[31mfreeze\.\nNew deployments/,
    )
    await octavo('deployments', 'unlock')
    expect((await octavo('deployments', 'publish', '999')).err).toBe(
      'octavo: There is no deployment #999.\n',
    )
    expect(await octavo('deployments', 'publish', '../x')).toEqual({
      code: 1,
      out: '',
      err: 'octavo: The service refused the request (404): This deployment does not exist.\n',
    })
  })
})

describe.skipIf(!existsSync(CHROMIUM))(`hosted site in a browser (needs ${CHROMIUM})`, () => {
  test('a hosted site loads, its search works, and no request violates its content security policy', async () => {
    write(siteFiles('odd'))
    await octavo('deploy', 'docs', '--wait')
    const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
    const browser = await chromium.launch({ executablePath: CHROMIUM, args })
    try {
      const page = await browser.newPage()
      const wrong: string[] = []
      page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()))
      page.on(
        'response',
        (reply) => reply.status() >= 400 && wrong.push(`${reply.status()} ${reply.url()}`),
      )
      await page.goto(`http://${SLUG}.sites.localhost:${port}/`)
      await page.getByText('This is version odd.').waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('rhododendron')
      await page.getByRole('option').first().waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.pathname === '/guides/water')
      await page.goto(`http://${SLUG}.sites.localhost:${port}/api-reference/list-plants`)
      await page.getByRole('button', { name: 'Try it' }).first().click()
      await page.getByRole('dialog').getByRole('button', { name: 'Send' }).waitFor()
      expect(wrong).toEqual([])
    } finally {
      await browser.close()
    }
  })
})

describe('CI job without an API key', () => {
  const github = () => ({
    ACTIONS_ID_TOKEN_REQUEST_URL: `${issuerUrl}/token?api-version=2.0`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-runner',
  })

  test('a CI job can deploy once the project trusts its repository', async () => {
    const refused = await octavoWith(github(), 'deploy', 'docs')
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining('does not trust work:team/docs@main'),
    })
    command('project', 'set', project, '--trust', 'work:team/docs@main')
    expect(await octavoWith(github(), 'deploy', 'docs')).toMatchObject({ code: 0, err: '' })
    // GitLab passes the token in a variable.
    const OCTAVO_ID_TOKEN = identityFor(`http://127.0.0.1:${port}`)
    expect(await octavoWith({ OCTAVO_ID_TOKEN }, 'deploy', 'docs')).toMatchObject({ code: 0 })
  })

  test('a CI job can deploy previews and list deployments', async () => {
    const deployArgs = ['deploy', 'docs', '--preview', '--branch', 'by-job', '--wait']
    const { code, out } = await octavoWith(github(), ...deployArgs)
    expect([code, out]).toEqual([0, expect.stringContaining('is the preview of by-job: http')])
    const list = await octavoWith(github(), 'deployments', 'previews')
    expect([list.code, list.out]).toEqual([0, expect.stringContaining('by-job')])
  })

  test('the GitHub action comments on the pull request with the preview link, and sends the proof', async () => {
    const proof = {
      format: 'octavo-proof/1',
      octavo: 'of the job',
      date: new Date().toISOString(),
      runtimes: [],
      samples: [],
    }
    command('project', 'set', project, '--trust', 'work:team/docs')
    const loopback = new LoopbackGithub()
    await loopback.start()
    try {
      const service = `http://127.0.0.1:${port}`
      const { code, output } = await runJob({
        github: loopback,
        files: { ...siteFiles('even'), '../proof.json': JSON.stringify(proof) },
        from: 'team/docs',
        inputs: { command: 'deploy', service, project, proof: 'proof.json' },
        env: { ...github(), GITHUB_HEAD_REF: 'by-action' },
      })
      const [, url = ''] = /^url=(.*)$/m.exec(output) ?? []
      expect([code, url]).toEqual([0, expect.stringContaining('-by-action-')])
      expect(loopback.comments.map(({ body }) => body)).toEqual([
        expect.stringContaining(`| Preview | <${url}> |`),
      ])
      const [, id = ''] = /^deployment=(.*)$/m.exec(output) ?? []
      const path = `${service}/v1/projects/${project}/deployments/${id}/proof`
      const sent = await fetch(path, { headers: { authorization: `Bearer ${apiKey}` } })
      expect(await sent.json()).toMatchObject({ deployment: id, octavo: 'of the job', passed: 0 })
    } finally {
      loopback.stop()
    }
  })

  test('an invalid identity token is reported with the reason', async () => {
    const OCTAVO_ID_TOKEN = identityFor('https://other.example')
    const { code, err } = await octavoWith({ OCTAVO_ID_TOKEN }, 'deploy', 'docs')
    expect([code, err]).toEqual([1, expect.stringContaining('its audience is not the URL')])
    const broken = { ...github(), ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'wrong' }
    expect((await octavoWith(broken, 'deploy', 'docs')).err).toContain(
      'GitHub did not issue an identity token: status 401.',
    )
    expect(await octavoWith({}, 'deploy', 'docs')).toMatchObject({
      code: 2,
      err: expect.stringContaining('OCTAVO_API_KEY is not set.'),
    })
  })
})

test('while two versions of a site alternate, readers never get mixed versions or missing files', async () => {
  let isOver = false
  let loads = 0
  const seen = new Set<string>()
  const wrong: string[] = []
  const reader = async (number: number) => {
    while (!isOver) {
      const page = await visit('/', number % 2 === 0 ? port : otherPort)
      const html = page.bytes.toString()
      const [, version = ''] = /This is version (\w+)\./.exec(html) ?? []
      seen.add(version)
      const assets = [...html.matchAll(/(?:href|src)="(\/_octavo\/(?:styles|scripts)\/[^"]+)"/g)]
      for (const [, asset = ''] of assets) {
        // The file is requested from the other host, which may not know this deployment yet.
        const { status } = await visit(asset, number % 2 === 0 ? otherPort : port)
        if (status !== 200) wrong.push(`${version}: ${status} ${asset}`)
      }
      if (page.status !== 200 || assets.length === 0)
        wrong.push(`${page.status} ${html.slice(0, 80)}`)
      loads += 1
    }
  }
  const readers = Array.from({ length: 8 }, (_, number) => reader(number))
  for (let count = 0; count < 20; count += 1) {
    write(siteFiles(count % 2 === 0 ? 'even' : 'odd'))
    const { code, err } = await octavo('deploy', 'docs')
    expect({ code, err }).toEqual({ code: 0, err: '' })
  }
  isOver = true
  await Promise.all(readers)
  console.log(`20 deployments, ${loads} page loads`)
  expect(wrong).toEqual([])
  expect([...seen].toSorted()).toEqual(['even', 'odd'])
  expect(loads).toBeGreaterThan(20)
}, 180_000)

test.skipIf(!existsSync(CHROMIUM))(
  "the playground reaches an API without CORS through the host's proxy",
  async () => {
    // The API sends no CORS headers.
    const api = createServer((_, response) =>
      response.setHeader('content-type', 'text/plain').end('Fern'),
    )
    api.listen(0, '127.0.0.1')
    await once(api, 'listening')
    const origin = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
    const text = siteFiles('odd')['api.yaml'].replace('https://api.example.com', origin)
    write({ ...siteFiles('odd'), 'api.yaml': text })
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
    const sendFromPage = async () => {
      const page = await browser.newPage()
      await page.goto(`http://${SLUG}.sites.localhost:${port}/api-reference/list-plants`)
      await page.getByRole('button', { name: 'Try it' }).click()
      await page.getByRole('button', { name: 'Send' }).click()
      const outcome = page.locator('.oct-answer, .oct-try-problem').first()
      return (await outcome.textContent()) ?? ''
    }
    try {
      expect(await octavo('deploy', 'docs', '--wait')).toMatchObject({ code: 0, err: '' })
      expect(await sendFromPage()).not.toContain('Fern')
      command('project', 'set', project, '--playground-proxy', 'on')
      await expect
        .poll(async () => (await visit('/_octavo/version.json')).bytes.toString(), {
          timeout: 10_000,
        })
        .toContain('"proxy":true')
      expect(await sendFromPage()).toContain('Fern')
    } finally {
      await browser.close()
      api.closeAllConnections()
      api.close()
    }
  },
  120_000,
)
