import { describe, expect, test } from 'vitest'
import { DiagnosticList, diagnose } from './diagnostics/diagnostic.ts'
import { LIMITS } from './diagnostics/limits.ts'
import { parseFrontmatter } from './frontmatter/parse-frontmatter.ts'
import { resolveNavigation } from './navigation/resolve-navigation.ts'
import { NO_SPECIFICATIONS } from './navigation/site-facts.ts'
import { EMPTY_NAVIGATION } from './navigation/written.ts'
import { parseConfig } from './parse-config.ts'

function codes(text: string, readPart: (path: string) => string | undefined = () => undefined) {
  return parseConfig({ file: 'docs.json', text, readPart }).diagnostics.map(({ code }) => code)
}

/** Returns a valid docs.json with exactly this many characters. */
function configOfLength(length: number): string {
  const text = '{"navigation": {"pages": ["index"]}}'
  return text + ' '.repeat(length - text.length)
}

describe('limits of the model', () => {
  test('docs.json may have up to configSizeMax characters (json/too-large)', () => {
    expect(codes(configOfLength(LIMITS.configSizeMax))).toEqual([])
    expect(codes(configOfLength(LIMITS.configSizeMax + 1))).toEqual(['json/too-large'])
  })

  test('values in docs.json may be nested up to jsonDepthMax levels (json/too-deep)', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
    const config = (depth: number) =>
      `{"variables": ${nested(depth)}, "navigation": {"pages": ["a"]}}`
    expect(codes(config(LIMITS.jsonDepthMax - 1))).toEqual(['value/wrong-type'])
    expect(codes(config(LIMITS.jsonDepthMax))).toEqual(['json/too-deep'])
  })

  test('docs.json may be split into up to configPartsMax files (part/too-many)', () => {
    const parts = (count: number) =>
      JSON.stringify({
        navigation: { groups: Array.from({ length: count }, () => ({ $ref: './group.json' })) },
      })
    const readPart = () => '{"group": "Plants", "pages": ["index"]}'
    expect(codes(parts(LIMITS.configPartsMax), readPart)).toEqual([])
    expect(codes(parts(LIMITS.configPartsMax + 5), readPart)).toEqual(['part/too-many'])
  })

  test('parts of docs.json that include each other cannot multiply without limit', () => {
    // Each file includes the next one ten times, which would result in 10^9 values without the
    // limit.
    const readPart = (path: string) => {
      const number = Number.parseInt(path, 10)
      if (number >= 9) return '{"group": "Leaf", "pages": ["index"]}'
      const next = { $ref: `./${number + 1}.json` }
      return JSON.stringify({ group: 'Branch', pages: Array.from({ length: 10 }, () => next) })
    }
    const text = JSON.stringify({ navigation: { groups: [{ $ref: './1.json' }] } })
    expect(codes(text, readPart)).toContain('part/too-many')
  })

  test('frontmatter may have up to frontmatterSizeMax characters (frontmatter/too-large)', () => {
    const page = (length: number) => `---\n${'#'.repeat(length - 1)}\n---\nText`
    expect(parseFrontmatter('a.mdx', page(LIMITS.frontmatterSizeMax)).diagnostics).toEqual([])
    const [first] = parseFrontmatter('a.mdx', page(LIMITS.frontmatterSizeMax + 1)).diagnostics
    expect(first?.code).toBe('frontmatter/too-large')
  })

  test('the pages of a site may have up to accessLabelsMax labels (limit/access-labels)', () => {
    const labelsOf = (count: number) => {
      const paths = Array.from({ length: count }, (_, index) => `page-${index}`)
      const { config } = parseConfig({
        file: 'docs.json',
        text: JSON.stringify({ navigation: { pages: paths } }),
        readPart: () => undefined,
      })
      const pages = paths.map((path, index) => {
        const text = `---\ngroups: [group-${index}]\n---\n`
        const { frontmatter } = parseFrontmatter(`${path}.mdx`, text)
        return { path, file: `${path}.mdx`, frontmatter, isPageOnlyWhenListed: false }
      })
      return resolveNavigation({
        ...NO_SPECIFICATIONS,
        written: config?.navigation ?? EMPTY_NAVIGATION,
        pages: new Map(pages.map((page) => [page.path, page])),
        hasFile: () => false,
      })
    }
    // Three labels do not consist of groups: `public`, `default`, and the one that no reader has.
    const most = LIMITS.accessLabelsMax - 3
    const { diagnostics, labels } = labelsOf(most)
    expect(diagnostics).toEqual([])
    expect(new Set([...labels.values()].map(String)).size).toBe(most)
    const beyond = labelsOf(most + 2)
    expect(beyond.diagnostics.map(({ code, place }) => [code, place.file])).toEqual([
      ['limit/access-labels', `page-${most}.mdx`],
    ])
    expect(beyond.labels.get(`page-${most - 1}`)).toEqual([`group-${most - 1}`])
    expect(beyond.labels.get(`page-${most}`)).toEqual([])
    expect(beyond.labels.get(`page-${most + 1}`)).toEqual([])
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
