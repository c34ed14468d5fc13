/**
 * Creates small sites with a manifest, and a client that deploys them in the same way as `octavo
 * deploy`.
 */
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { type ManifestEntry, type ManifestFacts, mediaType, printManifest } from '@octavo/model'
import type { TestProject } from './test-service.ts'

export const digest = (bytes: string | Uint8Array) =>
  createHash('sha256').update(bytes).digest('hex')

export type TestSite = {
  readonly root: string
  /** The runs and files of the site, by digest. */
  readonly blobs: ReadonlyMap<string, Buffer>
}

type FileOf = string | (Partial<ManifestEntry> & { readonly text: string })

export function siteOf(
  files: Readonly<Record<string, FileOf>>,
  facts: Partial<ManifestFacts> = {},
): TestSite {
  const blobs = new Map<string, Buffer>()
  const entries = Object.entries(files).map(([path, file]): ManifestEntry => {
    const { text, ...rest } = typeof file === 'string' ? { text: file } : file
    const bytes = Buffer.from(text)
    const sha256 = digest(bytes)
    blobs.set(sha256, bytes)
    const plain = { path, sha256, size: bytes.length, type: mediaType(path) }
    return { ...plain, access: 'default', ...rest }
  })
  const all: ManifestFacts = {
    builder: 'test',
    basePath: '/',
    redirects: [],
    origins: {},
    languages: [],
    versions: [],
    search: [],
    sections: '_octavo/sections/',
    ...facts,
  }
  const { root, runs } = printManifest(all, entries, digest)
  for (const { sha256, text } of runs) blobs.set(sha256, Buffer.from(text))
  return { root, blobs }
}

/** Encodes several files as one request body, in the format of the API. */
export function framesOf(blobs: Iterable<readonly [sha256: string, bytes: Buffer]>): Buffer {
  const parts = [...blobs].flatMap(([sha256, bytes]) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    return [Buffer.from(sha256, 'hex'), length, bytes]
  })
  return Buffer.concat(parts)
}

export type Client = ReturnType<typeof clientOf>

/** Returns a client for the routes of a project's deployments. */
export function clientOf(url: string, project: Pick<TestProject, 'publicId' | 'token'>) {
  const base = `${url}/v1/projects/${project.publicId}`
  const headers = { authorization: `Bearer ${project.token}` }
  async function call(method: string, path: string, body?: object, more: object = {}) {
    const response = await fetch(base + path, {
      method,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...more,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
  }
  const sendBlobs = async (blobs: Iterable<readonly [string, Buffer]>) => {
    const response = await fetch(`${base}/blobs`, {
      method: 'POST',
      headers,
      body: new Uint8Array(framesOf(blobs)),
    })
    return { status: response.status, body: await response.json() }
  }

  /** Uploads blobs until the service has all of them. Returns the number of uploaded blobs. */
  async function upload(id: string, site: TestSite): Promise<number> {
    let sent = 0
    for (;;) {
      const { body } = await call('GET', `/deployments/${id}/missing`)
      const { missing = [] } = body as { missing?: string[] }
      if (missing.length === 0) return sent
      sent += missing.length
      await sendBlobs(missing.map((sha256) => [sha256, site.blobs.get(sha256) ?? Buffer.alloc(0)]))
    }
  }

  return {
    call,
    sendBlobs,
    upload,
    create: (site: TestSite, more: object = {}) =>
      call('POST', '/deployments', { root: site.root, ...more }),
    async deploy(site: TestSite, more: object = {}) {
      const { body } = await call('POST', '/deployments', { root: site.root, ...more })
      const sent = await upload(body.id, site)
      const finished = await call('POST', `/deployments/${body.id}/finish`)
      return { id: body.id as string, sent, ...finished }
    },
  }
}

export type SiteResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
}

/** Sends a request to the site with this host, like a reader's browser. */
export function visit(
  port: number,
  host: string,
  path: string,
  options: {
    readonly method?: string
    readonly headers?: Record<string, string>
    readonly body?: string
    readonly timeoutMs?: number
  } = {},
): Promise<SiteResponse> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body, timeoutMs } = options
    const signal = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        headers: { host, ...headers },
        agent: false,
        ...(signal && { signal }),
      },
      (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece: Buffer) => pieces.push(piece))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            bytes: Buffer.concat(pieces),
          }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}
