/** What the service itself answers on every site, in the order in which it is looked for. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ASSISTANT_LIMITS } from '@octavo/contract'
import { EVENT_LIMITS, EVENTS_PATH, HOST_SCRIPT_PATH } from '@octavo/model'
import { ALLOW_ORIGIN, sendJson, sendText } from '../../platform/http/send-reply.ts'
import { isPreview } from '../../publishing/domains/site-address.ts'
import { METADATA_PATH } from '../access/protected-resource.ts'
import { READER_BODY_BYTES_MAX, READER_PATHS } from '../access/reader-exchange.ts'
import type { ReaderPages } from '../access/reader-pages.ts'
import type { SiteEvents } from '../analytics/site-events.ts'
import type { SiteMcp } from '../mcp/site-mcp.ts'
import { ASSISTANT_PATH, MCP_PATH } from '../site-paths.ts'
import { isCountedSite } from './counted-file.ts'
import type { SiteView } from './find-file.ts'
import { hasIndex } from './find-file.ts'
import { HostScriptServer } from './host-script.ts'
import {
  type PlaygroundProxy,
  PROXY_BODY_BYTES_MAX,
  PROXY_PATH,
  serversOf,
} from './playground-proxy.ts'
import { CHANGES_PATH, LIVE_PATH, PreviewTools, type PreviewToolsDeps } from './preview-tools.ts'
import type { SitePointer } from './site-directory.ts'
import type { SiteExchange, SiteRoute } from './site-router.ts'

/** A request to the assistant of one site; `path` follows `/_octavo/assistant/`. */
export type AssistantRequest = {
  readonly slug: string
  readonly pointer: SitePointer
  readonly view: SiteView
  readonly path: string
}

/** What answers it. */
type Assistant = {
  readonly answer: (
    request: IncomingMessage,
    response: ServerResponse,
    asked: AssistantRequest,
  ) => Promise<void>
  readonly isShown: (asked: Pick<AssistantRequest, 'pointer' | 'view'>) => Promise<boolean>
}

export type SiteRouteDeps = PreviewToolsDeps & {
  readonly proxy: PlaygroundProxy
  readonly assistant: Assistant
  readonly readerPages: ReaderPages
  readonly mcp: SiteMcp
  readonly events: SiteEvents
}

const READ: ReadonlySet<string> = new Set(['GET', 'HEAD'])
const POST: ReadonlySet<string> = new Set(['POST'])
/** Those that refuse methods with words of their own. */
const ALL: ReadonlySet<string> = new Set([...READ, ...POST, 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export function siteRoutes(deps: SiteRouteDeps): readonly SiteRoute[] {
  const scripts = new HostScriptServer()
  return [
    ...readerRoutes(deps),
    proxyRoute(deps),
    assistantRoute(deps, scripts),
    eventsRoute(deps),
    mcpRoute(deps),
    ROBOTS,
    versionRoute(deps),
    hostScriptRoute(deps, scripts),
    previewRoute(deps),
  ]
}

function readerRoutes({ readerPages }: SiteRouteDeps): readonly SiteRoute[] {
  const isFor = (exchange: SiteExchange) => readerPages.isFor(exchange)
  const handle = (exchange: SiteExchange) => readerPages.answer(exchange)
  const shared = { metric: 'site', isFor, handle } as const
  return [
    {
      ...shared,
      paths: READER_PATHS,
      after: 'base',
      methods: ALL,
      bodyBytesMax: READER_BODY_BYTES_MAX,
    },
    {
      ...shared,
      // At the root of the host, the path of the resource may be behind it.
      paths: [METADATA_PATH, `${METADATA_PATH}/`],
      after: 'either',
      methods: READ,
      bodyBytesMax: 0,
    },
  ]
}

const proxyRoute = ({ proxy }: SiteRouteDeps): SiteRoute => ({
  paths: [PROXY_PATH],
  // Playgrounds understand what the proxy says where the site is not, and no other reply.
  after: 'anything',
  methods: POST,
  bodyBytesMax: PROXY_BODY_BYTES_MAX,
  metric: 'site',
  handle: ({ request, response, pointer, view, pathname }) => {
    const servers = pathname === view.basePath + PROXY_PATH ? serversOf(pointer, view) : []
    return proxy.answer(request, response, { pointer, servers })
  },
})

const assistantRoute = ({ assistant }: SiteRouteDeps, scripts: HostScriptServer): SiteRoute => ({
  paths: [ASSISTANT_PATH],
  after: 'base',
  methods: ALL,
  bodyBytesMax: ASSISTANT_LIMITS.bodyBytes,
  metric: 'assistant',
  handle: async ({ request, response, slug, pointer, view, pathname }) => {
    const path = pathname.slice(view.basePath.length + ASSISTANT_PATH.length)
    const mayBePanel = READ.has(request.method ?? '')
    if (mayBePanel && (await scripts.servePanel(request, response, path))) return
    await assistant.answer(request, response, { slug, pointer, view, path })
  },
})

const eventsRoute = ({ events }: SiteRouteDeps): SiteRoute => ({
  paths: [EVENTS_PATH],
  after: 'base',
  methods: ALL,
  bodyBytesMax: EVENT_LIMITS.bodyBytes,
  metric: 'site',
  handle: ({ request, response, pointer, view }) =>
    events.answer(request, response, { pointer, view }),
})

const mcpRoute = ({ mcp }: SiteRouteDeps): SiteRoute => ({
  paths: [MCP_PATH],
  after: 'base',
  methods: ALL,
  bodyBytesMax: mcp.bodyBytesMax,
  metric: 'mcp',
  handle: ({ request, response, slug, pointer, view, reader: asker }) =>
    mcp.answer(request, response, { slug, pointer, view, asker }),
})

const ROBOTS: SiteRoute = {
  paths: ['/robots.txt'],
  after: 'root',
  methods: READ,
  bodyBytesMax: 0,
  metric: 'site',
  isFor: ({ slug }) => isPreview(slug),
  handle: ({ response }) => sendText(response, 200, 'User-agent: *\nDisallow: /'),
}

const versionRoute = ({ assistant }: SiteRouteDeps): SiteRoute => ({
  paths: ['/_octavo/version.json'],
  // Also at the root: whoever deployed does not know the base path that the site was built for.
  after: 'either',
  methods: READ,
  bodyBytesMax: 0,
  metric: 'site',
  handle: async ({ response, pointer, view }) => {
    const proxy = serversOf(pointer, view).length > 0 || undefined
    const isShown = (await assistant.isShown({ pointer, view })) || undefined
    sendJson(response, { deployment: pointer.deploymentId, proxy, assistant: isShown })
  },
})

const hostScriptRoute = ({ assistant }: SiteRouteDeps, scripts: HostScriptServer): SiteRoute => ({
  paths: [`/${HOST_SCRIPT_PATH}`],
  after: 'base',
  methods: READ,
  bodyBytesMax: 0,
  metric: 'site',
  handle: async ({ request, response, pointer, view }) => {
    const { isSandboxed, isProtected } = view
    const { isLetIn } = view.reader
    if (isSandboxed) response.setHeader(ALLOW_ORIGIN, '*')
    await scripts.serveScript(request, response, {
      isPreview: pointer.preview !== undefined && (isLetIn || isSandboxed),
      hasAssistant: await assistant.isShown({ pointer, view }),
      hasMcp: hasIndex(view),
      hasEvents: isCountedSite(view),
      languages: view.root.languages,
      isSignedIn: isProtected && !isSandboxed ? isLetIn : undefined,
    })
  },
})

function previewRoute(deps: SiteRouteDeps): SiteRoute {
  const tools = new PreviewTools(deps)
  return {
    paths: [CHANGES_PATH, LIVE_PATH],
    after: 'base',
    methods: READ,
    bodyBytesMax: 0,
    metric: 'site',
    isFor: ({ pointer, view }) => pointer.preview !== undefined && view.reader.isLetIn,
    handle: (exchange) => tools.answer(exchange),
  }
}
