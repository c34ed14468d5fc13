/**
 * Serves a built site over HTTP as a host does, with redirects, headers, the 404 page and the base
 * path.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodePath, setHeaders, wantsText } from '../dev/header-rules.ts'
import { isAllowedHost } from '../loopback/allowed-host.ts'
import { BuiltSite } from './built-site.ts'

export class PreviewServer {
  readonly #folder: string
  readonly #host: string
  readonly #server: Server
  #site: BuiltSite
  #stamp: string

  constructor(
    site: BuiltSite,
    { folder, host }: { readonly folder: string; readonly host: string },
  ) {
    this.#site = site
    this.#folder = folder
    this.#host = host
    this.#stamp = BuiltSite.stampOf(folder)
    this.#server = createServer((request, response) => {
      try {
        this.#answer(request, response)
      } catch (error) {
        // A request can fail because a build is replacing the files.
        if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' })
        response.end(`octavo preview: request failed: ${String(error)}\n`)
      }
    })
  }

  /** Starts to listen and resolves to the port; rejects if it is in use. */
  readonly listen = (port: number): Promise<number> =>
    new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, this.#host, () => {
        this.#server.off('error', reject)
        resolve((this.#server.address() as AddressInfo).port)
      })
    })

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    if (!isAllowedHost(request.headers.host, this.#host)) {
      sendText(
        response,
        403,
        'octavo preview only accepts requests for the host name it was started with.',
      )
      return
    }
    const url = URL.parse(request.url ?? '/', 'http://site')
    if (url === null || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(405, { allow: 'GET, HEAD' }).end()
      return
    }
    this.#refresh()
    const { basePath } = this.#site
    const { pathname, search } = url
    if (pathname === basePath || (pathname === '/' && basePath !== '')) {
      response.writeHead(302, { location: `${basePath}/${search}` }).end()
    } else if (pathname.startsWith(`${basePath}/`)) {
      this.#give(
        decodePath(pathname.slice(basePath.length)),
        request.headers.accept ?? '',
        response,
      )
    } else sendText(response, 404, `This site is served under ${basePath}/.`)
  }

  /** Switches to a new build of the folder before the next request. */
  #refresh(): void {
    const stamp = BuiltSite.stampOf(this.#folder)
    if (stamp === this.#stamp) return
    this.#site = BuiltSite.open(this.#folder) ?? this.#site
    this.#stamp = stamp
  }

  #give(path: string, accept: string, response: ServerResponse): void {
    const site = this.#site
    const found = site.find(path)
    if (found?.kind === 'redirect') {
      response.writeHead(found.status, { location: found.url }).end()
      return
    }
    const isText = found?.path.endsWith('.html') === true && wantsText(accept, site.headers)
    const text = isText ? site.find(`${path.replace(/\/+$/, '') || 'index'}.md`) : undefined
    const file = text?.kind === 'file' ? text.path : (found?.path ?? '404.html')
    if (text !== undefined) response.setHeader('vary', 'Accept')
    if (found === undefined) response.statusCode = 404
    const bytes = site.read(file)
    setHeaders(response, { path: `${site.basePath}/${file}`, file }, site.headers)
    response.end(bytes)
  }
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`)
}
