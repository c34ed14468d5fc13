import { describe, expect, test } from 'vitest'
import { parseConfig } from './config/parse-config.ts'
import { DiagnosticList, diagnose } from './diagnostic.ts'
import { parseFrontmatter } from './frontmatter/parse-frontmatter.ts'
import { LIMITS } from './limits.ts'

function codes(text: string, readPart: (path: string) => string | undefined = () => undefined) {
  return parseConfig({ file: 'docs.json', text, readPart }).diagnostics.map(({ code }) => code)
}

/** A valid docs.json that is exactly so long. */
function configOfLength(length: number): string {
  const text = '{"navigation": {"pages": ["index"]}}'
  return text + ' '.repeat(length - text.length)
}

describe('limits: the last value allowed, and the first refused', () => {
  test('docs.json may be as long as configSizeMax (json/too-large)', () => {
    expect(codes(configOfLength(LIMITS.configSizeMax))).toEqual([])
    expect(codes(configOfLength(LIMITS.configSizeMax + 1))).toEqual(['json/too-large'])
  })

  test('values may be nested jsonDepthMax deep (json/too-deep)', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
    const config = (depth: number) =>
      `{"variables": ${nested(depth)}, "navigation": {"pages": ["a"]}}`
    expect(codes(config(LIMITS.jsonDepthMax - 1))).toEqual(['value/wrong-type'])
    expect(codes(config(LIMITS.jsonDepthMax))).toEqual(['json/too-deep'])
  })

  test('docs.json may be split into configPartsMax files (part/too-many)', () => {
    const parts = (count: number) =>
      JSON.stringify({
        navigation: { groups: Array.from({ length: count }, () => ({ $ref: './group.json' })) },
      })
    const readPart = () => '{"group": "Plants", "pages": ["index"]}'
    expect(codes(parts(LIMITS.configPartsMax), readPart)).toEqual([])
    expect(codes(parts(LIMITS.configPartsMax + 5), readPart)).toEqual(['part/too-many'])
  })

  test('parts that include parts cannot multiply without end', () => {
    // Each file includes the next one ten times: 10^9 values if nothing stopped it.
    const readPart = (path: string) => {
      const number = Number.parseInt(path, 10)
      if (number >= 9) return '{"group": "Leaf", "pages": ["index"]}'
      const next = { $ref: `./${number + 1}.json` }
      return JSON.stringify({ group: 'Branch', pages: Array.from({ length: 10 }, () => next) })
    }
    const text = JSON.stringify({ navigation: { groups: [{ $ref: './1.json' }] } })
    expect(codes(text, readPart)).toContain('part/too-many')
  })

  test('frontmatter may be as long as frontmatterSizeMax (frontmatter/too-large)', () => {
    const page = (length: number) => `---\n${'#'.repeat(length - 1)}\n---\nText`
    expect(parseFrontmatter('a.mdx', page(LIMITS.frontmatterSizeMax)).diagnostics).toEqual([])
    const [first] = parseFrontmatter('a.mdx', page(LIMITS.frontmatterSizeMax + 1)).diagnostics
    expect(first?.code).toBe('frontmatter/too-large')
  })

  test('a report lists diagnosticsMax problems and counts the rest (limit/diagnostics)', () => {
    const list = new DiagnosticList()
    const place = { file: 'docs.json', line: 1, column: 1 }
    for (let count = 0; count < LIMITS.diagnosticsMax + 3; count += 1) {
      list.report(diagnose('key/unknown', place, { message: String(count), hint: '' }))
    }
    const sorted = list.sorted()
    expect(sorted.length).toBe(LIMITS.diagnosticsMax + 1)
    expect(sorted.at(-1)?.code).toBe('limit/diagnostics')
    expect(sorted.at(-1)?.message).toBe('3 more problems are not listed.')
  })
})
