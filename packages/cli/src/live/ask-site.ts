/**
 * Sends one request to a site and returns the raw response: redirects are not followed, and the
 * body is not decompressed.
 */
import { get as getHttp, type IncomingHttpHeaders } from 'node:http'
import { get as getHttps } from 'node:https'

export type SiteResponse = {
  readonly url: URL
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

export type AskSite = (
  url: URL,
  headers?: Readonly<Record<string, string>>,
) => Promise<SiteResponse>

const TIMEOUT_MS = 10_000
/** The maximum number of body bytes to read, which is enough to recognize any page. */
const BYTES_MAX = 4 * 1024 * 1024

export const askSite: AskSite = (url, headers = {}) =>
  new Promise((resolve, reject) => {
    const get = url.protocol === 'https:' ? getHttps : getHttp
    const isLocal = url.hostname.endsWith('.localhost')
    const request = get(
      {
        protocol: url.protocol,
        // Names below `localhost` mean this machine, but not every resolver knows this.
        hostname: isLocal ? '127.0.0.1' : url.hostname.replace(/^\[|\]$/g, ''),
        servername: url.hostname,
        port: url.port,
        path: url.pathname + url.search,
        headers: { host: url.host, 'user-agent': 'octavo-check', accept: '*/*', ...headers },
        timeout: TIMEOUT_MS,
      },
      (response) => {
        const pieces: Buffer[] = []
        let size = 0
        response.on('data', (piece: Buffer) => {
          size += piece.length
          if (size > BYTES_MAX) response.destroy(new Error(`${url.href} is too large.`))
          else pieces.push(piece)
        })
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            url,
            status: response.statusCode ?? 0,
            headers: response.headers,
            bytes: Buffer.concat(pieces),
          }),
        )
      },
    )
    request.on('error', reject)
    request.on('timeout', () =>
      request.destroy(new Error(`No answer within ${TIMEOUT_MS / 1_000} seconds.`)),
    )
  })
