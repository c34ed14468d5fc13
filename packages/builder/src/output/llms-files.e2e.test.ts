import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NAVIGATION_SITE } from '../../testing/navigation-site.ts'
import { TemporarySite } from '../../testing/temporary-site.ts'

describe('llms.txt files', () => {
  let site: TemporarySite
  beforeAll(async () => {
    site = new TemporarySite(NAVIGATION_SITE)
    await site.build()
  })
  afterAll(() => site[Symbol.dispose]())

  test('llms.txt lists the pages of the default language and version, and the lists of all parts', () => {
    const text = site.read('llms.txt')
    expect(text).toMatch(
      /^# Garden\n\n> About Start\.\n\n## Docs\n\n- \[Start\]\(\/index\.md\): About Start\.\n/,
    )
    expect(text).not.toContain('/v1/')
    expect(text).not.toContain('/de/install.md')
    expect(text).toContain('- [de](/_llms/de.txt)')
    expect(text).toContain('- [en / 2.0 / Products / Soil](/_llms/en/2-0/products/soil.txt)')
    expect(text).toContain('## OpenAPI\n\n- [api/plants.yaml](/api/plants.yaml)')
  })

  test('the list of a part contains only the pages of that part', () => {
    const text = site.read('_llms/en/1-0.txt')
    expect(text).toMatch(/^# Garden: en \/ 1\.0\n/)
    expect(text.match(/\(\/[^)]*\)/g)).toEqual(['(/v1.md)', '(/v1/install.md)', '(/v1/gone.md)'])
  })

  test('one archive contains all pages, and the next build does not change it', async () => {
    const before = site.hashes()
    expect(site.read('markdown.zip')).toContain('soil/start.md')
    const { writtenCount } = await site.build()
    expect(writtenCount).toBe(0)
    expect(site.hashes()).toEqual(before)
  })
})
