/** Serves a built site with a local static server, for tests, measurements and scripts. */
import { readFileSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

type HeaderRule = { readonly pattern: RegExp; readonly headers: readonly [string, string][] }

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
}

/** The compression quality that hosts usually use when they compress responses on the fly. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
const COMPRESSED_TYPES = /^text|javascript|json|xml/

export type Hosting = {
  /** False for a host that ignores `_headers`. */
  readonly readsHeaders?: boolean
  readonly compresses?: boolean
  /** Handles requests that are not for files. Returns true if it has responded. */
  readonly answer?: (request: IncomingMessage, response: ServerResponse) => boolean
}

export type ServedFolder = { readonly origin: string; readonly close: () => Promise<void> }

export async function serveFolder(
  folder: string,
  { readsHeaders = true, compresses = false, answer = () => false }: Hosting = {},
): Promise<ServedFolder> {
  const rules = readsHeaders ? parseHeaders(readText(join(folder, '_headers'))) : []
  const server = createServer((request, response) => {
    if (answer(request, response)) return
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname))
    const file = [path, `${path}/index.html`]
      .map((candidate) => join(folder, candidate))
      .find((candidate) => statSync(candidate, { throwIfNoEntry: false })?.isFile())
    for (const { pattern, headers } of rules) {
      // If two rules set the same header, it is sent twice, so that both policies apply.
      if (pattern.test(path))
        for (const [name, value] of headers) response.appendHeader(name, value)
    }
    const type = TYPES[extname(file ?? '404.html')] ?? 'application/octet-stream'
    response.setHeader('Content-Type', type)
    response.statusCode = file === undefined ? 404 : 200
    const bytes = file === undefined ? readText(join(folder, '404.html')) : readFileSync(file)
    if (!compresses || !COMPRESSED_TYPES.test(type)) return response.end(bytes)
    response.setHeader('Content-Encoding', 'br')
    return response.end(brotliCompressSync(bytes, BROTLI))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

/** Returns the text of a file, or an empty string if the file does not exist. */
function readText(file: string): string {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, 'utf8') : ''
}

/**
 * Parses `_headers`: a line that starts with a slash is a pattern, and the indented lines below it
 * are its headers.
 */
function parseHeaders(text: string): readonly HeaderRule[] {
  const rules: { pattern: RegExp; headers: [string, string][] }[] = []
  for (const line of text.split('\n')) {
    if (line.startsWith('/')) {
      const source = line
        .trim()
        .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
        .replaceAll('*', '.*')
      rules.push({ pattern: new RegExp(`^${source}$`), headers: [] })
      continue
    }
    const colon = line.indexOf(':')
    if (colon > 0)
      rules.at(-1)?.headers.push([line.slice(0, colon).trim(), line.slice(colon + 1).trim()])
  }
  return rules
}
