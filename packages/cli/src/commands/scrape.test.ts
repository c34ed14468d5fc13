/** Tests `octavo scrape openapi-file` with a specification outside the documentation. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../context/system-clock.ts'
import { run } from '../run.ts'

const PLANTS = `openapi: 3.1.0
info: { title: Plants, version: '1' }
paths:
  /plants:
    get:
      summary: List plants
      responses: { '200': { description: OK } }
`
const SEEDS = PLANTS.replaceAll('lants', 'eeds')
const ALLOWED = ['--allow-private-host', '127.0.0.1']

let respond: (request: IncomingMessage, response: ServerResponse) => void
const server = createServer((request, response) => respond(request, response))
let origin = ''
let root = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  respond = (_, response) => response.end(PLANTS)
  root = mkdtempSync(join(tmpdir(), 'octavo-scrape-'))
  write({
    'docs/docs.json': '{"navigation": {"pages": ["ref/list-plants"]}}',
    'service/api spec.yaml': PLANTS,
  })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

const read = (path: string) => readFileSync(join(root, path), 'utf8')

async function octavo(...args: readonly string[]) {
  const printed = { out: '', err: '' }
  const code = await run({
    args,
    cwd: root,
    env: { NO_COLOR: '1', FORCE_COLOR: undefined },
    clock: systemClock,
    out: { write: (text) => (printed.out += text) },
    err: { write: (text) => (printed.err += text) },
  })
  return { code, ...printed }
}

function scrape(specification: string, ...options: readonly string[]) {
  return octavo('scrape', 'openapi-file', specification, '-o', 'docs/ref', ...options)
}

describe('specification outside the documentation', () => {
  test('a specification outside the documentation is copied next to the pages, which refer to the copy', async () => {
    expect(await scrape('service/api spec.yaml')).toEqual({
      code: 0,
      err: '',
      out: `copied  docs/ref/api-spec.yaml  from service/api spec.yaml
created  docs/ref/list-plants.mdx

1 page. Add this to \`pages\` in docs.json:

[
  "ref/list-plants"
]
`,
    })
    expect(read('docs/ref/api-spec.yaml')).toBe(PLANTS)
    expect(read('docs/ref/list-plants.mdx')).toBe(
      '---\ntitle: "List plants"\nopenapi: "ref/api-spec.yaml GET /plants"\n---\n',
    )
  })

  test('a specification is copied once, and a different copy is only replaced with --overwrite', async () => {
    await scrape('service/api spec.yaml')
    expect((await scrape('service/api spec.yaml')).out).toContain('unchanged  docs/ref/api-spec')
    write({ 'service/api spec.yaml': SEEDS })
    const refused = await scrape('service/api spec.yaml')
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.err).toBe(
      'octavo: docs/ref/api-spec.yaml already exists and differs from service/api spec.yaml. Nothing was written. Use `--overwrite` to replace it.\n',
    )
    expect(read('docs/ref/api-spec.yaml')).toBe(PLANTS)
    const replaced = await scrape('service/api spec.yaml', '--overwrite')
    expect(replaced.out).toContain('replaced  docs/ref/api-spec.yaml')
    expect(read('docs/ref/api-spec.yaml')).toBe(SEEDS)
  })

  test('a specification in the folder that is not part of the documentation is copied too', async () => {
    write({ 'docs/.cache/api.yaml': PLANTS })
    expect((await scrape('docs/.cache/api.yaml')).out).toContain('copied  docs/ref/api.yaml')
  })
})

// Requirements M7, M8.
test('a specification inside the documentation is referenced and not copied', async () => {
  write({ 'docs/specs/api.yaml': PLANTS })
  expect((await scrape('docs/specs/api.yaml')).out).toMatch(/^created {2}docs\/ref\/list-plants/)
  expect(read('docs/ref/list-plants.mdx')).toContain('openapi: "specs/api.yaml GET /plants"')
  expect(existsSync(join(root, 'docs/ref/api.yaml'))).toBe(false)
})

// Requirement M9.
test('without -o, octavo scrape writes pages to the working directory', async () => {
  expect(await octavo('scrape', 'openapi-file', 'service/api spec.yaml')).toMatchObject({ code: 0 })
  expect(read('list-plants.mdx')).toContain('GET /plants')
})

describe('x-svc.href (requirement M7)', () => {
  const moved = PLANTS.replace(
    'summary: List',
    'x-svc: { href: /ref/all/plants }\n      summary: List',
  )

  test("x-svc.href sets the page's path, so its URL stays the same", async () => {
    write({ 'docs/api.yaml': moved })
    const { code, out, err } = await scrape('docs/api.yaml')
    expect(code).toBe(0)
    expect(err).toBe('')
    expect(out).toContain('created  docs/ref/all/plants.mdx')
    expect(out).toContain('"ref/all/plants"')
  })

  test('an x-svc.href outside the folder changes the URL and prints a notice', async () => {
    write({ 'docs/api.yaml': moved.replace('/ref/all', '/custom') })
    const { code, out, err } = await scrape('docs/api.yaml')
    expect(code).toBe(0)
    expect(out).toContain('created  docs/ref/list-plants.mdx')
    expect(err).toContain('  GET /plants: /custom/plants is now /ref/list-plants\n')
  })
})

test('without docs.json, octavo scrape uses paths relative to the output folder', async () => {
  write({ 'other/a': '', 'service/openapi.json': '{}' })
  const elsewhere = mkdtempSync(join(tmpdir(), 'octavo-elsewhere-'))
  const args = ['scrape', 'openapi-file', 'service/api spec.yaml', '-o', elsewhere]
  expect((await octavo(...args)).code).toBe(0)
  const page = readFileSync(join(elsewhere, 'list-plants.mdx'), 'utf8')
  expect(page).toContain('openapi: "api-spec.yaml GET /plants"')
  rmSync(elsewhere, { recursive: true })
})

describe('specification at a URL', () => {
  test.each([
    ['/v1/openapi.yaml', PLANTS, 'openapi.yaml'],
    ['/v1/spec?format=yaml', PLANTS, 'spec.yaml'],
    [
      '/docs.json',
      '{"openapi":"3.1.0","info":{"title":"A","version":"1"},"paths":{}}',
      'openapi.json',
    ],
    ['/', PLANTS, 'openapi.yaml'],
  ])('a specification at %s is fetched and copied', async (path, text, name) => {
    respond = (_, response) => response.end(text)
    const { code, out } = await scrape(`${origin}${path}`, ...ALLOWED)
    expect(code).toBe(0)
    expect(out).toContain(`copied  docs/ref/${name}  from ${origin}${path}\n`)
    expect(read(`docs/ref/${name}`)).toBe(text)
  })

  test('pages from a fetched specification have no problems', async () => {
    await scrape(`${origin}/openapi.yaml`, ...ALLOWED)
    expect(read('docs/ref/list-plants.mdx')).toContain('openapi: "ref/openapi.yaml GET /plants"')
    expect(await octavo('check', 'docs', '--strict', '--all')).toMatchObject({ code: 0 })
  })

  test('octavo scrape writes nothing if the fetch fails or the specification is invalid', async () => {
    const refused = await scrape(`${origin}/openapi.yaml`)
    expect(refused.err).toBe(
      `octavo: ${origin}/openapi.yaml is not fetched: 127.0.0.1 is not on the public internet.\nHint: If you trust it, allow it for this run with \`--allow-private-host 127.0.0.1\`, or add the specification to the repository and use its path.\n`,
    )
    respond = (_, response) => response.writeHead(404).end()
    const missing = await scrape(`${origin}/openapi.yaml`, ...ALLOWED)
    expect(missing.err).toContain('could not be fetched: the server responded with status 404.')
    respond = (_, response) => response.end('<html>')
    const page = await scrape(`${origin}/openapi.yaml`, ...ALLOWED)
    expect(page.err).toContain('This is a web page, not a specification.')
    expect([refused, missing, page].map(({ code }) => code)).toEqual([1, 1, 1])
    expect(existsSync(join(root, 'docs/ref'))).toBe(false)
  })

  test('if the host is down, octavo scrape uses the last copy with a warning', async () => {
    await scrape(`${origin}/openapi.yaml`, ...ALLOWED)
    respond = (_, response) => response.writeHead(503).end()
    const { code, err } = await scrape(`${origin}/openapi.yaml`, ...ALLOWED)
    expect(code).toBe(0)
    expect(err).toContain('the server responded with status 503. The copy fetched on')
    expect(await scrape(`${origin}/openapi.yaml`, '--offline')).toMatchObject({ code: 0, err: '' })
  })
})
