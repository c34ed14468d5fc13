/** A reader's browser for private sites. It stores cookies, and does not follow redirects. */
import { request } from 'node:http'
import { SCOPES } from '@octavo/contract'
import { expect } from 'vitest'
import { callerOf } from './call-project.ts'
import { clientOf, siteOf } from './test-deployment.ts'
import type { TestService } from './test-service.ts'

export const READER_NAMES = {
  url: 'http://127.0.0.1:8080',
  sitesDomain: 'sites.localhost',
  previewsDomain: 'previews.localhost',
}

const PAGES = {
  'index.html': '<title>Start</title>private words',
  'guide/index.html': '<title>Guide</title>more private words',
  'staff/index.html': { text: 'words for staff', access: ['staff'] },
  'owners/index.html': { text: 'words for owners', access: ['owner'] },
  'news/index.html': { text: 'public words', access: 'public' as const },
  '404.html': { text: 'Nothing is here', access: 'public' as const },
}

/** Creates a live site with pages for the public, for all readers with access, and for groups. */
export async function newReaderSite(service: TestService, basePath = '') {
  const project = await service.createProject(SCOPES)
  const [row] = await service.owner.query<{ slug: string }>(
    'select slug from project where id = $1',
    [project.id],
  )
  const slug = row?.slug ?? ''
  const host = `${slug}.sites.localhost:8080`
  const client = clientOf(service.url, project)
  await client.deploy(siteOf(PAGES, { basePath: `${basePath}/` }))
  const call = callerOf(service.url, project)
  const set = async (body: object) => {
    const reply = await call<{ mode: string }>('PUT', '/access', { body })
    if (reply.status !== 200) throw new Error(reply.text)
    return reply.body
  }
  return {
    project,
    client,
    slug,
    host,
    basePath,
    origin: `http://${host}`,
    call,
    set,
    browse: (port = service.port) => openReaderBrowser(port, host),
  }
}

export type ReaderSite = Awaited<ReturnType<typeof newReaderSite>>

export type ReaderVisit = {
  readonly status: number
  readonly location: string
  readonly text: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly cookies: readonly string[]
}

type Sent = {
  readonly method?: string
  readonly form?: Readonly<Record<string, string>> | undefined
  /** The body to send instead of the form. */
  readonly body?: string
  /** Additional headers. A header with an empty value is not sent. */
  readonly headers?: Readonly<Record<string, string>>
  readonly host?: string
}

export function openReaderBrowser(port: number, ownHost: string) {
  const cookies = new Map<string, string>()
  const visit = (path: string, sent: Sent = {}): Promise<ReaderVisit> =>
    new Promise((resolve, reject) => {
      const { form, host = ownHost } = sent
      const body = sent.body ?? (form && new URLSearchParams(form).toString())
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const all: Record<string, string> = {
        host,
        accept: 'text/html',
        cookie,
        ...(body !== undefined && {
          origin: `http://${host}`,
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': String(Buffer.byteLength(body)),
        }),
        ...sent.headers,
      }
      const headers = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
      const method = sent.method ?? (body === undefined ? 'GET' : 'POST')
      const outgoing = request({ host: '127.0.0.1', port, path, method, headers, agent: false })
      outgoing.on('error', reject)
      outgoing.on('response', (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece: Buffer) => pieces.push(piece))
        response.on('error', reject)
        response.on('end', () => {
          const set = response.headers['set-cookie'] ?? []
          for (const one of set) {
            const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? []
            if (one.includes('Max-Age=0')) cookies.delete(name)
            else cookies.set(name, value)
          }
          resolve({
            status: response.statusCode ?? 0,
            location: response.headers.location ?? '',
            text: Buffer.concat(pieces).toString('utf8'),
            headers: response.headers,
            cookies: set,
          })
        })
      })
      outgoing.end(body)
    })
  return {
    cookies,
    visit,
    /** Returns true if the browser gets a page for readers with access. */
    hasSiteAccess: async (path = '/guide') => (await visit(path)).text.includes('private words'),
  }
}

export type ReaderBrowser = ReturnType<typeof openReaderBrowser>

/** Checks the headers that every sign-in page must have. */
export function expectSafe({ headers, cookies }: ReaderVisit): void {
  expect(headers['cache-control']).toBe('no-store')
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers['x-frame-options']).toBe('DENY')
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  for (const cookie of cookies)
    expect(cookie).toMatch(/^__Host-[\w-]+=[^;]*; Path=\/; Secure; HttpOnly; SameSite=Lax/)
}

/** Redirect targets on other sites that a browser or a careless program might follow. */
export const OPEN_REDIRECTS = [
  'https://evil.example',
  'http:evil.example',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\u0001//evil.example',
  ' //evil.example',
  '/..//evil.example',
  '/.//evil.example',
  '/%2e%2e//evil.example',
  '/docs//evil.example',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,x',
  'evil.example',
  '@evil.example',
  '.evil.example',
  '/a\r\nset-cookie: x=y',
  '/\u2028/evil.example',
  'blob:https://evil.example/x',
] as const
