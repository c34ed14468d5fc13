/** `octavo deploy` to a real service with a real database, and what readers get from it. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mediaType, parseManifestRoot, parseManifestRun } from '@octavo/model'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  freePort,
  type RunningPostgres,
  startPostgres,
} from '../../../../scripts/start-postgres.ts'
import { systemClock } from '../context/system-clock.ts'
import { WrittenSite } from '../preview/testing/running-preview.ts'
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
const processes: ChildProcess[] = []

beforeAll(async () => {
  postgres = await startPostgres({ settings: { fsync: 'off' } })
  blobs = mkdtempSync(join(tmpdir(), 'octavo-blobs-'))
  ;[port, otherPort] = [await freePort(), await freePort()]
  environment = {
    PATH: process.env.PATH ?? '',
    DATABASE_OWNER_URL: postgres.url,
    DATABASE_URL: Object.assign(new URL(postgres.url), { username: 'plants_service' }).href,
    OCTAVO_KEY_PEPPER: 'a pepper for tests, 32 characters or more',
    OCTAVO_BLOBS: blobs,
    OCTAVO_URL: `http://127.0.0.1:${port}`,
    OCTAVO_SITES_DOMAIN: 'sites.localhost',
    OCTAVO_ADMIN_PORT: '0',
  }
  command('migrate')
  const made = command('init', '--organisation', 'Garden', '--project', SLUG, '--json')
  ;({ projectId: project, adminKey: apiKey } = JSON.parse(made))
  await Promise.all([start('all', port), start('host', otherPort)])
  site = new WrittenSite(siteFiles('odd'))
}, 120_000)
afterAll(async () => {
  for (const one of processes) one.kill('SIGKILL')
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

async function octavo(...args: readonly string[]) {
  let out = ''
  let err = ''
  const code = await run({
    args: [...args, '--project', project, '--service', `http://127.0.0.1:${port}`],
    cwd: site.root,
    env: { NO_COLOR: '1', FORCE_COLOR: undefined, OCTAVO_API_KEY: apiKey },
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

function visit(path: string, at = port): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const host = `${SLUG}.sites.localhost:${port}`
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
  test('publishes the site and waits until readers get it', async () => {
    const { code, out, err } = await octavo('deploy', 'docs', '--wait')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(
      new RegExp(
        `^✓ Deployment [0-9A-Z]{26} is live: http://${SLUG}\\.sites\\.localhost:${port}\\n  Sent \\d+ of \\d+ files, `,
      ),
    )
    for (const at of [port, otherPort])
      await expect
        .poll(async () => (await visit('/', at)).bytes.toString())
        .toContain('version odd')
  })

  test('every path of the manifest answers with the bytes and the type of the build', async () => {
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
        // Files for other hosts are for nobody.
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

  test('the same tree sends nothing; an edit sends what changed', async () => {
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

  test('a site with errors, a draft, a folder that was not built, a key that is wrong', async () => {
    write({ 'index.mdx': '---\ntitle: Welcome\n---\n\n[x](/nowhere)\n' })
    const broken = await octavo('deploy', 'docs')
    expect(broken).toMatchObject({ code: 1, err: 'Nothing was deployed: the site has errors.\n' })
    expect(broken.out).toContain('Broken link')
    write(siteFiles('odd'))
    expect((await octavo('deploy', 'docs', '--draft')).out).toContain(
      'It is a draft, so it is not published.',
    )
    const folder = await octavo('deploy', '--prebuilt', 'docs')
    expect(folder).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not a folder that `octavo build` wrote'),
    })
    const right = apiKey
    apiKey = `${apiKey.slice(0, -1)}x`
    expect(await octavo('deploy', 'docs')).toMatchObject({
      code: 1,
      err: expect.stringContaining('The service refused (401)'),
    })
    apiKey = right
  })

  test('a file that is too large is named', async () => {
    const video = 'a-video.mp4'
    write({ [video]: 'v'.repeat(100 * 1024 * 1024 + 1) })
    const { code, err } = await octavo('deploy', 'docs')
    rmSync(join(site.root, 'docs', video))
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/^octavo: a-video\.mp4: /),
    })
  })

  test('a folder that was built before is sent as it is, unless it was changed', async () => {
    await site.octavo('build', 'docs', '-o', 'dist')
    expect((await octavo('deploy', '--prebuilt', 'dist')).code).toBe(0)
    await site.octavo('build', 'docs', '-o', 'dist')
    writeFileSync(join(site.root, 'dist/index.html'), '<script>alert(1)</script>')
    write({ 'index.mdx': '---\ntitle: Welcome\n---\n\nNew words.\n' })
    const changed = await octavo('deploy', '--prebuilt', 'dist')
    // What the service has already is not read again.
    expect(changed.code).toBe(0)
    expect((await visit('/')).bytes.toString()).not.toContain('alert(1)')
  })
})

describe.skipIf(!existsSync(CHROMIUM))(`in a browser (skipped if there is no ${CHROMIUM})`, () => {
  test('a hosted site loads, searches and obeys its policy', async () => {
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

test('while two versions alternate, no reader gets a mix, or a page without its files', async () => {
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
        // From the other host, which may not know of this deployment yet.
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
