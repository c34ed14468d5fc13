/** Analytics and support tools. The keys are those that existing sites have. */
import { flag, oneOf, text } from '../schema/schema.ts'
import { optional, required, shape } from '../schema/shape.ts'
import { url } from './values.ts'

/** A text that begins in a certain way, such as `G-` or `phc_`. */
function prefixed(prefix: string) {
  return text({
    expected: `a text that begins with \`${prefix}\``,
    json: { pattern: `^${prefix}` },
    check: (value) => (value.startsWith(prefix) ? undefined : `does not begin with \`${prefix}\``),
  })
}

/** A bare host: `plausible.example.com`. */
const host = text({
  expected: 'a host name',
  check: (value) => (/^https?:\/\//i.test(value) ? 'has a scheme' : undefined),
  hint: 'Write the host without `https://`.',
})

const oneKey = (key: string, about: string) => shape({ [key]: required(text(), about) })

export const integrations = shape({
  adobe: optional(shape({ launchUrl: required(url, 'Launch script.') }), 'Adobe Analytics.'),
  amplitude: optional(oneKey('apiKey', 'API key.'), 'Amplitude.'),
  clarity: optional(oneKey('projectId', 'Project.'), 'Microsoft Clarity.'),
  clearbit: optional(oneKey('publicApiKey', 'Public API key.'), 'Clearbit.'),
  cookies: optional(
    shape({
      key: optional(text(), 'Key in the local storage.'),
      value: optional(text(), 'Value that means consent.'),
    }),
    'Consent that analytics wait for.',
  ),
  fathom: optional(oneKey('siteId', 'Site.'), 'Fathom.'),
  frontchat: optional(oneKey('snippetId', 'Snippet.'), 'Front chat.'),
  ga4: optional(
    shape({ measurementId: required(prefixed('G'), 'Measurement id.') }),
    'Google Analytics 4.',
  ),
  gtm: optional(shape({ tagId: required(prefixed('G'), 'Tag id.') }), 'Google Tag Manager.'),
  heap: optional(oneKey('appId', 'App id.'), 'Heap.'),
  hightouch: optional(
    shape({
      writeKey: required(text(), 'Write key.'),
      apiHost: optional(text(), 'API host.'),
    }),
    'Hightouch.',
  ),
  hotjar: optional(
    shape({ hjid: required(text(), 'Site id.'), hjsv: required(text(), 'Snippet version.') }),
    'Hotjar.',
  ),
  intercom: optional(oneKey('appId', 'App id.'), 'Intercom.'),
  koala: optional(oneKey('publicApiKey', 'Public API key.'), 'Koala.'),
  logrocket: optional(oneKey('appId', 'App id.'), 'LogRocket.'),
  mixpanel: optional(
    shape({
      projectToken: required(text(), 'Project token.'),
      region: optional(oneOf(['us', 'eu', 'in']), 'Where the data lives.'),
    }),
    'Mixpanel.',
  ),
  onetrust: optional(
    shape({
      domainScript: required(text(), 'Domain script.'),
      categoryId: optional(text(), 'Consent category.'),
      scriptSource: optional(url, 'Address of the script.'),
    }),
    'OneTrust.',
  ),
  pirsch: optional(oneKey('id', 'Site id.'), 'Pirsch.'),
  plausible: optional(
    shape({
      domain: required(host, 'Domain of the site.'),
      server: optional(host, 'Own Plausible server.'),
    }),
    'Plausible.',
  ),
  posthog: optional(
    shape({
      apiKey: required(prefixed('phc_'), 'Project key.'),
      apiHost: optional(url, 'Own PostHog server.'),
      sessionRecording: optional(flag, 'Record sessions.'),
    }),
    'PostHog.',
  ),
  segment: optional(
    shape({ key: required(text(), 'Write key.'), cdnUrl: optional(url, 'Own CDN.') }),
    'Segment.',
  ),
  telemetry: optional(
    shape({ enabled: optional(flag, 'Collect usage of the site.') }),
    "The site's own usage data.",
  ),
  transcend: optional(
    shape({
      bundleId: required(text(), 'Bundle.'),
      analyticsPurpose: optional(text(), 'Purpose that analytics belong to.'),
    }),
    'Transcend.',
  ),
})
