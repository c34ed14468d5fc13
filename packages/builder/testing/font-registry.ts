/** An npm registry with font packages, for tests. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { TestServer } from './test-server.ts'

const INTER = dirname(
  createRequire(import.meta.url).resolve('@fontsource-variable/inter/package.json'),
)
export const FONT = readFileSync(join(INTER, 'files/inter-latin-wght-normal.woff2'))

/** Returns the files of a variable font with one subset. */
export function fontFiles(slug: string): Readonly<Record<string, string | Buffer>> {
  return {
    'package.json': '{}',
    'metadata.json': JSON.stringify({ variable: { wght: { min: '300', max: '800' } } }),
    'unicode.json': JSON.stringify({ latin: 'U+0000-00FF', math: 'U+2200-22FF', '[0]': 'x}' }),
    [`files/${slug}-latin-wght-normal.woff2`]: FONT,
  }
}

/** Packs files as `npm pack` does. */
export function packFiles(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const root = mkdtempSync(join(tmpdir(), 'octavo-pack-'))
  try {
    for (const [path, content] of Object.entries(files)) {
      const file = join(root, 'package', path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
    }
    return execFileSync('tar', ['-cz', '--format=ustar', 'package'], { cwd: root })
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

type Published = { readonly version: string; readonly archive: Buffer; readonly integrity: string }

/** `latest` can be changed, as when a new version is published. */
export type FontRegistry = AsyncDisposable & {
  readonly origin: string
  readonly requests: readonly string[]
  latest: Published
}

export function publish(version: string, archive: Buffer): Published {
  const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`
  return { version, archive, integrity }
}

/** Starts a registry with one package: `@fontsource-variable/garden-serif`. */
export async function startFontRegistry(): Promise<FontRegistry> {
  const published = new Map<string, Buffer>()
  let latest = publish('5.0.1', packFiles(fontFiles('garden-serif')))
  const server = await TestServer.start(({ url = '' }, response) => {
    const { version, archive, integrity } = latest
    published.set(`/@fontsource-variable/garden-serif/-/garden-serif-${version}.tgz`, archive)
    const file = published.get(url)
    if (file !== undefined) response.end(file)
    else if (url === '/@fontsource-variable%2fgarden-serif/latest')
      response.end(JSON.stringify({ version, dist: { integrity } }))
    else response.writeHead(404).end('{}')
  })
  return {
    origin: server.origin,
    requests: server.requests,
    get latest() {
      return latest
    },
    set latest(next) {
      latest = next
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
