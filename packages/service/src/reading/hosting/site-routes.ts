/**
 * Lists the routes of the service that exist on every site, in the order in which they are matched.
 */
import { EVENT_LIMITS, EVENTS_PATH, HOST_SCRIPT_PATH } from '@octavo/model'
import { ALL_METHODS, POST, READ } from '../../platform/http/reader-request.ts'
import { ALLOW_ORIGIN, sendJson, sendText } from '../../platform/http/send-response.ts'
import { isPreview } from '../../publishing/domains/site-address.ts'
import type { SiteEvents } from '../analytics/site-events.ts'
import type { SiteMcp } from '../mcp/site-mcp.ts'
import { ASSISTANT_PATH, MCP_PATH } from '../site-paths.ts'
import { isCountedSite } from './counted-file.ts'
import { hasIndex } from './find-file.ts'
import { HostScriptServer, isPanelName } from './host-script.ts'
import {
  type PlaygroundProxy,
  PROXY_BODY_BYTES_MAX,
  PROXY_PATH,
  serversOf,
} from './playground-proxy.ts'
import { CHANGES_PATH, LIVE_PATH, PreviewTools, type PreviewToolsDeps } from './preview-tools.ts'
import type { SiteProofs } from './site-proofs.ts'
import { pathBelow, type SiteExchange, type SiteRoute } from './site-router.ts'

type Assistant = {
  /** All routes below `ASSISTANT_PATH`, except for the panel's scripts. */
  readonly routes: readonly SiteRoute[]
  readonly isShown: (asked: Pick<SiteExchange, 'pointer' | 'view'>) => Promise<boolean>
}

export type SiteRouteDeps = PreviewToolsDeps & {
  readonly proxy: PlaygroundProxy
  readonly assistant: Assistant
  readonly readerPages: readonly SiteRoute[]
  readonly mcp: SiteMcp
  readonly events: SiteEvents
  readonly proofs: SiteProofs
}

export function siteRoutes(deps: SiteRouteDeps): readonly SiteRoute[] {
  const scripts = new HostScriptServer()
  return [
    ...deps.readerPages,
    proxyRoute(deps),
    panelRoute(scripts),
    ...deps.assistant.routes,
    eventsRoute(deps),
    deps.proofs.route,
    mcpRoute(deps),
    ROBOTS,
    versionRoute(deps),
    hostScriptRoute(deps, scripts),
    ...previewRoutes(deps),
  ]
}

const proxyRoute = ({ proxy }: SiteRouteDeps): SiteRoute => ({
  paths: [PROXY_PATH],
  // Wrong paths also get an error from the proxy: playgrounds understand no other format.
  after: 'anything',
  methods: POST,
  bodyBytesMax: PROXY_BODY_BYTES_MAX,
  metric: 'site',
  handle: ({ request, response, pointer, view, pathname }) => {
    const servers = pathname === view.basePath + PROXY_PATH ? serversOf(pointer, view) : []
    return proxy.answer(request, response, { pointer, servers })
  },
})

const panelRoute = (scripts: HostScriptServer): SiteRoute => ({
  paths: [ASSISTANT_PATH],
  after: 'base',
  methods: READ,
  bodyBytesMax: 0,
  metric: 'assistant',
  isFor: (exchange) => isPanelName(pathBelow(exchange, ASSISTANT_PATH)),
  handle: (exchange) => scripts.servePanel(exchange, pathBelow(exchange, ASSISTANT_PATH)),
})

const eventsRoute = ({ events }: SiteRouteDeps): SiteRoute => ({
  paths: [EVENTS_PATH],
  after: 'base',
  methods: ALL_METHODS,
  bodyBytesMax: EVENT_LIMITS.bodyBytes,
  metric: 'site',
  handle: ({ request, response, pointer, view }) =>
    events.answer(request, response, { pointer, view }),
})

const mcpRoute = ({ mcp }: SiteRouteDeps): SiteRoute => ({
  paths: [MCP_PATH],
  after: 'base',
  methods: ALL_METHODS,
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
  // The route also exists at the root, because the client that deploys does not know the base path
  // of the site.
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

const hostScriptRoute = (
  { assistant, proofs }: SiteRouteDeps,
  scripts: HostScriptServer,
): SiteRoute => ({
  paths: [`/${HOST_SCRIPT_PATH}`],
  after: 'base',
  methods: READ,
  bodyBytesMax: 0,
  metric: 'site',
  handle: async ({ request, response, pointer, view }) => {
    const { isSandboxed, isProtected } = view
    const { hasSiteAccess } = view.reader
    if (isSandboxed) response.setHeader(ALLOW_ORIGIN, '*')
    await scripts.serveScript(request, response, {
      isPreview: pointer.preview !== undefined && (hasSiteAccess || isSandboxed),
      hasAssistant: await assistant.isShown({ pointer, view }),
      hasMcp: hasIndex(view),
      hasEvents: isCountedSite(view),
      hasProof: await proofs.isShown({ pointer, view }),
      languages: view.root.languages,
      isSignedIn: isProtected && !isSandboxed ? hasSiteAccess : undefined,
    })
  },
})

function previewRoutes(deps: SiteRouteDeps): readonly SiteRoute[] {
  const tools = new PreviewTools(deps)
  const route = (path: string, handle: SiteRoute['handle']): SiteRoute => ({
    paths: [path],
    after: 'base',
    methods: READ,
    bodyBytesMax: 0,
    metric: 'site',
    isFor: ({ pointer, view }) => pointer.preview !== undefined && view.reader.hasSiteAccess,
    handle,
  })
  return [
    route(CHANGES_PATH, (exchange) => tools.sendChanges(exchange)),
    route(LIVE_PATH, (exchange) => tools.serveLivePage(exchange)),
  ]
}
