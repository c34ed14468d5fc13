/**
 * Test cases for the tools of `integrations`. A mock of a few lines replaces each tool and reads
 * its documented settings.
 */

type ToolCase = {
  readonly settings: object
  /** The URL of the script that the page requests. */
  readonly script: string
  /** The code of the mock that replaces the tool's script. */
  readonly code: string
  /** The URL of the request to the tool's host. */
  readonly report: string
  /** An author's script that runs before the tool is loaded. */
  readonly early: string
  /**
   * An expression that is true if the tool sees the calls that `early` made. For a tool without a
   * documented call queue, it is true if the tool's global variable was undefined before its script
   * ran.
   */
  readonly found: string
}

const send = (url: string) => `fetch(${url}, { mode: 'no-cors' }).catch(() => {})`
const GOOGLE_CODE = `
  for (const call of window.dataLayer) if (call[0] === 'config') {
    ${send("'https://region1.google-analytics.com/g/collect?tid=' + call[1]")}
  }`

/**
 * Used for tools without a call queue: their global variable does not exist before their script
 * runs.
 */
const NONE = (name: string) => ({
  early: `window.before = typeof window.${name}`,
  found: `window.before === 'undefined'`,
})

export const TOOL_CASES: Readonly<Record<string, ToolCase>> = {
  ga4: {
    settings: { measurementId: 'G-AB12CD34EF' },
    script: 'https://www.googletagmanager.com/gtag/js?id=G-AB12CD34EF',
    code: GOOGLE_CODE,
    report: 'https://region1.google-analytics.com/g/collect?tid=G-AB12CD34EF',
    early: "gtag('event', 'early')",
    found: "window.dataLayer.some((one) => one[0] === 'event' && one[1] === 'early')",
  },
  gtm: {
    settings: { tagId: 'GTM-AB12CD3' },
    script: 'https://www.googletagmanager.com/gtm.js?id=GTM-AB12CD3',
    code: `if (window.dataLayer.some((one) => one.event === 'gtm.js' && one['gtm.start'] > 0)) {
      ${send("'https://www.googletagmanager.com/a?v=3'")}
    }`,
    report: 'https://www.googletagmanager.com/a?v=3',
    early: "dataLayer.push({ event: 'early' })",
    found: "window.dataLayer.some((one) => one.event === 'early')",
  },
  heap: {
    settings: { appId: '1234567890' },
    script: 'https://cdn.us.heap-api.com/config/1234567890/heap_config.js',
    code: send("'https://c.us.heap-api.com/h?a=' + window.heap.envId"),
    report: 'https://c.us.heap-api.com/h?a=1234567890',
    early: "heap.track('early')",
    found: "window.heapReadyCb.some(({ name }) => name === 'track')",
  },
  intercom: {
    settings: { appId: 'ab12cd34' },
    script: 'https://widget.intercom.io/widget/ab12cd34',
    code: `typeof window.Intercom === 'function' &&
      ${send("'https://api-iam.intercom.io/messenger/web/ping?app_id=' + window.intercomSettings.app_id")}`,
    report: 'https://api-iam.intercom.io/messenger/web/ping?app_id=ab12cd34',
    early: "Intercom('show')",
    found: "window.Intercom.q.some((one) => one[0] === 'show')",
  },
  mixpanel: {
    settings: { projectToken: '0123456789abcdef0123456789abcdef', region: 'eu' },
    script: 'https://cdn.mxpnl.com/libs/mixpanel-2-latest.min.js',
    code: `for (const [token, config, name] of window.mixpanel._i) {
      if (name === 'mixpanel' && config.track_pageview) ${send("config.api_host + '/track/?t=' + token")}
    }`,
    report: 'https://api-eu.mixpanel.com/track/?t=0123456789abcdef0123456789abcdef',
    early: "mixpanel.track('early')",
    found: "window.mixpanel.some(([name, event]) => name === 'track' && event === 'early')",
  },
  plausible: {
    settings: { domain: 'docs.example.com', server: 'stats.example.com' },
    script: 'https://stats.example.com/js/script.js',
    code: `const { dataset, src } = document.currentScript
      ${send("new URL(src).origin + '/api/event?d=' + dataset.domain")}`,
    report: 'https://stats.example.com/api/event?d=docs.example.com',
    early: "plausible('early')",
    found: "window.plausible.q.some((one) => one[0] === 'early')",
  },
  posthog: {
    settings: { apiKey: 'phc_AbCdEf0123456789' },
    script: 'https://us-assets.i.posthog.com/static/array.js',
    code: `for (const [key, config] of window.posthog._i) ${send("config.api_host + '/e/?k=' + key + '&r=' + config.disable_session_recording")}`,
    report: 'https://us.i.posthog.com/e/?k=phc_AbCdEf0123456789&r=true',
    early: "posthog.capture('early')",
    found: "window.posthog.some(([name, event]) => name === 'capture' && event === 'early')",
  },
  segment: {
    settings: { key: 'AbCdEf0123456789AbCdEf0123456789' },
    script:
      'https://cdn.segment.com/analytics.js/v1/AbCdEf0123456789AbCdEf0123456789/analytics.min.js',
    code: `if (window.analytics.some(([method]) => method === 'page')) {
      ${send("'https://api.segment.io/v1/p?k=' + window.analytics._writeKey")}
    }`,
    report: 'https://api.segment.io/v1/p?k=AbCdEf0123456789AbCdEf0123456789',
    early: "analytics.track('early')",
    found: "window.analytics.some(([name, event]) => name === 'track' && event === 'early')",
  },
  adobe: {
    settings: { launchUrl: 'https://assets.adobedtm.com/0a1b/2c3d/launch-4e5f.min.js' },
    script: 'https://assets.adobedtm.com/0a1b/2c3d/launch-4e5f.min.js',
    code: send("'https://edge.adobedc.net/ee/v1/interact'"),
    report: 'https://edge.adobedc.net/ee/v1/interact',
    ...NONE('_satellite'),
  },
  amplitude: {
    settings: { apiKey: '0123456789abcdef0123456789abcdef' },
    script: 'https://cdn.amplitude.com/script/0123456789abcdef0123456789abcdef.js',
    code: `window.amplitude = { init: (key, { autocapture }) => autocapture && ${send("'https://api2.amplitude.com/2/httpapi?k=' + key")} }`,
    report: 'https://api2.amplitude.com/2/httpapi?k=0123456789abcdef0123456789abcdef',
    early: "amplitude.track('early')",
    found:
      "window.amplitude.invoked && window.amplitude._q.some(({ name, args }) => name === 'track' && args[0] === 'early')",
  },
  clarity: {
    settings: { projectId: 'ab12cd34ef' },
    script: 'https://www.clarity.ms/tag/ab12cd34ef',
    code: send("'https://k.clarity.ms/collect?u=' + document.currentScript.src.split('/').pop()"),
    report: 'https://k.clarity.ms/collect?u=ab12cd34ef',
    early: "clarity('event', 'early')",
    found: "window.clarity.q.some((one) => one[1] === 'early')",
  },
  clearbit: {
    settings: { publicApiKey: 'pk_0123456789abcdef' },
    script: 'https://tag.clearbitscripts.com/v1/pk_0123456789abcdef/tags.js',
    code: send("'https://app.clearbit.com/v1/p?k=' + document.currentScript.src.split('/')[4]"),
    report: 'https://app.clearbit.com/v1/p?k=pk_0123456789abcdef',
    early: "clearbit.track('early')",
    found: "window.clearbit.some(([name, event]) => name === 'track' && event === 'early')",
  },
  fathom: {
    settings: { siteId: 'ABCDEFGH' },
    script: 'https://cdn.usefathom.com/script.js',
    code: "new Image().src = 'https://cdn.usefathom.com/?sid=' + document.currentScript.dataset.site",
    report: 'https://cdn.usefathom.com/?sid=ABCDEFGH',
    ...NONE('fathom'),
  },
  frontchat: {
    settings: { snippetId: '0123456789abcdef' },
    script: 'https://chat-assets.frontapp.com/v1/chat.bundle.js',
    code: `window.FrontChat = (name, { chatId }) => name === 'init' && ${send("'https://chat.frontapp.com/settings?id=' + chatId")}`,
    report: 'https://chat.frontapp.com/settings?id=0123456789abcdef',
    ...NONE('FrontChat'),
  },
  hightouch: {
    settings: { writeKey: '0123456789abcdef', apiHost: 'eu-west-1.hightouch-events.com' },
    script: 'https://cdn.hightouch-events.com/browser/release/v1-latest/events.min.js',
    code: `const { _writeKey, _loadOptions } = window.htevents
      if (window.htevents.some(([method]) => method === 'page')) {
        ${send("'https://' + _loadOptions.apiHost + '/v1/p?k=' + _writeKey")}
      }`,
    report: 'https://eu-west-1.hightouch-events.com/v1/p?k=0123456789abcdef',
    early: "htevents.track('early')",
    found: "window.htevents.some(([name, event]) => name === 'track' && event === 'early')",
  },
  hotjar: {
    settings: { hjid: '1234567', hjsv: '6' },
    script: 'https://static.hotjar.com/c/hotjar-1234567.js?sv=6',
    code: send("'https://content.hotjar.io/?site_id=' + window._hjSettings.hjid"),
    report: 'https://content.hotjar.io/?site_id=1234567',
    early: "hj('event', 'early')",
    found: "window.hj.q.some((one) => one[1] === 'early')",
  },
  koala: {
    settings: { publicApiKey: 'pk_0123456789abcdef' },
    script: 'https://cdn.getkoala.com/v1/pk_0123456789abcdef/sdk.js',
    code: send(
      "'https://api2.getkoala.com/web/projects/' + document.currentScript.src.split('/')[4]",
    ),
    report: 'https://api2.getkoala.com/web/projects/pk_0123456789abcdef',
    early: "ko.track('early')",
    found: "window.ko.some(([name, event]) => name === 'track' && event === 'early')",
  },
  logrocket: {
    settings: { appId: 'ab12cd/docs' },
    script: 'https://cdn.logrocket.io/LogRocket.min.js',
    code: `window.LogRocket = { init: (id) => {
      new Worker(URL.createObjectURL(new Blob([''])))
      ${send("'https://r.lgrckt-in.com/i?a=' + id")}
    } }`,
    report: 'https://r.lgrckt-in.com/i?a=ab12cd/docs',
    ...NONE('LogRocket'),
  },
  pirsch: {
    settings: { id: 'AbCdEf0123456789AbCdEf0123456789' },
    script: 'https://api.pirsch.io/pa.js',
    code: send(
      "'https://api.pirsch.io/hit?code=' + document.querySelector('#pianjs').dataset.code",
    ),
    report: 'https://api.pirsch.io/hit?code=AbCdEf0123456789AbCdEf0123456789',
    ...NONE('pirsch'),
  },
}
