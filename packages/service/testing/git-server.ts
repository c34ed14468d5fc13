/** A Git server over HTTP on loopback, which runs `git http-backend`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type GitServer = {
  /** The base URL of the repositories, without a trailing slash. */
  readonly url: string
  /** Called for each request. If it returns true, Git does not handle the request. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean
  /** The credential that clients must send, as `user:token`. If undefined, access is anonymous. */
  credential: string | undefined
  /** Git settings of the server, such as `uploadpack.allowFilter`. */
  settings: Readonly<Record<string, string>>
  /** The method and path of each received request. */
  readonly requests: string[]
  readonly close: () => void
}

const FILTERS = { 'uploadpack.allowFilter': 'true' }

/** Starts the server on a free port. Pass a port to replace an earlier server. */
export async function startGitServer(root: string, port = 0): Promise<GitServer> {
  const server = createServer((request, response) => {
    gitServer.requests.push(`${request.method} ${request.url}`)
    if (gitServer.intercept(request, response)) return
    const { credential } = gitServer
    const expected = `Basic ${Buffer.from(credential ?? '').toString('base64')}`
    if (credential !== undefined && request.headers.authorization !== expected) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="Git"' }).end()
      return
    }
    answer(root, gitServer.settings, { request, response })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const gitServer: GitServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    intercept: () => false,
    credential: undefined,
    settings: FILTERS,
    requests: [],
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
  return gitServer
}

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse }

/** Runs `git http-backend` as a CGI program (RFC 3875). */
function answer(
  root: string,
  settings: Readonly<Record<string, string>>,
  { request, response }: Exchange,
): void {
  const url = new URL(request.url ?? '', 'http://localhost')
  const pairs = Object.entries(settings)
  const backend = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_COUNT: String(pairs.length),
      ...Object.fromEntries(
        pairs.flatMap(([key, value], index) => [
          [`GIT_CONFIG_KEY_${index}`, key],
          [`GIT_CONFIG_VALUE_${index}`, value],
        ]),
      ),
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REMOTE_ADDR: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  backend.stdin.on('error', () => {})
  request.pipe(backend.stdin)
  response.on('close', () => backend.kill())
  let head = Buffer.alloc(0)
  backend.stdout.on('data', function onData(bytes: Buffer) {
    head = Buffer.concat([head, bytes])
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) return
    backend.stdout.off('data', onData)
    let status = 200
    for (const line of head.toString('latin1', 0, end).split('\r\n')) {
      const [name = '', value = ''] = line.split(/: (.*)/s)
      if (name === 'Status') status = Number.parseInt(value, 10)
      else response.setHeader(name, value)
    }
    response.writeHead(status)
    response.write(head.subarray(end + 4))
    backend.stdout.pipe(response)
  })
}
