/**
 * Serves the dashboard over HTTP with sample responses, for a browser.
 *
 *   npx node packages/dashboard/testing/serve-dashboard.ts        (prints the address)
 */
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { ConnectionReply } from '@octavo/contract'
import { build } from 'esbuild'
import { dashboardStyles } from '../src/dashboard-styles.ts'
import { PAGE_HEADERS } from '../src/parts/document.ts'
import { ALL_SCREENS } from './all-screens.ts'
import { createDashboard } from './create-dashboard.ts'
import { ASSETS, gatePages } from './gate-pages.ts'
import { problemToResponse, recordApi, visitOf } from './recorded-api.ts'
import { PROJECT_ID } from './sample-facts.ts'
import { sampleGitHubChoice, sampleRefusedConnection } from './sample-site.ts'

const PROJECT = `/projects/${PROJECT_ID}`
const FACES = '@font-face{font-family:Inter;src:url(inter.woff2);font-weight:100 900}'

/** Pages that are only shown after a form is submitted. */
const FORM_PAGES: Readonly<Record<string, readonly [path: string, form: Record<string, string>]>> =
  {
    'key-created': [`${PROJECT}/keys`, { name: 'x' }],
    'invitation-created': [`${PROJECT}/members`, { email: 'a@b.example' }],
    'assistant-answer': [`${PROJECT}/assistant/test`, { question: 'How do I calibrate?' }],
    'webhook-created': [`${PROJECT}/settings/webhook`, { url: 'x' }],
    'webhook-tested': [`${PROJECT}/settings/webhook/test`, {}],
    'connection-created': [`${PROJECT}/connection`, { url: 'x' }],
  }
const REFUSED_PAGES: Readonly<Record<string, readonly [path: string, param: string]>> = {
  'key-refused': [`${PROJECT}/keys`, 'name'],
  'project-refused': ['/', 'slug'],
  'settings-refused': [`${PROJECT}/settings`, 'retentionDays'],
  'domain-refused': [`${PROJECT}/domains`, 'name'],
  'connection-refused': [`${PROJECT}/connection/change`, 'folder'],
}
const EMPTY_SCREENS = [
  ...[
    'projects',
    'overview',
    'deployments',
    'builds-list',
    'previews',
    'conversations',
    'gaps',
    'keys',
  ],
  ...[
    'audit',
    'usage',
    'connection',
    'domains',
    'analytics',
    'analytics-pages',
    'feedback',
    'access',
    'settings',
  ],
]

export const OTHER_PAGES: readonly string[] = [
  ...Object.keys(gatePages()).map((name) => `/_gate/${name}`),
  ...Object.keys(FORM_PAGES).map((name) => `/_form/${name}`),
  ...Object.keys(REFUSED_PAGES).map((name) => `/_refused/${name}`),
  ...EMPTY_SCREENS.map((name) => `/_empty/${name}`),
  '/_new/analytics',
  '/_new/feedback',
  '/_github/choose',
  '/_refused-access/connection',
]

export type ServedDashboard = { readonly url: string; close(): Promise<void> }

export async function serveDashboard(hostile = ''): Promise<ServedDashboard> {
  const script = await compileScript()
  const font = readFileSync(
    createRequire(import.meta.url).resolve(
      '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
    ),
  )
  const files: Readonly<Record<string, readonly [string, string | Uint8Array]>> = {
    [ASSETS.css]: ['text/css', dashboardStyles(FACES)],
    [ASSETS.script]: ['text/javascript', script],
    '/assets/inter.woff2': ['font/woff2', font],
  }
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/'
    const file = files[path]
    if (file !== undefined) {
      response.setHeader('content-type', file[0])
      response.end(file[1])
      return
    }
    const reply = await answer(path, request.headers.cookie, hostile)
    response.writeHead(reply.status, Object.fromEntries(reply.headers))
    response.end(Buffer.from(await reply.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => closeServer(server) }
}

const closeServer = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

async function compileScript(): Promise<string> {
  const entry = new URL('../../browser/src/dashboard/dashboard.ts', import.meta.url)
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(entry)],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
  })
  return outputFiles[0]?.text ?? ''
}

async function answer(path: string, cookie: string | undefined, hostile: string) {
  const dashboard = createDashboard({
    connectsGitHub: true,
    commandLineUrl: 'https://octavo.greenhouse.example/cli/octavo-0.1.0.tgz',
  })
  const [, kind = '', name = ''] = path.split('/')
  const isEmpty = kind === '_empty'
  const { api } = recordApi({ hostile, isEmpty, isUnread: isEmpty || kind === '_new' })
  if (kind === '_gate')
    return new Response(gatePages(hostile)[name] ?? '', { headers: PAGE_HEADERS })
  if (kind === '_form') {
    const [at, form] = FORM_PAGES[name] ?? ['/', {}]
    return dashboard.handle(visitOf(api, at, { form, hostile }))
  }
  if (kind === '_refused') {
    const [at, param] = REFUSED_PAGES[name] ?? ['/', '']
    const refusing: typeof api = async (method, to, options) =>
      method === 'GET'
        ? api(method, to, options)
        : problemToResponse(400, { param, detail: `This cannot be so.${hostile}` })
    const form = { name: 'Typed', part: name === 'settings-refused' ? 'data' : '' }
    return dashboard.handle(visitOf(refusing, at, { form, hostile }))
  }
  if (kind === '_refused-access') {
    const reply = () => Response.json(ConnectionReply.parse(sampleRefusedConnection(hostile)))
    const refused = recordApi({ hostile, replies: { [`GET /v1${PROJECT}/connection`]: reply } })
    return dashboard.handle(visitOf(refused.api, `${PROJECT}/connection`, { hostile }))
  }
  if (kind === '_github') {
    const visit = visitOf(api, `${PROJECT}/connection/github`, { hostile })
    return dashboard.handle({ ...visit, gitHub: sampleGitHubChoice(hostile) })
  }
  const at = kind === '_empty' || kind === '_new' ? (ALL_SCREENS[name] ?? '/') : path
  return dashboard.handle(
    visitOf(api, at, { hostile, ...(cookie === undefined ? {} : { cookie }) }),
  )
}

if (import.meta.main) {
  const { url } = await serveDashboard()
  console.log(`${url}\n\nPages that no link opens: ${OTHER_PAGES.join(' ')}`)
}
