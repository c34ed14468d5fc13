/** A built site behind a plain static server, with the headers that the build wrote beside it. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { type Files, TemporarySite } from './temporary-site.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
}

type Rule = { readonly pattern: RegExp; readonly headers: readonly (readonly [string, string])[] }

export class ServedSite implements AsyncDisposable {
  readonly site: TemporarySite
  readonly #server: Server
  readonly origin: string

  private constructor(site: TemporarySite, server: Server) {
    this.site = site
    this.#server = server
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  /** `readsHeaders` is false for a host that knows nothing of `_headers`. */
  static async start(files: Files, { readsHeaders = true } = {}): Promise<ServedSite> {
    const site = new TemporarySite(files)
    await site.build()
    const root = join(site.root, 'out')
    const rules = readsHeaders ? parseHeaders(readFileSync(join(root, '_headers'), 'utf8')) : []
    const server = createServer((request, response) => {
      const path = decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname)
      const found = [path, `${path}/index.html`].map((one) => join(root, one)).find(isFile)
      for (const { pattern, headers } of rules)
        if (pattern.test(path)) for (const [name, value] of headers) response.setHeader(name, value)
      response.setHeader('content-type', TYPES[extname(found ?? '404.html')] ?? 'text/plain')
      response.statusCode = found === undefined ? 404 : 200
      response.end(found === undefined ? 'Nothing here.' : readFileSync(found))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new ServedSite(site, server)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
    this.site[Symbol.dispose]()
  }
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile()
}

/** A path in a line of its own, its headers indented below it. */
function parseHeaders(text: string): readonly Rule[] {
  const rules: { pattern: RegExp; headers: [string, string][] }[] = []
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const [, name, value] = /^\s+([\w-]+): (.*)$/.exec(line) ?? []
    if (name !== undefined && value !== undefined) rules.at(-1)?.headers.push([name, value])
    else rules.push({ pattern: patternOf(line), headers: [] })
  }
  return rules
}

function patternOf(path: string): RegExp {
  const parts = path.split('*').map((part) => RegExp.escape(part))
  return new RegExp(`^${parts.join('.*')}$`)
}
