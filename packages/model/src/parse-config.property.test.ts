import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sketches, writeSketch } from '../testing/written-site.ts'
import { EMPTY_FRONTMATTER } from './frontmatter/frontmatter-fields.ts'
import { resolveNavigation } from './navigation/resolve-navigation.ts'
import { NO_SPECIFICATIONS } from './navigation/site-facts.ts'
import { parseConfig } from './parse-config.ts'

const KEYS = [
  'navigation',
  'name',
  'theme',
  'colors',
  'navbar',
  'footer',
  'banner',
  'redirects',
  'api',
  'languages',
  'versions',
  'products',
  'tabs',
  'dropdowns',
  'anchors',
  'menu',
  'groups',
  'pages',
  'language',
  'version',
  'product',
  'tab',
  'dropdown',
  'anchor',
  'item',
  'group',
  'root',
  'href',
  'openapi',
  'directory',
  'expanded',
  'hidden',
  'default',
  'tag',
  'icon',
  'global',
  'source',
  'destination',
  'links',
  'label',
  'socials',
  '$ref',
  '__proto__',
  'constructor',
  'toString',
]
const WORDS = [
  'index',
  'start',
  'GET /plants',
  'api.yaml POST /a',
  '../x',
  '',
  ' ',
  'card',
  'en',
  'jp',
  'xx',
  'javascript:alert(1)',
  'https://example.com',
  '/old/:slug*',
  '*',
  './part.json',
  'true',
  '\ud800',
]

/** JSON that is similar enough to a docs.json to reach every code path. */
const { almostConfig } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    fc.constantFrom(...WORDS),
    fc.constantFrom(true, false, null, 0, -1.5, 1e21),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('value'), { maxKeys: 5, noNullPrototype: false }),
  ),
  almostConfig: fc.dictionary(fc.constantFrom(...KEYS), tie('value'), { maxKeys: 6 }),
}))

function read(text: string, readPart: (path: string) => string | undefined = () => undefined) {
  const parsed = parseConfig({ file: 'docs.json', text, readPart })
  if (parsed.config === undefined) return parsed.diagnostics
  const resolved = resolveNavigation({
    written: parsed.config.navigation,
    pages: new Map([
      [
        'index',
        {
          path: 'index',
          file: 'index.mdx',
          frontmatter: EMPTY_FRONTMATTER,
          isPageOnlyWhenListed: false,
        },
      ],
    ]),
    ...NO_SPECIFICATIONS,
    hasFile: () => true,
  })
  return [...parsed.diagnostics, ...resolved.diagnostics]
}

describe('parseConfig with random input', () => {
  test('parseConfig never throws for any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        read(JSON.stringify(value))
      }),
    )
  })

  test('parseConfig never throws for JSON with docs.json keys', () => {
    fc.assert(
      fc.property(almostConfig, (value) => {
        read(JSON.stringify(value))
      }),
    )
  })

  test('parseConfig never throws for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        read(text)
      }),
    )
  })

  test('parseConfig never throws for a docs.json with changed characters', () => {
    const valid = JSON.stringify(
      { navigation: { groups: [{ group: 'A', pages: ['index'] }] } },
      null,
      1,
    )
    const place = fc.nat(valid.length)
    fc.assert(
      fc.property(place, place, fc.string({ maxLength: 3 }), (from, to, put) => {
        read(valid.slice(0, Math.min(from, to)) + put + valid.slice(Math.max(from, to)))
      }),
    )
  })

  test('parseConfig never throws for parts that include each other', () => {
    const names = ['a.json', 'b.json', 'c.json']
    const part = fc
      .constantFrom(...names, '../a.json', 'x.json', '')
      .map((name) => ({ $ref: name }))
    const value = fc.oneof(
      part,
      fc.array(part, { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('pages', 'group'), part),
    )
    fc.assert(
      fc.property(value, value, value, fc.constantFrom(...names), (a, b, c, first) => {
        const files = new Map([a, b, c].map((json, index) => [names[index], JSON.stringify(json)]))
        read(JSON.stringify({ navigation: { $ref: first } }), (path) => files.get(path))
      }),
    )
  })
})

describe('independence of key order', () => {
  const facts = (text: string) =>
    read(text)
      .map(({ code, message, hint, place }) => `${code} ${place.pointer} ${message} ${hint}`)
      .toSorted()

  test('key order does not change the diagnostics of JSON with docs.json keys', () => {
    fc.assert(
      fc.property(almostConfig, fc.nat(), (value, seed) => {
        expect(facts(JSON.stringify(shuffle(value, seed)))).toEqual(facts(JSON.stringify(value)))
      }),
    )
  })

  test('key order does not change the diagnostics of valid navigations', () => {
    fc.assert(
      fc.property(sketches(3), fc.nat(), (top, seed) => {
        const { navigation } = writeSketch(top, undefined)
        const text = JSON.stringify({ navigation })
        expect(facts(JSON.stringify(shuffle({ navigation }, seed)))).toEqual(facts(text))
      }),
    )
  })
})

/** Returns an equal value in which the keys of every object are in a different order. */
function shuffle(value: unknown, seed: number): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffle(item, seed))
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).map(([key, child]) => [key, shuffle(child, seed)] as const)
  const turn = entries.length === 0 ? 0 : seed % entries.length
  const turned = [...entries.slice(turn), ...entries.slice(0, turn)]
  return Object.fromEntries(seed % 2 === 0 ? turned : turned.toReversed())
}
