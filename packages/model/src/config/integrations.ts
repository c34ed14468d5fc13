/**
 * Analytics and support tools. The keys are those that existing sites have. What pages load is made
 * of these values, so each is held to the form that its tool gives out.
 */
import { flag, oneOf, type Schema, text, unsupported } from '../schema/schema.ts'
import { optional, required, shape } from '../schema/shape.ts'
import { url } from './values.ts'

/** An id of one plain form: nothing in it can end a string, an address or a policy. */
function id(pattern: RegExp, example: string): Schema<string> {
  return text({
    expected: `an id such as \`${example}\``,
    json: { pattern: pattern.source },
    check: (value) => (pattern.test(value) ? undefined : 'is not a valid id for this tool'),
    hint: `Copy it from the settings of the tool; it looks like \`${example}\`.`,
  })
}

const HOST = /^[a-z\d](?:[a-z\d.-]{0,250}[a-z\d])?(?::\d{1,5})?$/i

/** A bare host: `plausible.example.com`. */
const host = text({
  expected: 'a host name',
  check: (value) => {
    if (/^https?:\/\//i.test(value)) return 'has a scheme'
    return HOST.test(value) ? undefined : 'is not a host name'
  },
  hint: 'Write the host without `https://` and without a path.',
})

const HOSTS = text({
  expected: 'a host name, or several separated by commas',
  check: (value) => {
    if (/^https?:\/\//i.test(value)) return 'has a scheme'
    const isPlain = value.split(',').every((one) => HOST.test(one.trim()))
    return isPlain ? undefined : 'is not a host name'
  },
  hint: 'Write the host without `https://` and without a path.',
})

/** Where a tool is served from another host than its own; a path may follow. */
const toolUrl = text({
  expected: 'a URL that starts with `https://`',
  json: { pattern: '^https://' },
  check: (value) =>
    /^https:\/\/[a-z\d](?:[a-z\d.-]{0,250}[a-z\d])?(?::\d{1,5})?(?:\/[\w./~-]*)?$/i.test(value)
      ? undefined
      : 'is not a valid `https://` URL',
  hint: 'Write `https://`, the host and, if needed, a path.',
})

/** Empty when it cannot be used: to go on without it would send readers' data to another place. */
function orEmpty<Value extends string>(schema: Schema<Value>): Schema<Value | ''> {
  return { ...schema, read: (node, report) => schema.read(node, report) ?? '' }
}

const ANALYTICS = 'so it collects no data'

/** A tool that pages do not load: its owner believes that it works. */
function notLoaded<Value>(tool: string, schema: Schema<Value>, effect = ANALYTICS): Schema<Value> {
  return unsupported(schema, () => ({
    message: `Octavo does not load ${tool}, ${effect}.`,
    hint: 'Load it from a `.js` file in the repository, and add its other hosts to `contentSecurityPolicy`.',
  }))
}

/** Without the answer of such a tool nothing may be loaded that needs consent. */
function noConsent<Value>(tool: string, schema: Schema<Value>): Schema<Value> {
  return unsupported(schema, () => ({
    message: `Octavo does not support ${tool} for consent, so no other tool in \`integrations\` is loaded either.`,
    hint: 'Store the consent in localStorage and set its key in `integrations.cookies`, or remove the key if no consent is needed.',
  }))
}

const oneKey = (key: string, about: string) => shape({ [key]: required(text(), about) })

export const integrations = shape({
  adobe: optional(
    notLoaded('Adobe Analytics', shape({ launchUrl: required(url, 'Launch script.') })),
    'Adobe Analytics.',
  ),
  amplitude: optional(notLoaded('Amplitude', oneKey('apiKey', 'API key.')), 'Amplitude.'),
  clarity: optional(notLoaded('Clarity', oneKey('projectId', 'Project.')), 'Microsoft Clarity.'),
  clearbit: optional(notLoaded('Clearbit', oneKey('publicApiKey', 'Public API key.')), 'Clearbit.'),
  cookies: optional(
    shape({
      key: optional(text(), 'Key in localStorage.'),
      value: optional(text(), 'Value that means consent.'),
    }),
    'Consent that all other tools wait for.',
  ),
  fathom: optional(notLoaded('Fathom', oneKey('siteId', 'Site.')), 'Fathom.'),
  frontchat: optional(
    notLoaded(
      'Front chat',
      oneKey('snippetId', 'Snippet.'),
      'so readers cannot contact you through it',
    ),
    'Front chat.',
  ),
  ga4: optional(
    shape({
      measurementId: required(id(/^GT?-[A-Z\d]{4,20}$/, 'G-AB12CD34EF'), 'Measurement id.'),
    }),
    'Google Analytics 4.',
  ),
  gtm: optional(
    shape({ tagId: required(id(/^(?:GTM|GT|G)-[A-Z\d]{4,20}$/, 'GTM-AB12CD3'), 'Tag id.') }),
    'Google Tag Manager.',
  ),
  heap: optional(shape({ appId: required(id(/^\d{4,20}$/, '1234567890'), 'App id.') }), 'Heap.'),
  hightouch: optional(
    notLoaded(
      'Hightouch',
      shape({
        writeKey: required(text(), 'Write key.'),
        apiHost: optional(text(), 'API host.'),
      }),
    ),
    'Hightouch.',
  ),
  hotjar: optional(
    notLoaded(
      'Hotjar',
      shape({ hjid: required(text(), 'Site id.'), hjsv: required(text(), 'Snippet version.') }),
    ),
    'Hotjar.',
  ),
  intercom: optional(
    shape({ appId: required(id(/^[A-Za-z\d]{6,20}$/, 'ab12cd34'), 'App id.') }),
    'Intercom.',
  ),
  koala: optional(notLoaded('Koala', oneKey('publicApiKey', 'Public API key.')), 'Koala.'),
  logrocket: optional(notLoaded('LogRocket', oneKey('appId', 'App id.')), 'LogRocket.'),
  mixpanel: optional(
    shape({
      projectToken: required(
        id(/^[A-Za-z\d]{16,64}$/, '0123456789abcdef0123456789abcdef'),
        'Project token.',
      ),
      region: optional(orEmpty(oneOf(['us', 'eu', 'in'])), 'Region where the data is stored.'),
    }),
    'Mixpanel.',
  ),
  onetrust: optional(
    noConsent(
      'OneTrust',
      shape({
        domainScript: required(text(), 'Domain script.'),
        categoryId: optional(text(), 'Consent category.'),
        scriptSource: optional(url, 'URL of the script.'),
      }),
    ),
    'OneTrust.',
  ),
  pirsch: optional(notLoaded('Pirsch', oneKey('id', 'Site id.')), 'Pirsch.'),
  plausible: optional(
    shape({
      domain: required(HOSTS, 'Domain of the site.'),
      server: optional(orEmpty(host), 'Self-hosted Plausible server.'),
    }),
    'Plausible.',
  ),
  posthog: optional(
    shape({
      apiKey: required(id(/^phc_[\w-]{8,80}$/, 'phc_AbCdEf0123456789'), 'Project key.'),
      apiHost: optional(orEmpty(toolUrl), 'Self-hosted PostHog server.'),
      sessionRecording: optional(flag, 'Record sessions.'),
    }),
    'PostHog.',
  ),
  segment: optional(
    shape({
      key: required(id(/^[A-Za-z\d]{8,64}$/, 'AbCdEf0123456789AbCdEf0123456789'), 'Write key.'),
      cdnUrl: optional(orEmpty(toolUrl), 'Custom CDN host.'),
    }),
    'Segment.',
  ),
  telemetry: optional(
    shape({
      enabled: optional(
        flag,
        'Count page views, and let readers give feedback, where it is hosted.',
      ),
    }),
    "The site's own usage data.",
  ),
  transcend: optional(
    noConsent(
      'Transcend',
      shape({
        bundleId: required(text(), 'Bundle.'),
        analyticsPurpose: optional(text(), 'Consent purpose for analytics.'),
      }),
    ),
    'Transcend.',
  ),
})
