/**
 * Tests the configurations from our hosting guides with their web servers. A server that is not
 * installed is skipped.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WrittenSite } from '../../testing/preview/running-preview.ts'

const DOCS = join(import.meta.dirname, '../../../../docs/deploy')

let site: WrittenSite
beforeAll(async () => {
  site = new WrittenSite({
    'docs.json': JSON.stringify({
      name: 'Garden',
      navigation: { pages: ['index', 'guides/start', 'release-1.2'] },
      redirects: [{ source: '/old', destination: '/guides/start' }],
    }),
    'index.mdx': '---\ntitle: Welcome\n---\n\nText.\n',
    'guides/start.mdx': '---\ntitle: Begin here\n---\n\nText.\n',
    'release-1.2.mdx': '---\ntitle: Release\n---\n\nText.\n',
  })
  await site.octavo('build', 'docs', '-o', 'srv/docs', '--url', 'https://docs.example.com')
  await site.octavo('build', 'docs', '-o', 'below', '--url', 'https://example.com/docs/')
  cpSync(join(site.root, 'below'), join(site.root, 'srv/site/docs'), { recursive: true })
}, 60_000)
afterAll(() => site?.[Symbol.dispose]())

/** Returns the configuration blocks of a guide, with the folders and the address of this test. */
function configurations(guide: string, port: number): readonly string[] {
  const text = readFileSync(join(DOCS, `${guide}.mdx`), 'utf8')
  const blocks = [...text.matchAll(/^```(?:nginx|text Caddyfile).*\n([\s\S]*?)^```$/gm)]
  return blocks.map(([, block = '']) =>
    block
      .replaceAll('/srv/', `${join(site.root, 'srv')}/`)
      .replace('listen 80;', `listen 127.0.0.1:${port};`)
      .replace(/^(?:docs\.)?example\.com \{/m, `http://127.0.0.1:${port} {`),
  )
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

function startNginx(folder: string, block: string): ChildProcess {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n')
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off;\nmaster_process off;\npid ${folder}/pid;\nerror_log ${folder}/error.log;\nevents {}\nhttp {\ninclude /etc/nginx/mime.types;\naccess_log off;\n${temporary}\n${block}}\n`,
  )
  return spawn('nginx', ['-p', folder, '-c', file], { stdio: 'ignore' })
}

function startCaddy(folder: string, block: string): ChildProcess {
  const file = join(folder, 'Caddyfile')
  writeFileSync(file, `{\n\tadmin off\n}\n${block}`)
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const args = ['run', '--adapter', 'caddyfile', '--config', file]
  return spawn('caddy', args, { env, stdio: 'ignore' })
}

const HOSTS = [
  { guide: 'nginx', start: startNginx },
  { guide: 'caddy', start: startCaddy },
] as const

describe.each(HOSTS)('$guide with the configuration of its guide', ({ guide, start }) => {
  const isInstalled = hasProgram(guide)

  describe.each([
    { index: 0, base: '' },
    { index: 1, base: '/docs' },
  ])('site at "$base/"', ({ index, base }) => {
    let server: ChildProcess | undefined
    let origin = ''
    beforeAll(async () => {
      if (!isInstalled) return
      const port = await freePort()
      origin = `http://127.0.0.1:${port}`
      const folder = join(site.root, `${guide}-${index}`)
      mkdirSync(folder)
      server = start(folder, configurations(guide, port)[index] ?? '')
      await waitUntilReachable(origin)
    }, 30_000)
    afterAll(() => {
      server?.kill()
    })

    const get = (path: string) => fetch(`${origin}${base}${path}`, { redirect: 'manual' })

    test.skipIf(!isInstalled)(
      'the web server serves pages with and without a trailing slash',
      async () => {
        for (const [path, title] of [
          ['/', 'Welcome'],
          ['/guides/start', 'Begin here'],
          ['/guides/start/', 'Begin here'],
          ['/release-1.2', 'Release'],
        ] as const) {
          const response = await get(path)
          expect([path, response.status]).toEqual([path, 200])
          expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
          expect(await response.text()).toContain(`<title>${title}`)
        }
      },
    )

    test.skipIf(!isInstalled)(
      'the web server serves styles, scripts, Markdown and the search index',
      async () => {
        const html = await (await get('/')).text()
        const [, styles = ''] = /rel="stylesheet" href="([^"]+)"/.exec(html) ?? []
        const [, script = ''] = /type="module" src="([^"]+)"/.exec(html) ?? []
        const [, search = ''] = /data-index="([^"]+)"/.exec(html) ?? []
        for (const [path, type] of [
          [styles, 'text/css'],
          [script, 'javascript'],
          [search, ''],
          [`${base}/guides/start.md`, 'text/markdown; charset=utf-8'],
          [`${base}/llms.txt`, 'text/plain'],
        ] as const) {
          expect(path.startsWith(`${base}/`)).toBe(true)
          const response = await fetch(`${origin}${path}`)
          expect([path, response.status]).toEqual([path, 200])
          expect(response.headers.get('content-type') ?? '').toContain(type)
        }
        if (index === 0) {
          const cached = (await fetch(`${origin}${script}`)).headers.get('cache-control')
          expect(cached).toBe('public, max-age=31536000, immutable')
        }
      },
    )

    test.skipIf(!isInstalled)(
      "the web server serves the site's 404 page at an unknown path",
      async () => {
        const unknown = [
          '/nothing',
          '/nothing/here.html',
          ...(index === 0 ? ['/_octavo/manifest.json'] : []),
        ]
        for (const path of unknown) {
          const response = await get(path)
          expect([path, response.status]).toEqual([path, 404])
          expect(await response.text()).toContain('Page not found')
        }
      },
    )

    test.skipIf(!isInstalled)(
      'the web server serves redirects, and the base path without its trailing slash',
      async () => {
        expect(await (await get('/old')).text()).toContain(`url=${base}/guides/start"`)
        if (base === '') return
        const response = await get('')
        expect([301, 302]).toContain(response.status)
        expect(new URL(response.headers.get('location') ?? '', origin).pathname).toBe('/docs/')
      },
    )
  })
})

function hasProgram(name: string): boolean {
  try {
    execFileSync(name, [name === 'nginx' ? '-v' : 'version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function waitUntilReachable(origin: string): Promise<void> {
  for (let left = 100; left > 0; left -= 1) {
    const isUp = await fetch(origin, { redirect: 'manual' }).then(
      () => true,
      () => false,
    )
    if (isUp) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${origin} does not answer.`)
}
