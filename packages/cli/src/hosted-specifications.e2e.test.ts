/**
 * Tests commands with hosted specifications, on a server with all kinds of valid and faulty
 * responses.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventually, RunningDev } from '../testing/dev/running-dev.ts'
import { run } from './run.ts'

type Respond = (request: IncomingMessage, response: ServerResponse) => void

const MAIN = join(import.meta.dirname, 'main.ts')
const ALLOWED = ['--allow-private-host', '127.0.0.1']

function specification(path: string, summary: string): string {
  const operation = { summary, responses: { 200: { description: 'OK' } } }
  const info = { title: 'Plants', version: '1' }
  return JSON.stringify({ openapi: '3.1.0', info, paths: { [path]: { get: operation } } })
}

const PLANTS = specification('/plants', 'List plants')
const SEEDS = specification('/seeds', 'List seeds')

/** Writes an endless response as fast as the client reads it. */
function writeForever(response: ServerResponse): void {
  const block = ' '.repeat(1_000_000)
  const write = () => {
    while (!response.destroyed && response.write(block));
    if (!response.destroyed) response.once('drain', write)
  }
  write()
}

function writeSlowly(response: ServerResponse): void {
  const timer = setInterval(() => response.write(' '), 1_000)
  response.on('close', () => clearInterval(timer))
}

const ANSWERS: Readonly<Record<string, Respond>> = {
  '/ok.json': ({ headers }, response) => {
    if (headers['if-none-match'] === '"1"') response.writeHead(304).end()
    else response.writeHead(200, { etag: '"1"' }).end(PLANTS)
  },
  '/not-found.json': (_, response) => response.writeHead(404).end('Not found'),
  '/broken.json': (_, response) => response.writeHead(500).end('Broken'),
  '/loop.json': ({ url }, response) => response.writeHead(302, { location: url }).end(),
  '/inside.json': (_, response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
  '/huge.json': (_, response) => writeForever(response),
  '/page.json': (_, response) => response.end('<!doctype html>\n<title>Sign in</title>\n'),
  '/cut.json': (_, response) => response.end(PLANTS.slice(0, 40)),
  '/slow.json': (_, response) => writeSlowly(response),
}

let statuses: string[] = []
let answers: Readonly<Record<string, Respond>> = ANSWERS
const server = createServer((request, response) => {
  const respond = answers[request.url ?? ''] ?? ANSWERS['/not-found.json']
  response.on('finish', () => statuses.push(`${request.url} ${response.statusCode}`))
  respond?.(request, response)
})
let origin = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

let root = ''
beforeEach(() => {
  statuses = []
  answers = ANSWERS
  root = mkdtempSync(join(tmpdir(), 'octavo-hosted-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** Returns a site with one navigation group for each path of the server. */
function files(paths: readonly string[]): Readonly<Record<string, string>> {
  const groups = paths.map((path) => ({
    group: path,
    openapi: { source: `${origin}${path}`, directory: path.replace(/\W+/g, '') },
  }))
  const navigation = { groups: [{ group: 'Guides', pages: ['index'] }, ...groups] }
  return {
    'docs.json': JSON.stringify({ name: 'Plants', navigation }, null, 1),
    'index.mdx': '---\ntitle: Start\n---\n\nHello.\n',
  }
}

function write(paths: readonly string[]): void {
  for (const [file, text] of Object.entries(files(paths))) {
    mkdirSync(join(root, 'docs'), { recursive: true })
    writeFileSync(join(root, 'docs', file), text)
  }
}

async function octavo(...args: readonly string[]) {
  const printed = { out: '', err: '' }
  const code = await run({
    args,
    cwd: join(root, 'docs'),
    env: { NO_COLOR: '1', FORCE_COLOR: undefined },
    clock: { now: () => Date.UTC(2026, 0, 31, 9, 5), sleep: () => Promise.resolve() },
    out: { write: (text) => (printed.out += text) },
    err: { write: (text) => (printed.err += text) },
  })
  const messages = [...printed.out.matchAll(/^(?:error|warning) .*\n {2}(.*)$/gm)]
  return {
    code,
    ...printed,
    messages: messages.map(([, text = '']) => text.replaceAll(origin, '')),
  }
}

const page = (path: string) => join(root, 'docs/dist', path, 'index.html')

const FAILURES = [
  '/not-found.json could not be fetched: the server responded with status 404.',
  '/broken.json could not be fetched: the server responded with status 500.',
  '/loop.json could not be fetched: there are too many redirects.',
  '/inside.json is not fetched: it redirects to http://169.254.169.254/latest, and 169.254.169.254 is not on the public internet.',
  '/huge.json is larger than 50,000,000 bytes, so it is not used.',
  'This is a web page, not a specification.',
  'This string has no closing quote on its line.',
]

describe('octavo check', () => {
  test('octavo check reports each unusable specification URL at its entry in docs.json, with the reason', async () => {
    write(Object.keys(ANSWERS))
    const { code, messages, out } = await octavo('check', ...ALLOWED)
    expect(code).toBe(1)
    expect(messages.toSorted()).toEqual(
      [
        ...FAILURES,
        '/slow.json could not be fetched: the request timed out after 20 seconds.',
      ].toSorted(),
    )
    for (const path of ['/not-found.json', '/inside.json', '/huge.json', '/slow.json']) {
      expect(out).toMatch(new RegExp(`│ "source": "${origin}${path}",\\n`))
    }
    expect(out).toContain(`error  ${origin}/page.json:1:1  openapi/unreadable`)
  })

  test('octavo check rejects a private host that is not allowed on the command line', async () => {
    write(['/ok.json'])
    const { code, messages } = await octavo('check')
    expect({ code, messages }).toEqual({
      code: 1,
      messages: ['/ok.json is not fetched: 127.0.0.1 is not on the public internet.'],
    })
    expect(statuses).toEqual([])
  })
})

describe('octavo build', () => {
  test('octavo build creates pages for usable specifications and reports the others', async () => {
    const paths = Object.keys(ANSWERS).filter((path) => path !== '/slow.json')
    write(paths)
    const { code, messages } = await octavo('build', ...ALLOWED)
    expect(code).toBe(1)
    expect(messages.toSorted()).toEqual(FAILURES.toSorted())
    expect(readFileSync(page('okjson/list-plants'), 'utf8')).toContain('List plants')
  })

  test('octavo build revalidates a hosted specification and rebuilds its pages only if it has changed', async () => {
    write(['/ok.json'])
    expect((await octavo('build', ...ALLOWED)).code).toBe(0)
    const again = await octavo('build', ...ALLOWED)
    expect(again.out).toContain('0 pages compiled, 2 unchanged')
    expect(statuses).toEqual(['/ok.json 200', '/ok.json 304'])
    answers = { '/ok.json': (_, response) => response.end(SEEDS) }
    const changed = await octavo('build', ...ALLOWED)
    expect(changed.out).toContain('✓ No problems in 2 pages.')
    expect(readFileSync(page('okjson/list-seeds'), 'utf8')).toContain('List seeds')
    expect(existsSync(page('okjson/list-plants'))).toBe(false)
  })

  test.each([
    ['/not-found.json', 'could not be fetched: the server responded with status 404.'],
    ['/broken.json', 'could not be fetched: the server responded with status 500.'],
    ['/loop.json', 'could not be fetched: there are too many redirects.'],
    ['/inside.json', 'could not be fetched: it redirects to http://169.254.169.254/latest, and'],
    ['/huge.json', 'could not be fetched: the response is too large.'],
    ['/page.json', 'is not usable at the moment: it is a web page, not a specification.'],
    ['/cut.json', 'is not usable at the moment: line 1, column 36: This string has no'],
  ])(
    'octavo build uses the last good copy if the server responds like %s',
    async (path, reason) => {
      write(['/ok.json'])
      await octavo('check', ...ALLOWED)
      const respond = ANSWERS[path]
      if (respond !== undefined) answers = { '/ok.json': respond }
      for (const command of ['build', 'check']) {
        const { code, messages } = await octavo(command, ...ALLOWED)
        expect(code).toBe(0)
        expect(messages).toHaveLength(1)
        expect(messages[0]).toContain(`/ok.json ${reason}`)
        expect(messages[0]).toContain('The copy fetched on 2026-01-31 09:05 UTC is used.')
      }
      expect(readFileSync(page('okjson/list-plants'), 'utf8')).toContain('List plants')
    },
  )
})

describe('--offline', () => {
  test('octavo build --offline uses copies without requests and reports a missing copy', async () => {
    write(['/ok.json'])
    const before = await octavo('build', '--offline')
    expect(before).toMatchObject({
      code: 1,
      messages: [
        '/ok.json could not be fetched: nothing is fetched with `--offline`, and there is no cached copy.',
      ],
    })
    await octavo('check', ...ALLOWED)
    statuses = []
    expect(await octavo('build', '--offline')).toMatchObject({ code: 0, messages: [] })
    expect((await octavo('nav', '--offline')).out).toContain('GET /plants  "List plants"')
    expect(existsSync(page('okjson/list-plants'))).toBe(true)
    expect(statuses).toEqual([])
  })
})

describe('octavo dev', () => {
  test('octavo dev fetches specifications again on request and when docs.json is saved', async () => {
    await using dev = await RunningDev.start(files(['/ok.json']), ALLOWED)
    const says = async (text: string) => {
      const output = await eventually(
        () => dev.output,
        (written) => written.includes(text),
      )
      expect(output).toContain(text)
    }
    await says(`${origin}/ok.json  fetched`)
    await says('r and Enter to fetch hosted specifications again')
    expect(await dev.page('okjson/list-plants')).toContain('List plants')

    answers = { '/ok.json': (_, response) => response.end(SEEDS) }
    dev.type('r\n')
    expect(
      await eventually(
        () => dev.page('okjson/list-seeds'),
        (html) => html.includes('List seeds'),
      ),
    ).toContain('List seeds')

    answers = { '/ok.json': (_, response) => response.writeHead(503).end() }
    dev.type('r\n')
    await says(`${origin}/ok.json  copy of 2`)
    await says('could not be fetched: the server responded with status 503. The copy')
    expect(await dev.page('okjson/list-seeds')).toContain('List seeds')

    answers = ANSWERS
    dev.write(files(['/ok.json', '/not-found.json']))
    await says(`${origin}/not-found.json  unreachable`)
    await says('/not-found.json could not be fetched: the server responded with status 404.')
    expect(await dev.page('okjson/list-plants')).toContain('List plants')
  })

  test('octavo dev starts with cached copies, and can be stopped while a host is slow', async () => {
    write(['/ok.json'])
    await octavo('check', ...ALLOWED)
    answers = { '/ok.json': (_, response) => writeSlowly(response) }
    const args = [MAIN, 'dev', join(root, 'docs'), '--port', '0', ...ALLOWED]
    const dev = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    dev.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    await eventually(
      () => output,
      (written) => written.includes('Fetching 1 hosted specification'),
    )
    expect(output).toContain('2 pages, ready')
    const stopped = Date.now()
    dev.kill('SIGTERM')
    await once(dev, 'exit')
    expect(Date.now() - stopped).toBeLessThan(10_000)
    expect(output).not.toContain('copy of')
  })
})
