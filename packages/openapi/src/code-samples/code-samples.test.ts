import { describe, expect, test } from 'vitest'
import { findLanguage, LANGUAGES } from './languages.ts'
import { printCodeSample } from './print-code-sample.ts'
import type { SampleBody, SampleRequest } from './sample-request.ts'

const PLANTS = 'https://api.example.com/plants'
const PLANT = { name: 'Fern', height: 12.5, indoor: true, parent: null, tags: ['green', 'shade'] }

const REQUESTS: Readonly<Record<string, SampleRequest>> = {
  'a list': { ...request('GET', `${PLANTS}?limit=2&sort=name`), headers: [] },
  'a JSON body': posted({ kind: 'json', mediaType: 'application/json', value: PLANT }),
  'a form': posted({
    kind: 'form',
    fields: [
      ['name', 'Tree fern'],
      ['tag', 'green'],
    ],
  }),
  'a form with a file': posted({
    kind: 'multipart',
    parts: [
      { name: 'name', value: 'Tree fern' },
      { name: 'photo', fileName: 'fern.png' },
    ],
  }),
  'a text': posted({
    kind: 'text',
    mediaType: 'application/xml',
    text: '<plant price="$5">\n  <name>Fern</name>\n</plant>',
  }),
  'a file': posted({ kind: 'file', mediaType: 'image/png', fileName: 'fern.png' }),
  'a placeholder and a cookie': {
    ...request('DELETE', `${PLANTS}/{plantId}`),
    cookies: [['session', '<session>']],
  },
}

function request(method: string, url: string): SampleRequest {
  return { method, url, headers: [['Authorization', 'Bearer <token>']], cookies: [] }
}

function posted(body: SampleBody): SampleRequest {
  return { ...request('POST', `${PLANTS}?notify=true`), body }
}

describe('recorded code samples', () => {
  test.each(LANGUAGES)('the samples in $label match the recorded ones', async ({ id }) => {
    const samples = Object.entries(REQUESTS).map(
      ([title, shown]) => `──── ${title}\n\n${printCodeSample(id, shown)}\n`,
    )
    await expect(samples.join('\n')).toMatchFileSnapshot(`expected/${id}.txt`)
  })
})

describe('language names', () => {
  test('every id and alias of a language is mapped to that language', () => {
    for (const { id, aliases } of LANGUAGES) {
      for (const written of [id, ...aliases, id.toUpperCase(), ` ${id} `]) {
        expect(findLanguage(written)?.id).toBe(id)
      }
    }
  })

  test('no language name is mapped to two languages', () => {
    const names = LANGUAGES.flatMap(({ id, aliases }) => [id, ...aliases])
    expect(new Set(names).size).toBe(names.length)
  })

  test.each(['', 'cobol', 'constructor', '__proto__'])(
    'the name %j is not mapped to a language',
    (written) => {
      expect(findLanguage(written)).toBeUndefined()
    },
  )
})

describe('JSON bodies in code samples', () => {
  const sample = (value: null | object) =>
    ({
      ...request('POST', PLANTS),
      body: { kind: 'json', mediaType: 'application/json', value },
    }) as SampleRequest

  test('numbers that JSON does not support become null, and -0 becomes 0', () => {
    const value = { endless: Number.POSITIVE_INFINITY, nothing: Number.NaN, zero: -0, large: 1e21 }
    const printed = printCodeSample('python', sample(value))
    expect(printed).toContain(
      'payload = {\n    "endless": None,\n    "nothing": None,\n    "zero": 0,\n    "large": 1e+21,\n}',
    )
  })

  test('an integer beyond 64 bits is printed so that it compiles in Dart', () => {
    const printed = printCodeSample('dart', sample({ near: 2 ** 53 - 1, far: 2 ** 64 }))
    expect(printed).toContain("'near': 9007199254740991,")
    expect(printed).toContain("'far': 1.8446744073709552e+19,")
  })

  test('an empty or numbered object is not printed as a list in PHP', () => {
    const printed = printCodeSample(
      'php',
      sample({ none: {}, numbered: { 0: 'a', 1: 'b' }, list: [] }),
    )
    expect(printed).toContain("'none' => (object) [],")
    expect(printed).toContain("'numbered' => (object) [")
    expect(printed).toContain("'list' => [],")
  })

  test('a body that is null is sent in Python', () => {
    const printed = printCodeSample('python', sample(null))
    expect(printed).toContain('payload = "null"')
    expect(printed).toContain('data=payload')
  })

  test('a `__proto__` key in a JSON body does not set the prototype in JavaScript', () => {
    const printed = printCodeSample('javascript', sample(JSON.parse('{"__proto__":{"a":1}}')))
    expect(printed).toContain("['__proto__']: {")
  })

  test('a value nested more than 64 levels deep is replaced by null', () => {
    const nest = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth))
    expect(printCodeSample('ruby', sample(nest(64)))).not.toContain('nil')
    expect(printCodeSample('ruby', sample(nest(65)))).toContain('nil')
    expect(printCodeSample('ruby', sample(nest(5_000)))).toContain('nil')
  })
})

describe('curl samples', () => {
  test('curl does not treat brackets in a URL as a list of URLs', () => {
    expect(printCodeSample('bash', request('GET', `${PLANTS}/{id}`))).toContain('--globoff')
    expect(printCodeSample('bash', request('GET', `${PLANTS}/id`))).not.toContain('--globoff')
  })

  test('curl does not read a body that starts with @ from a file', () => {
    const body: SampleBody = { kind: 'text', mediaType: 'text/plain', text: '@/etc/passwd' }
    expect(printCodeSample('bash', posted(body))).toContain("--data-raw '@/etc/passwd'")
  })

  test('curl does not read a form value that starts with @ or < from a file', () => {
    const parts = [
      { name: 'a', value: '@/etc/passwd' },
      { name: 'b', value: '</etc/passwd' },
    ]
    const printed = printCodeSample('bash', posted({ kind: 'multipart', parts }))
    expect(printed).toContain("--form-string 'a=@/etc/passwd'")
    expect(printed).toContain("--form-string 'b=</etc/passwd'")
  })

  test('a field name or file name cannot make curl read another file', () => {
    const parts = [{ name: 'a=@/etc/passwd;', fileName: 'b,c;"d".png' }]
    const printed = printCodeSample('bash', posted({ kind: 'multipart', parts }))
    expect(printed).toContain(`--form 'a%3D@/etc/passwd;=@"b,c;\\"d\\".png"'`)
  })

  test('a header with an empty value is sent by curl', () => {
    const shown = { ...request('GET', PLANTS), headers: [['X-Empty', '']] as const }
    expect(printCodeSample('bash', shown)).toContain("--header 'X-Empty;'")
  })

  test('curl does not wait for the body of a HEAD response', () => {
    expect(printCodeSample('bash', request('HEAD', PLANTS))).toContain('curl --head')
  })
})
