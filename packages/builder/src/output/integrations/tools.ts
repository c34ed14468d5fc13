/**
 * The tools that `integrations` of docs.json can load, each with the address of its script and the
 * hosts that it documents for policies: nothing of it is left to what the tool does at run time.
 */
import type { Config } from '@octavo/model'
import type { Origins } from '../../compile/origins.ts'

type Integrations = NonNullable<Config['integrations']>

/** See browser/integrations/integration-plan.ts, which reads it. */
export type LoadedTool = {
  readonly kind: string
  readonly src: string
  readonly id: string
  readonly settings?: Readonly<Record<string, unknown>>
  readonly origins: Partial<Origins>
}

/** Those of docs.json whose ids are right, in a fixed order. */
export function loadedTools(integrations: Integrations | undefined): readonly LoadedTool[] {
  if (integrations === undefined) return []
  const { ga4, gtm, heap, intercom, mixpanel, plausible, posthog, segment } = integrations
  // Nobody asks the reader, so none of them may start.
  const isUnasked = integrations.onetrust !== undefined || integrations.transcend !== undefined
  if (isUnasked && !integrations.cookies?.key) return []
  return [
    ...(ga4?.measurementId ? [googleAnalytics(ga4.measurementId)] : []),
    ...(gtm?.tagId ? [tagManager(gtm.tagId)] : []),
    ...(heap?.appId ? [heapTool(heap.appId)] : []),
    ...(intercom?.appId ? [intercomTool(intercom.appId)] : []),
    // An empty place is one that could not be read: its data must not go to the usual one.
    ...(mixpanel?.projectToken && mixpanel.region !== '' ? [mixpanelTool(mixpanel)] : []),
    ...(plausible?.domain && plausible.server !== '' ? [plausibleTool(plausible)] : []),
    ...(posthog?.apiKey && posthog.apiHost !== '' ? [posthogTool(posthog)] : []),
    ...(segment?.key && segment.cdnUrl !== '' ? [segmentTool(segment)] : []),
  ]
}

const GOOGLE: Partial<Origins> = {
  scripts: ['https://*.googletagmanager.com'],
  images: ['https://*.google-analytics.com', 'https://*.googletagmanager.com'],
  connections: [
    'https://*.google-analytics.com',
    'https://*.analytics.google.com',
    'https://*.googletagmanager.com',
    'https://www.google.com',
  ],
}

function googleAnalytics(id: string): LoadedTool {
  const src = `https://www.googletagmanager.com/gtag/js?id=${id}`
  return { kind: 'ga4', id, src, origins: GOOGLE }
}

/** Its container may load Google Analytics; hosts of other tags are named in docs.json. */
function tagManager(id: string): LoadedTool {
  const src = `https://www.googletagmanager.com/gtm.js?id=${id}`
  const frames = ['https://www.googletagmanager.com']
  return { kind: 'gtm', id, src, origins: { ...GOOGLE, frames } }
}

function heapTool(id: string): LoadedTool {
  return {
    kind: 'heap',
    id,
    src: `https://cdn.us.heap-api.com/config/${id}/heap_config.js`,
    origins: {
      scripts: ['https://cdn.us.heap-api.com', 'https://heapanalytics.com'],
      images: ['https://heapanalytics.com'],
      connections: ['https://c.us.heap-api.com', 'https://heapanalytics.com'],
    },
  }
}

function intercomTool(id: string): LoadedTool {
  const files = ['https://*.intercomcdn.com', 'https://*.intercomcdn.eu']
  const uploads = [...files, 'https://uploads.intercomusercontent.com']
  return {
    kind: 'intercom',
    id,
    src: `https://widget.intercom.io/widget/${id}`,
    origins: {
      scripts: [
        'https://app.intercom.io',
        'https://widget.intercom.io',
        'https://js.intercomcdn.com',
      ],
      // Each region has hosts of its own.
      connections: [
        'https://*.intercom.io',
        'wss://*.intercom.io',
        'https://*.intercom-messenger.com',
        'wss://*.intercom-messenger.com',
        ...uploads,
      ],
      frames: ['https://intercom-sheets.com', 'https://www.intercom-reporting.com'],
      fonts: files,
      media: files,
      images: [
        ...uploads,
        'https://static.intercomassets.com',
        'https://messenger-apps.intercom.io',
      ],
    },
  }
}

const MIXPANEL_HOSTS = {
  us: 'https://api-js.mixpanel.com',
  eu: 'https://api-eu.mixpanel.com',
  in: 'https://api-in.mixpanel.com',
}

function mixpanelTool({
  projectToken,
  region = 'us',
}: NonNullable<Integrations['mixpanel']>): LoadedTool {
  const host = MIXPANEL_HOSTS[region || 'us']
  return {
    kind: 'mixpanel',
    id: projectToken,
    src: 'https://cdn.mxpnl.com/libs/mixpanel-2-latest.min.js',
    settings: { api_host: host, track_pageview: true, persistence: 'localStorage' },
    origins: { scripts: ['https://cdn.mxpnl.com'], connections: [host] },
  }
}

function plausibleTool({
  domain,
  server = 'plausible.io',
}: NonNullable<Integrations['plausible']>): LoadedTool {
  const origin = `https://${server.toLowerCase()}`
  return {
    kind: 'plausible',
    id: domain.replaceAll(' ', ''),
    src: `${origin}/js/script.js`,
    origins: { scripts: [origin], connections: [origin] },
  }
}

function posthogTool({
  apiKey,
  apiHost = 'https://us.i.posthog.com',
  sessionRecording,
}: NonNullable<Integrations['posthog']>): LoadedTool {
  const host = apiHost.replace(/\/+$/, '')
  const { origin } = new URL(host)
  const isTheirs = /^https:\/\/(?:[a-z\d-]+\.)*posthog\.com$/.test(origin)
  const assets = host.replace('.i.posthog.com', '-assets.i.posthog.com')
  const origins = isTheirs ? ['https://*.posthog.com'] : [origin]
  return {
    kind: 'posthog',
    id: apiKey,
    src: `${assets}/static/array.js`,
    settings: { api_host: host, disable_session_recording: sessionRecording !== true },
    origins: { scripts: origins, connections: origins, images: origins },
  }
}

function segmentTool({ key, cdnUrl }: NonNullable<Integrations['segment']>): LoadedTool {
  const cdn = (cdnUrl ?? 'https://cdn.segment.com').replace(/\/+$/, '')
  const { origin } = new URL(cdn)
  return {
    kind: 'segment',
    id: key,
    src: `${cdn}/analytics.js/v1/${key}/analytics.min.js`,
    settings: { _cdn: cdn },
    origins: {
      scripts: [origin],
      connections: [...new Set([origin, 'https://cdn.segment.com', 'https://api.segment.io'])],
    },
  }
}
