import { describe, expect, test } from 'vitest'
import { loadSite } from '../load/load-site.ts'
import { memoryTree } from '../source/memory-tree.ts'
import { languageStarts } from './page-languages.ts'

function startsOf(navigation: object, paths: readonly string[]) {
  const files = paths.map((path) => [`${path}.mdx`, `---\ntitle: ${path}\n---\n`])
  const { site } = loadSite(
    memoryTree({
      'docs.json': JSON.stringify({ name: 'Site', navigation }),
      ...Object.fromEntries(files),
    }),
  )
  if (site === undefined) throw new Error('The site cannot be read.')
  return languageStarts(site.navigation).map(({ language, url }) => `${language} ${url}`)
}

describe('the start page of each language', () => {
  test('the start page of a language is the target of the language menu, and the default is first', () => {
    const languages = [
      { language: 'fr', pages: ['fr/guide', 'fr/index'] },
      { language: 'en', default: true, pages: ['index', 'guide'] },
      { language: 'ja', pages: ['ja/other'] },
      { language: 'de', hidden: true, pages: ['de/index'] },
    ]
    const paths = ['index', 'guide', 'fr/index', 'fr/guide', 'ja/other', 'de/index']
    expect(startsOf({ languages }, paths)).toEqual(['en /', 'fr /fr', 'jp /ja/other'])
  })

  test("the start page of a language is in the site's first version", () => {
    const versions = ['v2', 'v1'].map((version) => ({
      version,
      languages: ['en', 'fr'].map((language) => ({
        language,
        pages: [`${version}/${language}/start`],
      })),
    }))
    const paths = ['v2/en/start', 'v2/fr/start', 'v1/en/start', 'v1/fr/start']
    expect(startsOf({ versions }, paths)).toEqual(['en /v2/en/start', 'fr /v2/fr/start'])
  })

  test('a site without languages has no start pages of languages', () => {
    expect(startsOf({ pages: ['index'] }, ['index'])).toEqual([])
  })
})
