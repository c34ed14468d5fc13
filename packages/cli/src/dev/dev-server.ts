/**
 * Serves the site of `octavo dev` over HTTP: pages as a build writes them plus one script, with the
 * headers that a host would send. It serves only what a build would write, and only to host names
 * of this machine.
 */
import { createReadStream } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'
import type { BackgroundBuild, DevSite, FoundOutput, HeaderRule } from '@octavo/builder'
import { type Diagnostic, HOST_SCRIPT_PATH, mediaType, PLAIN_HOST_SCRIPT } from '@octavo/model'
import { isAllowedHost } from '../loopback/allowed-host.ts'
import type { DevMock } from './dev-mock.ts'
import { handleFixRequest } from './fix-request.ts'
import { decodePath, setHeaders, wantsText } from './header-rules.ts'
import { LiveConnection } from './live-connection.ts'
import { handleOpenRequest, type OpenPlace } from './open-request.ts'
import { type SentPage, shownProblems, withClient, withPageVersion } from './sent-page.ts'

export type DevServerInput = {
  readonly site: DevSite
  readonly behind: BackgroundBuild
  /** The source of the script that is added to pages. */
  readonly client: () => Promise<string>
  readonly folder: string
  readonly host: string
  readonly openPlace: OpenPlace
  /** Answers the requests of playgrounds; undefined without `--mock`. */
  readonly mock?: DevMock | undefined
  /** Called after a page is served. */
  readonly onPage?: () => void
}

export type Shown = {
  /** The number of open pages that have changed. */
  readonly count: number
  readonly problems: Promise<OpenPageProblems>
}

/** The problems of each open page, by its path. */
export type OpenPageProblems = ReadonlyMap<string, readonly Diagnostic[]>

const OWN = '/_octavo/dev'
const CLIENT_URL = `${OWN}/client.js`
const MOCK_URL = `${OWN}/mock/`
/** Matches files that are made from all pages and served only after the first build. */
const SITE_WIDE_FILES =
  /^(?:_octavo\/|\.well-known\/|[^/]+\.(?:txt|xml|md|json)$|_headers$|_redirects$)/

export class DevServer {
  readonly #input: DevServerInput
  readonly #server: Server
  readonly #connections = new Set<LiveConnection>()
  /** The files of the latest save. Their problems are shown on every open page. */
  #saved: ReadonlySet<string> = new Set()
  #shown: OpenPageProblems = new Map()
  #work: Promise<unknown> = Promise.resolve()

  constructor(input: DevServerInput) {
    this.#input = input
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        // A bug in one response must not stop the server.
        if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' })
        response.end(`octavo dev: request failed: ${String(error)}\n`)
      })
    })
  }

  get readerCount(): number {
    return this.#connections.size
  }

  /** Starts to listen and resolves to the port; rejects if it is in use. */
  listen(port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, this.#input.host, () => {
        this.#server.off('error', reject)
        resolve((this.#server.address() as AddressInfo).port)
      })
    })
  }

  /** Updates all open pages. Their problems follow later, because they are less urgent. */
  async show(files: ReadonlySet<string>): Promise<Shown> {
    if (files.size > 0) this.#saved = files
    const showing = this.#work.then(async () => {
      let count = 0
      const shown: (readonly [LiveConnection, SentPage])[] = []
      for (const connection of this.#connections) {
        const page = await this.#pageAt(connection.path)
        count += bring(connection, page, [...files]) ? 1 : 0
        shown.push([connection, page])
      }
      return { count, problems: this.#showProblems(shown) }
    })
    this.#work = showing.then(({ problems }) => problems).catch(() => undefined)
    return showing
  }

  async #showProblems(
    shown: readonly (readonly [LiveConnection, SentPage])[],
  ): Promise<OpenPageProblems> {
    const { read } = this.#input.site
    const byPath = new Map<string, readonly Diagnostic[]>()
    for (const [connection, page] of shown) {
      const problems = await page.problems()
      connection.showProblems(shownProblems(problems, { read, saved: this.#saved }))
      byPath.set(connection.path, [...problems.own, ...problems.caused, ...problems.others])
    }
    this.#shown = byPath
    return byPath
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { host } = this.#input
    if (!isAllowedHost(request.headers.host, host)) {
      response.writeHead(403, { 'content-type': 'text/plain' })
      response.end('octavo dev only accepts requests for the host name it was started with.\n')
      return
    }
    const url = URL.parse(request.url ?? '/', 'http://site')
    if (url?.pathname === `${OWN}/open`) {
      const { folder, site, openPlace } = this.#input
      return handleOpenRequest(request, response, { folder, files: site.files, openPlace })
    }
    if (url?.pathname === `${OWN}/fix`) {
      const { folder, site } = this.#input
      const shown = [...this.#shown.values()].flat()
      return handleFixRequest(request, response, { folder, files: site.files, shown })
    }
    const { mock } = this.#input
    if (mock !== undefined && request.url?.startsWith(MOCK_URL) === true) {
      return mock.answer(request, response, request.url.slice(MOCK_URL.length))
    }
    if (url === null || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(405, { allow: 'GET, HEAD' }).end()
      return
    }
    if (url.pathname === CLIENT_URL) {
      response.writeHead(200, {
        'content-type': mediaType(CLIENT_URL),
        'cache-control': 'no-cache',
      })
      response.end(await this.#input.client())
    } else if (url.pathname === `/${HOST_SCRIPT_PATH}`) {
      // This script is served immediately, because a browser shows a page as loading until it has
      // all scripts.
      response.writeHead(200, { 'content-type': mediaType(HOST_SCRIPT_PATH) })
      response.end(PLAIN_HOST_SCRIPT)
    } else if (url.pathname === `${OWN}/events`) await this.#follow(url.searchParams, response)
    else await this.#give(url.pathname, request.headers.accept ?? '', response)
  }

  async #follow(query: URLSearchParams, response: ServerResponse): Promise<void> {
    const path = decodePath(query.get('path') ?? '/')
    const connection = new LiveConnection(response, { path, version: query.get('version') ?? '' })
    this.#connections.add(connection)
    response.on('close', () => this.#connections.delete(connection))
    await this.show(new Set())
  }

  async #give(pathname: string, accept: string, response: ServerResponse): Promise<void> {
    const { site } = this.#input
    const path = decodePath(pathname)
    const found = site.find(path)
    if (found?.kind === 'page' && found.form === 'html' && wantsText(accept, site.headers)) {
      response.setHeader('vary', 'Accept')
      return this.#sendPageText(response, `${found.page.path}.md`, { ...found, form: 'markdown' })
    }
    switch (found?.kind) {
      case 'redirect':
        response.writeHead(found.status, { location: encodeURI(found.url) }).end()
        return
      case 'content':
        sendAs(response, found.path, this.#input.site.headers)
        response.end(found.content)
        return
      case 'page':
        if (found.form !== 'html') return this.#sendPageText(response, path, found)
        break
      case undefined: {
        const waits = SITE_WIDE_FILES.test(path)
        const file = await this.#input.behind.find(path, { waits })
        if (file !== undefined) return this.#sendBuiltFile(response, path, file)
      }
    }
    const page = await this.#pageAt(path)
    sendAs(response, 'page.html', page.headers)
    response.statusCode = page.status
    const source = found?.kind === 'page' ? found.page.backing?.source : undefined
    const isMocked = this.#input.mock !== undefined && source !== undefined
    const mockUrl = isMocked ? `${MOCK_URL}${encodeURIComponent(source)}` : undefined
    response.end(withClient(page, { clientUrl: CLIENT_URL, mockUrl }))
    this.#input.onPage?.()
  }

  async #sendPageText(
    response: ServerResponse,
    path: string,
    { page, form, part }: Extract<FoundOutput, { kind: 'page' }>,
  ): Promise<void> {
    const { site } = this.#input
    const text = form === 'html' ? undefined : await site.text(page, { form, part })
    if (text === undefined) response.statusCode = 404
    sendAs(response, path, site.headers)
    response.end(text)
  }

  #sendBuiltFile(response: ServerResponse, path: string, file: string): void {
    sendAs(response, path, this.#input.site.headers)
    pipeline(createReadStream(file), response, (error) => {
      if (error !== null && !response.headersSent) response.writeHead(404).end()
    })
  }

  async #pageAt(path: string): Promise<SentPage> {
    const { site } = this.#input
    const found = site.find(path)
    const isPage = found?.kind === 'page' && found.form === 'html'
    return withPageVersion(isPage ? await site.page(found.page) : site.notFound())
  }
}

function sendAs(response: ServerResponse, file: string, rules: readonly HeaderRule[]): void {
  setHeaders(response, { path: `/${file}`, file }, rules)
}

/** Updates one open page. Returns true if the page has changed. */
function bring(connection: LiveConnection, page: SentPage, files: readonly string[]): boolean {
  const isNew = connection.show(page)
  // The scripts of a page can change while its markup stays the same.
  const runs = files.some(
    (file) => /\.js$/.test(file) || (page.hasIslands && /\.(?:jsx|tsx?|mdx?)$/.test(file)),
  )
  if (runs) connection.load()
  else connection.showFiles(files.filter(isReloadable).map((file) => encodeURI(`/${file}`)))
  return isNew || runs
}

/** Checks whether a file is visible on pages and has a stable URL. */
function isReloadable(file: string): boolean {
  return /\.(?:css|svg|png|jpe?g|gif|webp|avif|bmp|ico)$/i.test(file)
}
