import { hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  labelId,
  MANIFEST_LIMITS,
  type ManifestEntry,
  type ManifestFacts,
  runIndexOf,
} from './manifest.ts'
import { omitRanges, omittedSpans } from './omit-ranges.ts'
import { parseManifestRoot, parseManifestRun } from './parse-manifest.ts'
import { printManifest } from './print-manifest.ts'

const sha256 = (text: string) => hash('sha256', text)

const FACTS: ManifestFacts = {
  builder: '1.2.3',
  commit: 'c0ffee',
  basePath: '/docs',
  redirects: [{ source: '/old', destination: '/new', permanent: true, access: ['team'] }],
  origins: { images: ['https://img.example.com'] },
  languages: ['en', 'de'],
  versions: ['v1'],
  search: [{ scope: 'en', path: '_octavo/search/en.bin', access: 'default' }],
  sections: '_octavo/sections/',
}

const ENTRY: ManifestEntry = {
  path: 'index.html',
  sha256: sha256('a'),
  size: 30,
  type: 'text/html; charset=utf-8',
  access: 'public',
  ranges: [
    { start: 1, end: 20, access: { any: [['team'], ['sales']] } },
    { start: 5, end: 9, access: ['team'] },
  ],
}

describe('language starts', () => {
  const starts = [
    { language: 'en', url: '/', access: 'default' },
    { language: 'de', url: '/de', access: ['team'] },
  ] as const
  const print = (languageStarts: ManifestFacts['languageStarts']) =>
    parseManifestRoot(
      printManifest({ ...FACTS, ...(languageStarts && { languageStarts }) }, [ENTRY], sha256).root,
    )

  test('parsing a printed manifest returns its language starts, which are optional', () => {
    expect(print(starts)).toMatchObject({ root: { languageStarts: starts } })
    const { root } = print(undefined) as { root: object }
    expect(root).not.toHaveProperty('languageStarts')
  })

  test.each(['//evil.example', '/\\evil.example', 'https://evil.example', 'de', ''])(
    'the start page of a language is rejected if it is not a URL of the site: %o',
    (url) => {
      expect(print([{ language: 'de', url, access: 'default' }])).toEqual({
        kind: 'malformed',
        reason: `"${url}" is not a URL of the site.`,
      })
    },
  )
})

describe('the brand of a site', () => {
  const parse = (brand: unknown) =>
    parseManifestRoot(printManifest({ ...FACTS, brand } as ManifestFacts, [ENTRY], sha256).root)

  test('parsing a printed manifest returns the brand, which older manifests do not have', () => {
    const logo = { light: 'logo/light.svg', dark: 'logo/dark.svg' }
    for (const brand of [{ name: 'Garden' }, { name: 'Garden', logo }])
      expect(parse(brand)).toMatchObject({ root: { brand } })
    expect((parse(undefined) as { root: object }).root).not.toHaveProperty('brand')
  })

  test.each([
    { logo: {} },
    { name: 1 },
    { name: 'Garden', logo: { light: '../x', dark: 'y.svg' } },
  ])('a malformed brand is rejected: %j', (brand) => {
    expect(parse(brand)).toMatchObject({ kind: 'malformed' })
  })
})

describe('the texts of a manifest', () => {
  const { root, runs } = printManifest(FACTS, [ENTRY], sha256)

  test('a manifest is printed as readable JSON', () => {
    const team = sha256('["team"]').slice(0, 32)
    const sales = sha256('["sales"]').slice(0, 32)
    expect(root).toBe(`{
 "format": "octavo/1",
 "builder": "1.2.3",
 "commit": "c0ffee",
 "basePath": "/docs",
 "origins": {
  "images": [
   "https://img.example.com"
  ]
 },
 "languages": [
  "en",
  "de"
 ],
 "versions": [
  "v1"
 ],
 "sections": "_octavo/sections/",
 "redirects": [
  {
   "source": "/old",
   "destination": "/new",
   "permanent": true,
   "access": "${team}"
  }
 ],
 "search": [
  {
   "scope": "en",
   "path": "_octavo/search/en.bin",
   "access": "default"
  }
 ],
 "labels": {
${[
  [team, 'team'],
  [sales, 'sales'],
]
  .toSorted()
  .map(([id, group]) => `  "${id}": [\n   "${group}"\n  ]`)
  .join(',\n')}
 },
 "runs": [
{"first":"index.html","sha256":"${runs[0]?.sha256}","count":1}
 ]
}
`)
    expect(runs.map(({ text }) => text)).toEqual([
      `[
{"path":"index.html","sha256":"${sha256('a')}","size":30,"type":"text/html; charset=utf-8","access":"public","ranges":[[1,20,{"any":["${team}","${sales}"]}],[5,9,"${team}"]]}
]
`,
    ])
  })

  test('parsing a printed manifest returns its contents', () => {
    const parsed = parseManifestRoot(root)
    if (parsed.kind === 'malformed') throw new Error(parsed.reason)
    expect(parsed.root).toMatchObject(FACTS)
    expect(parseManifestRun(runs[0]?.text ?? '', parsed.root, 0)).toEqual({
      kind: 'run',
      entries: [ENTRY],
    })
  })

  test('the ID of a label is the first 128 bits of its hash, and other lengths are rejected', () => {
    const id = labelId(['team'], sha256)
    expect(id).toBe(sha256('["team"]').slice(0, 32))
    for (const length of [12, 31, 33]) {
      const other = root.replaceAll(id, id.padEnd(33, '0').slice(0, length))
      expect(parseManifestRoot(other), String(length)).toMatchObject({
        reason: expect.stringContaining('is not a label id'),
      })
    }
  })

  test('a manifest with more than 64 labels is rejected', () => {
    const labelled = (count: number) =>
      Array.from({ length: count }, (_, index): ManifestEntry => {
        return { ...ENTRY, path: `page-${index}`, access: [`group-${index}`], ranges: [] }
      })
    const facts = { ...FACTS, redirects: [] }
    // The limit also counts `public` and `default`.
    const most = MANIFEST_LIMITS.labelsMax - 2
    const printed = printManifest(facts, labelled(most), sha256)
    expect(parseManifestRoot(printed.root).kind).toBe('root')
    expect(() => printManifest(facts, labelled(most + 1), sha256)).toThrow('64 labels')
    const forged = printed.root.replace('"labels": {', '"labels": {"0123456789ab": ["more"],')
    expect(parseManifestRoot(forged)).toEqual({
      kind: 'malformed',
      reason: 'There are too many labels.',
    })
  })
})

describe('untrusted manifests', () => {
  const { root, runs } = printManifest(FACTS, [ENTRY, { ...ENTRY, path: 'z.html' }], sha256)
  const run = runs[0]?.text ?? ''

  test.each([
    [
      'its format is unknown',
      root.replace('octavo/1', 'octavo/2'),
      'The format is not `octavo/1`.',
    ],
    ['it is not JSON', root.slice(1), 'The root is not valid JSON.'],
    [
      'a hash is not SHA-256',
      root.replace(/"sha256":"[^"]*"/, '"sha256":"abc"'),
      'A hash is not SHA-256',
    ],
    ['a label is unknown', root.replace(/"access": "\w{32}"/, '"access": "0123456789ab"'), 'label'],
    ['a run is too long', root.replace('"count":2', '"count":1001'), 'A run is empty or too long.'],
    ['a run is empty', root.replace('"count":2', '"count":0'), 'A run is empty or too long.'],
  ])('a manifest root is rejected if %s', (_, text, reason) => {
    expect(parseManifestRoot(text)).toMatchObject({
      kind: 'malformed',
      reason: expect.stringContaining(reason),
    })
  })

  test.each([
    ['a path leads out of the site', run.replace('"z.html"', '"zz/../../etc"')],
    ['a path is absolute', run.replace('"z.html"', '"/z.html"')],
    ['a path has a control character', run.replace('"z.html"', '"z\\n.html"')],
    ['entries are not sorted', run.replace('"z.html"', '"a.html"')],
    ['a path is listed twice', run.replace('"z.html"', '"index.html"')],
    ['an entry is missing', run.replace(/,\n\{.*\}\n\]/, '\n]')],
    ['a size is negative', run.replace('"size":30', '"size":-30')],
    ['a range reaches beyond the end', run.replace('[1,20,', '[1,31,')],
    ['a range is empty', run.replace('[5,9,', '[5,5,')],
    ['ranges overlap', run.replace('[5,9,', '[5,21,')],
    ['ranges are not sorted', run.replace('[5,9,', '[0,1,')],
    ['access names no label', run.replace('"access":"public"', '"access":{"all":[]}')],
    ['access is missing', run.replace('"access":"public",', '')],
  ])('a manifest run is rejected if %s', (_, text) => {
    const parsed = parseManifestRoot(root)
    if (parsed.kind === 'malformed') throw new Error(parsed.reason)
    expect(parseManifestRun(run, parsed.root, 0).kind).toBe('run')
    expect(parseManifestRun(text, parsed.root, 0).kind).toBe('malformed')
  })
})

test('a path before the first entry of a manifest is in no run', () => {
  const runs = [
    { first: 'b', sha256: '', count: 1 },
    { first: 'd', sha256: '', count: 1 },
  ]
  expect(['a', 'b', 'c', 'd', 'e'].map((path) => runIndexOf({ runs }, path))).toEqual([
    -1, 0, 0, 1, 1,
  ])
})

describe('omitted ranges', () => {
  const content = new TextEncoder().encode('a(b[c]d)e')
  const ranges = [
    { start: 1, end: 8, access: ['outer'] },
    { start: 3, end: 6, access: ['inner'] },
  ]
  const seenBy = (...groups: readonly string[]) =>
    new TextDecoder().decode(
      omitRanges(content, ranges, (access) => groups.includes(String(access))),
    )

  test('a range that a reader may not see is removed with all nested ranges', () => {
    expect(seenBy('outer', 'inner')).toBe('a(b[c]d)e')
    expect(seenBy('outer')).toBe('a(bd)e')
    expect(seenBy('inner')).toBe('ae')
    expect(seenBy()).toBe('ae')
  })

  test('two lists of ranges that remove the same bytes have the same omitted spans', () => {
    const spansOf = (...spans: readonly (readonly [number, number])[]) =>
      omittedSpans(
        spans.map(([start, end]) => ({ start, end, access: ['staff'] })),
        () => false,
      )
    expect(spansOf([1, 8])).toEqual([{ start: 1, end: 8 }])
    expect(spansOf([1, 8], [3, 6])).toEqual([{ start: 1, end: 8 }])
    expect(spansOf([1, 3], [3, 8])).toEqual([{ start: 1, end: 8 }])
    expect(spansOf([1, 3], [4, 8])).toEqual([
      { start: 1, end: 3 },
      { start: 4, end: 8 },
    ])
  })
})
