/** Tests commands with fonts at URLs. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { eventually, RunningDev } from '../testing/dev/running-dev.ts'
import { run } from './run.ts'

const ALLOWED = ['--allow-private-host', '127.0.0.1']
/** A file with the first bytes of a font. It need not be valid, since no test renders it. */
const FONT = Buffer.concat([Buffer.from('wOF2'), Buffer.alloc(60, 7)])

let requests: string[] = []
const server = createServer(({ url = '' }, response) => {
  requests.push(url)
  if (url === '/own.woff2') response.end(FONT)
  else response.writeHead(404).end()
})
let origin = ''
const root = mkdtempSync(join(tmpdir(), 'octavo-fonts-'))

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(root, { recursive: true, force: true })
})
beforeEach(() => {
  requests = []
  rmSync(join(root, 'docs'), { recursive: true, force: true })
})

function files(path: string): Readonly<Record<string, string>> {
  const fonts = { body: { family: 'Own', source: `${origin}${path}`, format: 'woff2' } }
  const config = { name: 'Plants', fonts, navigation: { pages: ['index'] } }
  return {
    'docs.json': JSON.stringify(config),
    'index.mdx': '---\ntitle: Start\n---\n\nHello.\n',
  }
}

async function octavo(...args: readonly string[]): Promise<string> {
  let printed = ''
  const write = (text: string) => {
    printed += text
  }
  await run({
    args,
    cwd: join(root, 'docs'),
    env: { NO_COLOR: '1', FORCE_COLOR: undefined },
    clock: { now: () => Date.UTC(2026, 0, 31, 9, 5), sleep: () => Promise.resolve() },
    out: { write },
    err: { write },
  })
  return printed
}

function write(path: string): void {
  mkdirSync(join(root, 'docs'), { recursive: true })
  for (const [file, text] of Object.entries(files(path)))
    writeFileSync(join(root, 'docs', file), text)
}

test('octavo build adds a hosted font to the site, and later builds use the cached copy', async () => {
  write('/own.woff2')
  expect(await octavo('build', '--offline')).toContain('is not fetched with `--offline`')
  expect(await octavo('build', ...ALLOWED)).not.toContain('font/missing')
  const folder = join(root, 'docs/dist/_octavo/styles')
  const [name = ''] = readdirSync(folder).filter((file) => file.startsWith('font-'))
  expect(readFileSync(join(folder, name))).toEqual(FONT)
  expect(await octavo('build', '--offline')).not.toContain('font/missing')
  expect(requests).toEqual(['/own.woff2'])
})

test('a private host that is not allowed on the command line is not contacted', async () => {
  write('/own.woff2')
  expect(await octavo('check')).toContain('cannot be fetched')
  expect(requests).toEqual([])
})

test('octavo dev fetches a font in the background and prints failures', async () => {
  await using dev = await RunningDev.start(files('/gone.woff2'), ALLOWED)
  const warning = await eventually(
    () => dev.output,
    (text) => text.includes('font/missing'),
  )
  expect(warning).toContain('the server responded with status 404')
  dev.write(files('/own.woff2'))
  const html = await eventually(
    () => dev.page(''),
    (page) => /styles\/font-/.test(page),
  )
  expect(html).toMatch(/<link rel="preload" href="\/_octavo\/styles\/font-\w+\.woff2"/)
})
