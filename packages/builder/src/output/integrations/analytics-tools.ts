/** Describes the tools that measure the use of a site for its owner. */
import type { Origins } from '../../compile/origins.ts'
import type { LoadedTool, SettingsOf } from './loaded-tool.ts'

/** The library may be on the owner's host, but the data is sent to Adobe. */
export function adobe({ launchUrl }: SettingsOf<'adobe'>): LoadedTool {
  const data = ['https://*.adobedc.net', 'https://*.demdex.net', 'https://*.omtrdc.net']
  return {
    src: launchUrl,
    origins: {
      scripts: [new URL(launchUrl).origin, 'https://assets.adobedtm.com'],
      connections: data,
      images: data,
      frames: ['https://*.demdex.net'],
    },
  }
}

export function amplitude({ apiKey }: SettingsOf<'amplitude'>): LoadedTool {
  return {
    src: `https://cdn.amplitude.com/script/${apiKey}.js`,
    stub: {
      kind: 'amplitude',
      calls: ['track', 'identify', 'setUserId', 'setGroup', 'groupIdentify', 'setOptOut', 'reset'],
    },
    start: ['amplitude.init', apiKey, { fetchRemoteConfig: true, autocapture: true }],
    origins: { scripts: ['https://cdn.amplitude.com'], connections: ['https://*.amplitude.com'] },
  }
}

export function clarity({ projectId }: SettingsOf<'clarity'>): LoadedTool {
  const hosts = ['https://*.clarity.ms', 'https://c.bing.com']
  return {
    src: `https://www.clarity.ms/tag/${projectId}`,
    stub: { kind: 'function', name: 'clarity' },
    origins: { scripts: ['https://*.clarity.ms'], connections: hosts, images: hosts },
  }
}

export function clearbit({ publicApiKey }: SettingsOf<'clearbit'>): LoadedTool {
  const scripts = ['https://tag.clearbitscripts.com', 'https://x.clearbitjs.com']
  return {
    src: `https://tag.clearbitscripts.com/v1/${publicApiKey}/tags.js`,
    attributes: { referrerpolicy: 'strict-origin-when-cross-origin' },
    stub: {
      kind: 'list',
      name: 'clearbit',
      calls: ['identify', 'group', 'track', 'page', 'reset'],
    },
    origins: { scripts, connections: [...scripts, 'https://*.clearbit.com'] },
  }
}

export function fathom({ siteId }: SettingsOf<'fathom'>): LoadedTool {
  const hosts = ['https://cdn.usefathom.com']
  return {
    src: 'https://cdn.usefathom.com/script.js',
    attributes: { 'data-site': siteId },
    origins: { scripts: hosts, connections: hosts, images: hosts },
  }
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

export function googleAnalytics({ measurementId }: SettingsOf<'ga4'>): LoadedTool {
  return {
    src: `https://www.googletagmanager.com/gtag/js?id=${measurementId}`,
    stub: { kind: 'google', id: measurementId },
    origins: GOOGLE,
  }
}

/**
 * The container may load Google Analytics. The hosts of all other tags must be named in docs.json.
 */
export function tagManager({ tagId }: SettingsOf<'gtm'>): LoadedTool {
  return {
    src: `https://www.googletagmanager.com/gtm.js?id=${tagId}`,
    stub: { kind: 'google' },
    origins: { ...GOOGLE, frames: ['https://www.googletagmanager.com'] },
  }
}

export function heap({ appId }: SettingsOf<'heap'>): LoadedTool {
  return {
    src: `https://cdn.us.heap-api.com/config/${appId}/heap_config.js`,
    stub: {
      kind: 'heap',
      id: appId,
      calls: ['track', 'identify', 'resetIdentity', 'addUserProperties', 'addEventProperties'],
    },
    origins: {
      scripts: ['https://cdn.us.heap-api.com', 'https://heapanalytics.com'],
      images: ['https://heapanalytics.com'],
      connections: ['https://c.us.heap-api.com', 'https://heapanalytics.com'],
    },
  }
}

/** Functions of Segment's API, which Hightouch has too. */
const SEGMENT_CALLS = [
  ...['page', 'track', 'identify', 'group', 'alias'],
  ...['reset', 'ready', 'on', 'once'],
]

export function hightouch({
  writeKey,
  apiHost = 'us-east-1.hightouch-events.com',
}: SettingsOf<'hightouch'>): LoadedTool {
  const cdn = 'https://cdn.hightouch-events.com'
  const host = apiHost.toLowerCase()
  return {
    src: `${cdn}/browser/release/v1-latest/events.min.js`,
    stub: {
      kind: 'list',
      name: 'htevents',
      calls: SEGMENT_CALLS,
      own: { _writeKey: writeKey, _loadOptions: { apiHost: host } },
      first: 'page',
    },
    origins: { scripts: [cdn], connections: [cdn, `https://${host}`] },
  }
}

export function hotjar({ hjid, hjsv }: SettingsOf<'hotjar'>): LoadedTool {
  const hosts = ['https://*.hotjar.com', 'https://*.hotjar.io']
  return {
    src: `https://static.hotjar.com/c/hotjar-${hjid}.js?sv=${hjsv}`,
    globals: { _hjSettings: { hjid: Number(hjid), hjsv: Number(hjsv) } },
    stub: { kind: 'function', name: 'hj' },
    origins: {
      scripts: ['https://*.hotjar.com'],
      connections: [...hosts, 'wss://*.hotjar.com'],
      images: hosts,
      fonts: hosts,
      frames: ['https://*.hotjar.com'],
    },
  }
}

export function koala({ publicApiKey }: SettingsOf<'koala'>): LoadedTool {
  const hosts = ['https://*.getkoala.com']
  return {
    src: `https://cdn.getkoala.com/v1/${publicApiKey}/sdk.js`,
    stub: {
      kind: 'list',
      name: 'ko',
      calls: ['identify', 'track', 'removeListeners', 'open', 'on', 'off', 'qualify', 'ready'],
    },
    origins: { scripts: ['https://cdn.getkoala.com'], connections: hosts, images: hosts },
  }
}

/** LogRocket chooses one of these domains at run time, so the policy lists all of them. */
const LOGROCKET_DOMAINS = [
  ...['logrocket.io', 'lr-ingest.io', 'lr-in.com', 'lr-in-prod.com', 'lr-ingest.com'],
  ...['ingest-lr.com', 'lr-intake.com', 'intake-lr.com', 'logr-ingest.com', 'lrkt-in.com'],
  ...['lgrckt-in.com', 'logr-in.com'],
]

export function logRocket({ appId }: SettingsOf<'logrocket'>): LoadedTool {
  return {
    src: 'https://cdn.logrocket.io/LogRocket.min.js',
    attributes: { crossorigin: 'anonymous' },
    start: ['LogRocket.init', appId],
    origins: {
      scripts: LOGROCKET_DOMAINS.map((domain) => `https://cdn.${domain}`),
      connections: [...LOGROCKET_DOMAINS, 'logrocket.com'].map((domain) => `https://*.${domain}`),
      // LogRocket compresses recordings in a worker that it creates from a blob.
      workers: ['blob:'],
    },
  }
}

const MIXPANEL_HOSTS = {
  us: 'https://api-js.mixpanel.com',
  eu: 'https://api-eu.mixpanel.com',
  in: 'https://api-in.mixpanel.com',
}

export function mixpanel({ projectToken, region }: SettingsOf<'mixpanel'>): LoadedTool {
  const host = MIXPANEL_HOSTS[region || 'us']
  const settings = { api_host: host, track_pageview: true, persistence: 'localStorage' }
  return {
    src: 'https://cdn.mxpnl.com/libs/mixpanel-2-latest.min.js',
    stub: {
      kind: 'list',
      name: 'mixpanel',
      calls: ['track', 'track_pageview', 'identify', 'register', 'reset'],
      people: ['set', 'set_once', 'increment', 'append', 'union', 'unset'],
      own: { _i: [[projectToken, settings, 'mixpanel']], __SV: 1.2 },
    },
    origins: { scripts: ['https://cdn.mxpnl.com'], connections: [host] },
  }
}

export function pirsch({ id }: SettingsOf<'pirsch'>): LoadedTool {
  const hosts = ['https://api.pirsch.io']
  return {
    src: 'https://api.pirsch.io/pa.js',
    attributes: { id: 'pianjs', 'data-code': id },
    origins: { scripts: hosts, connections: hosts },
  }
}

export function plausible({
  domain,
  server = 'plausible.io',
}: SettingsOf<'plausible'>): LoadedTool {
  const origin = `https://${server.toLowerCase()}`
  return {
    src: `${origin}/js/script.js`,
    attributes: { 'data-domain': domain.replaceAll(' ', '') },
    stub: { kind: 'function', name: 'plausible' },
    origins: { scripts: [origin], connections: [origin] },
  }
}

export function posthog({
  apiKey,
  apiHost = 'https://us.i.posthog.com',
  sessionRecording,
}: SettingsOf<'posthog'>): LoadedTool {
  const host = apiHost.replace(/\/+$/, '')
  const { origin } = new URL(host)
  const isTheirs = /^https:\/\/(?:[a-z\d-]+\.)*posthog\.com$/.test(origin)
  const assets = host.replace('.i.posthog.com', '-assets.i.posthog.com')
  const origins = isTheirs ? ['https://*.posthog.com'] : [origin]
  const settings = { api_host: host, disable_session_recording: sessionRecording !== true }
  return {
    src: `${assets}/static/array.js`,
    stub: {
      kind: 'list',
      name: 'posthog',
      calls: ['capture', 'identify', 'register', 'reset', 'group', 'opt_out_capturing'],
      people: ['set', 'set_once'],
      own: { _i: [[apiKey, settings, 'posthog']], __SV: 1 },
    },
    origins: { scripts: origins, connections: origins, images: origins },
  }
}

export function segment({ key, cdnUrl }: SettingsOf<'segment'>): LoadedTool {
  const cdn = (cdnUrl ?? 'https://cdn.segment.com').replace(/\/+$/, '')
  const { origin } = new URL(cdn)
  return {
    src: `${cdn}/analytics.js/v1/${key}/analytics.min.js`,
    stub: {
      kind: 'list',
      name: 'analytics',
      calls: SEGMENT_CALLS,
      own: { _writeKey: key, _cdn: cdn },
      first: 'page',
    },
    origins: {
      scripts: [origin],
      connections: [...new Set([origin, 'https://cdn.segment.com', 'https://api.segment.io'])],
    },
  }
}
