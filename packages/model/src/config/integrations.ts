/**
 * Analytics and support tools. The keys match those of existing sites. Pages load scripts that are
 * built from these values, so each value must have exactly the format that its tool issues.
 */
import { flag, oneOf, type Schema, text } from '../schema/schema.ts'
import { type Field, optional, required, shape } from '../schema/shape.ts'

/** An ID with a strict format, so that it cannot end a string, a URL or a policy. */
function id(pattern: RegExp, example: string): Schema<string> {
  return text({
    expected: `an id such as \`${example}\``,
    json: { pattern: pattern.source },
    check: (value) => (pattern.test(value) ? undefined : 'is not a valid id for this tool'),
    hint: `Copy the id from the settings of the tool. It looks like \`${example}\`.`,
  })
}

const HOST = /^[a-z\d](?:[a-z\d.-]{0,250}[a-z\d])?(?::\d{1,5})?$/i

/** A host name without a scheme, such as `plausible.example.com`. */
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

const TOOL_URL = /^https:\/\/[a-z\d](?:[a-z\d.-]{0,250}[a-z\d])?(?::\d{1,5})?(?:\/[\w./~-]*)?$/i

/** The URL of a tool that is served from a custom host, optionally with a path. */
const toolUrl = text({
  expected: 'a URL that starts with `https://`',
  json: { pattern: '^https://' },
  check: (value) =>
    TOOL_URL.test(value) && URL.canParse(value) ? undefined : 'is not a valid `https://` URL',
  hint: 'Write `https://`, the host and, if needed, a path.',
})

/**
 * Reads an invalid value as a fallback. Ignoring the value would send readers' data to the wrong
 * host.
 */
function withFallback<Value>(schema: Schema<Value>, fallback: NoInfer<Value>): Schema<Value> {
  return { ...schema, read: (node, report) => schema.read(node, report) ?? fallback }
}

/** Reads an invalid value as an empty string; the tool is then not loaded. */
function emptyIfInvalid<Value extends string>(schema: Schema<Value>): Schema<Value | ''> {
  return withFallback<Value | ''>(schema, '')
}

const PURPOSE_LENGTH_MAX = 100

const purpose = text({
  expected: 'the name of a purpose',
  json: { maxLength: PURPOSE_LENGTH_MAX },
  check: (value) =>
    value.length > PURPOSE_LENGTH_MAX ? 'is too long for the name of a purpose' : undefined,
})

/** Returns the schema of a tool that only needs an ID. */
function toolWith<const Key extends string>(key: Key, value: Schema<string>, about: string) {
  return shape({ [key]: required(value, about) } as Record<Key, Field<string, true>>)
}

export const integrations = shape({
  adobe: optional(toolWith('launchUrl', toolUrl, 'URL of the Launch script.'), 'Adobe Analytics.'),
  amplitude: optional(
    toolWith('apiKey', id(/^[a-f\d]{32}$/i, '0123456789abcdef0123456789abcdef'), 'API key.'),
    'Amplitude.',
  ),
  clarity: optional(
    toolWith('projectId', id(/^[a-z\d]{6,20}$/, 'ab12cd34ef'), 'Project id.'),
    'Microsoft Clarity.',
  ),
  clearbit: optional(
    toolWith(
      'publicApiKey',
      id(/^pk_[A-Za-z\d]{8,64}$/, 'pk_0123456789abcdef0123456789abcdef'),
      'Public API key.',
    ),
    'Clearbit.',
  ),
  cookies: optional(
    withFallback(
      shape({
        key: optional(emptyIfInvalid(text()), 'Key in localStorage.'),
        value: optional(emptyIfInvalid(text()), 'Value that means consent.'),
      }),
      { key: '' },
    ),
    'Consent that all other tools wait for.',
  ),
  fathom: optional(toolWith('siteId', id(/^[A-Z\d]{5,12}$/, 'ABCDEFGH'), 'Site id.'), 'Fathom.'),
  frontchat: optional(
    toolWith(
      'snippetId',
      id(/^[A-Za-z\d_-]{6,64}$/, '0123456789abcdef0123456789abcdef'),
      'Chat id.',
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
    shape({
      writeKey: required(
        id(/^[A-Za-z\d]{8,128}$/, '0123456789abcdef0123456789abcdef'),
        'Write key.',
      ),
      apiHost: optional(emptyIfInvalid(host), 'Host that events are sent to.'),
    }),
    'Hightouch.',
  ),
  hotjar: optional(
    shape({
      hjid: required(id(/^\d{4,12}$/, '1234567'), 'Site id.'),
      hjsv: required(id(/^\d{1,2}$/, '6'), 'Snippet version.'),
    }),
    'Hotjar.',
  ),
  intercom: optional(
    shape({ appId: required(id(/^[A-Za-z\d]{6,20}$/, 'ab12cd34'), 'App id.') }),
    'Intercom.',
  ),
  koala: optional(
    toolWith(
      'publicApiKey',
      id(/^pk_[A-Za-z\d]{8,64}$/, 'pk_0123456789abcdef0123456789abcdef0123'),
      'Public API key.',
    ),
    'Koala.',
  ),
  logrocket: optional(
    toolWith(
      'appId',
      id(/^[A-Za-z\d][\w-]{0,63}\/[A-Za-z\d][\w-]{0,63}$/, 'ab12cd/docs'),
      'App id.',
    ),
    'LogRocket.',
  ),
  mixpanel: optional(
    shape({
      projectToken: required(
        id(/^[A-Za-z\d]{16,64}$/, '0123456789abcdef0123456789abcdef'),
        'Project token.',
      ),
      region: optional(
        emptyIfInvalid(oneOf(['us', 'eu', 'in'])),
        'Region where the data is stored.',
      ),
    }),
    'Mixpanel.',
  ),
  onetrust: optional(
    withFallback(
      shape({
        domainScript: required(
          id(
            /^[a-f\d]{8}(?:-[a-f\d]{4}){3}-[a-f\d]{12}(?:-test)?$/i,
            '01234567-89ab-cdef-0123-456789abcdef',
          ),
          'Domain script.',
        ),
        categoryId: optional(
          emptyIfInvalid(id(/^[A-Za-z\d][\w-]{0,39}$/, 'C0002')),
          'Category that all tools belong to.',
        ),
        scriptSource: optional(emptyIfInvalid(toolUrl), 'URL of the script.'),
      }),
      { domainScript: '' },
    ),
    'OneTrust: asks for the consent that all other tools wait for.',
  ),
  pirsch: optional(
    toolWith(
      'id',
      id(/^[A-Za-z\d]{16,64}$/, 'AbCdEf0123456789AbCdEf0123456789'),
      'Identification code.',
    ),
    'Pirsch.',
  ),
  plausible: optional(
    shape({
      domain: required(HOSTS, 'Domain of the site.'),
      server: optional(emptyIfInvalid(host), 'Self-hosted Plausible server.'),
    }),
    'Plausible.',
  ),
  posthog: optional(
    shape({
      apiKey: required(id(/^phc_[\w-]{8,80}$/, 'phc_AbCdEf0123456789'), 'Project key.'),
      apiHost: optional(emptyIfInvalid(toolUrl), 'Self-hosted PostHog server.'),
      sessionRecording: optional(flag, 'Record sessions.'),
    }),
    'PostHog.',
  ),
  segment: optional(
    shape({
      key: required(id(/^[A-Za-z\d]{8,64}$/, 'AbCdEf0123456789AbCdEf0123456789'), 'Write key.'),
      cdnUrl: optional(emptyIfInvalid(toolUrl), 'Custom CDN host.'),
    }),
    'Segment.',
  ),
  telemetry: optional(
    shape({
      enabled: optional(
        flag,
        'Count page views, and let readers give feedback, if an Octavo service hosts the site.',
      ),
    }),
    "The site's own usage data.",
  ),
  transcend: optional(
    withFallback(
      shape({
        bundleId: required(
          id(/^[\w-]{8,64}$/, '01234567-89ab-cdef-0123-456789abcdef'),
          'Bundle id.',
        ),
        analyticsPurpose: optional(emptyIfInvalid(purpose), 'Purpose that all tools belong to.'),
      }),
      { bundleId: '' },
    ),
    'Transcend: asks for the consent that all other tools wait for.',
  ),
})
