/**
 * Serves `/cli/octavo-<version>.tgz`, the CLI of this version, for `npx`. The URL is on this
 * service, so `npx` never runs a package from another publisher, and the version always matches the
 * service.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { VERSION } from '@octavo/model'
import { commandLineFile } from '../../platform/own-files.ts'

export const COMMAND_LINE_FOLDER = '/cli/'
const PATH = `${COMMAND_LINE_FOLDER}octavo-${VERSION}.tgz`
const IMMUTABLE = 'public, max-age=31536000, immutable'

export type CommandLine = {
  /** The URL for `npx`; undefined in a clone that was not built. */
  readonly url: () => string | undefined
  /** Handles all requests below `/cli/`. */
  readonly answer: (request: Request) => Promise<Response>
}

export type CommandLineDeps = {
  readonly origin: string
  /** Returns the file's path; undefined if it was not built. */
  readonly findFile?: () => string | undefined
}

export function createCommandLine({
  origin,
  findFile = commandLineFile,
}: CommandLineDeps): CommandLine {
  const current = fileOrigin(origin) + PATH
  const hashes = new Map<string, Promise<string>>()

  /** Returns the file's size and ETag. The file is hashed only when it has changed. */
  async function describe(file: string) {
    const { size, mtimeMs } = await stat(file)
    const key = `${file} ${size} ${mtimeMs}`
    const hash = hashes.get(key) ?? hashOf(file)
    hashes.clear()
    hashes.set(key, hash)
    return { size, tag: `"${await hash}"` }
  }

  return {
    url: () => (findFile() === undefined ? undefined : current),

    async answer(request) {
      if (request.method === 'POST')
        return textResponse(405, 'Allowed methods: GET, HEAD.', { allow: 'GET, HEAD' })
      const file = findFile()
      if (file === undefined)
        return textResponse(404, 'The command line was not built. Run: npm run build')
      if (new URL(request.url).pathname !== PATH)
        return textResponse(
          404,
          `This service has version ${VERSION} of the command line: ${current}`,
        )
      const { size, tag } = await describe(file)
      const headers = { etag: tag, 'cache-control': IMMUTABLE }
      if (request.headers.get('if-none-match')?.includes(tag))
        return new Response(null, { status: 304, headers })
      const body = request.method === 'HEAD' ? null : Readable.toWeb(createReadStream(file))
      return new Response(body as ReadableStream<Uint8Array> | null, {
        headers: {
          ...headers,
          'content-type': 'application/gzip',
          'content-length': String(size),
        },
      })
    },
  }
}

/** Returns true if a request to the loopback address asks for the file; see `fileOrigin`. */
export function isCommandLineFileRequest(
  url: string | undefined,
  host: string,
  path: string,
): boolean {
  if (url === undefined || !path.startsWith(COMMAND_LINE_FOLDER)) return false
  return fileOrigin(new URL(url).origin) === `http://${host}`
}

/**
 * Returns the origin for the URL of the file. Browsers resolve names below `localhost`, but npx may
 * be unable to, so the URL for npx contains the loopback address.
 */
function fileOrigin(origin: string): string {
  const { protocol, hostname, port } = new URL(origin)
  const isLocal = protocol === 'http:' && hostname.endsWith('.localhost')
  return isLocal ? `http://127.0.0.1${port === '' ? '' : `:${port}`}` : origin
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

function textResponse(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const type = { 'content-type': 'text/plain; charset=utf-8' }
  return new Response(`${text}\n`, { status, headers: { ...type, ...headers } })
}
