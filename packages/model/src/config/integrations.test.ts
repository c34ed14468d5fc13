/**
 * Tests that valid IDs of tools are read, and that other values are reported and never reach a
 * page.
 */
import { describe, expect, test } from 'vitest'
import { parseConfig } from '../parse-config.ts'

function read(integrations: object) {
  const text = JSON.stringify({ name: 'Garden', navigation: { pages: ['index'] }, integrations })
  const parsed = parseConfig({ file: 'docs.json', text, readPart: () => undefined })
  return { read: parsed.config?.integrations, codes: parsed.diagnostics.map(({ code }) => code) }
}

const KEY = '0123456789abcdef0123456789abcdef'
const GUID = '01234567-89ab-cdef-0123-456789abcdef'

type ToolCase = readonly [
  name: string,
  settings: Readonly<Record<string, string>>,
  ...wrong: readonly string[],
]

/** Each tool with its required settings, followed by invalid values for the first setting. */
const TOOLS: readonly ToolCase[] = [
  [
    'adobe',
    { launchUrl: 'https://assets.adobedtm.com/0a1b/launch-2c3d.min.js' },
    'http://a.example/a.js',
    '//a.example/a.js',
    'javascript:alert(1)',
    'https://me@a.example/a.js',
    'https://a.example/a.js?x',
    'https://a.example:99999/a.js',
    'https://1.2.3.999/a.js',
    'https://a.example; script-src *',
  ],
  ['adobe', { launchUrl: 'https://docs.example.com/tags/launch.js' }],
  ['amplitude', { apiKey: KEY }, KEY.slice(1), `${KEY}0`, `g${KEY.slice(1)}`],
  ['clarity', { projectId: 'ab12cd34ef' }, 'ab12c', 'AB12CD34EF', 'ab12cd34ef/x'],
  ['clearbit', { publicApiKey: `pk_${KEY}` }, KEY, `sk_${KEY}`, 'pk_../../x'],
  ['fathom', { siteId: 'ABCDEFGH' }, 'ABCD', 'abcdefgh', 'ABCDEFGH"'],
  ['frontchat', { snippetId: KEY }, 'abcde', `${KEY}'`],
  ['ga4', { measurementId: 'G-AB12CD34EF' }, 'UA-12345-1', 'G-ab12'],
  ['gtm', { tagId: 'GTM-AB12CD3' }, 'AB12CD3'],
  ['heap', { appId: '1234567890' }, '123', '12345a'],
  ['hightouch', { writeKey: KEY }, 'short', `${KEY}&x`],
  ['hotjar', { hjid: '1234567', hjsv: '6' }, '123', '1234567.js'],
  ['hotjar', { hjsv: '6', hjid: '1234567' }, '123', '6&x'],
  ['intercom', { appId: 'ab12cd34' }, 'ab12', 'ab12cd34/x'],
  ['koala', { publicApiKey: `pk_${KEY}0123` }, KEY, 'pk_'],
  ['logrocket', { appId: 'ab12cd/docs' }, 'docs', 'ab12cd/docs/more', '../docs'],
  ['mixpanel', { projectToken: KEY }, 'short', `${KEY}'`],
  ['pirsch', { id: 'AbCdEf0123456789AbCdEf0123456789' }, 'short', `${KEY} x`],
  ['plausible', { domain: 'docs.example.com' }, 'https://docs.example.com', 'a b'],
  ['posthog', { apiKey: 'phc_AbCdEf0123456789' }, 'phx_AbCdEf0123456789'],
  ['segment', { key: 'AbCdEf0123456789' }, 'short', 'AbCdEf0123456789/x'],
]

const RIGHT = TOOLS.map(([name, settings]) => [name, settings] as const)

describe('tool ids', () => {
  test.each(RIGHT)('a valid setting of %s is read unchanged: %j', (name, settings) => {
    expect(read({ [name]: settings })).toEqual({ read: { [name]: settings }, codes: [] })
  })

  const wrong = TOOLS.flatMap(([name, settings, ...values]) =>
    values.map((value) => {
      const [key = ''] = Object.keys(settings)
      return [name, { ...settings, [key]: value }] as const
    }),
  )
  test.each(wrong)('an invalid setting of %s is rejected: %j', (name, settings) => {
    expect(read({ [name]: settings })).toEqual({ read: {}, codes: ['value/invalid'] })
  })

  test.each(RIGHT)(
    'a setting of %s is rejected if a character that could end a string or a policy is added: %j',
    (name, settings) => {
      const [[key, value] = ['', '']] = Object.entries(settings)
      for (const end of [
        "'",
        '"',
        '`',
        '<',
        '>',
        ';',
        ' *',
        '\\',
        '\n1',
        '\u2028',
        '%0a',
        '#',
        '?',
      ]) {
        const { codes } = read({ [name]: { ...settings, [key]: value + end + value } })
        expect(codes, end).toEqual(['value/invalid'])
      }
    },
  )
})

describe('data hosts of tools', () => {
  test('a configured API host is read unchanged', () => {
    const hightouch = { writeKey: KEY, apiHost: 'eu-west-1.hightouch-events.com' }
    expect(read({ hightouch })).toEqual({ read: { hightouch }, codes: [] })
  })

  test.each(['https://eu.example', 'eu.example/x', 'eu.example; x', ''])(
    'an invalid API host becomes empty instead of the default host: %j',
    (apiHost) => {
      const { read: integrations, codes } = read({ hightouch: { writeKey: KEY, apiHost } })
      expect(integrations?.hightouch?.apiHost).toBe('')
      expect(codes).toHaveLength(1)
    },
  )
})

describe('consent settings', () => {
  test.each([
    { cookies: { key: 'consent', value: 'yes' } },
    { onetrust: { domainScript: GUID } },
    { onetrust: { domainScript: `${GUID}-test`, categoryId: 'C0004' } },
    {
      onetrust: {
        domainScript: GUID,
        scriptSource: 'https://cookie-cdn.cookiepro.com/otSDKStub.js',
      },
    },
    { transcend: { bundleId: GUID, analyticsPurpose: 'Statistics' } },
  ])('valid consent settings are read: %j', (consent) => {
    expect(read(consent)).toEqual({ read: consent, codes: [] })
  })

  test.each([
    { cookies: 'consent' },
    { cookies: { key: 1 } },
    { cookies: { key: 'consent', value: true } },
    { onetrust: GUID },
    { onetrust: {} },
    { onetrust: { domainScript: `${GUID}"` } },
    { onetrust: { domainScript: GUID, categoryId: 'C0002,C0001' } },
    { onetrust: { domainScript: GUID, scriptSource: 'http://cdn.cookielaw.org/a.js' } },
    { transcend: { bundleId: 'a/../../b' } },
    { transcend: { bundleId: GUID, analyticsPurpose: 'a'.repeat(101) } },
    { transcend: { bundleId: GUID, analyticsPurpose: '' } },
  ])('an invalid consent setting becomes empty, which stops all tools: %j', (consent) => {
    const { read: integrations, codes } = read(consent)
    expect(codes).toHaveLength(1)
    expect(Object.values(Object.values(integrations ?? {})[0] ?? {})).toContain('')
  })
})
