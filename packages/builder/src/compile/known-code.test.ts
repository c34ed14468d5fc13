import { createHighlighter, type Highlighter } from '@octavo/theme'
import { describe, expect, test } from 'vitest'
import { createPageCompiler } from './compile-page.ts'
import { type KnownCode, takeCode } from './known-code.ts'

/** Compiles one version of a page after another, and says which grammars each of them needed. */
function compileVersions() {
  const loaded: string[] = []
  const highlighter = createHighlighter()
  const watched: Highlighter = {
    highlight: highlighter.highlight,
    load: (languages) => {
      loaded.push(...languages)
      return highlighter.load(languages)
    },
  }
  return async (mdx: string, known: KnownCode = []) => {
    const compile = createPageCompiler(
      {
        read: () => mdx,
        factsOf: () => ({ isThere: false, size: undefined }),
        variables: {},
        iconLibrary: undefined,
      },
      watched,
    )
    const page = await compile('page.mdx', known)
    return { page, loaded: loaded.splice(0) }
  }
}

const JS = '```js\nconst a = "<b>"\n```\n'
const JSON_CODE = '```json\n{ "a": 1 }\n```\n'

describe('an edited page', () => {
  test('with the same code needs no grammar and becomes the same as from scratch', async () => {
    const compile = compileVersions()
    const before = await compile(`Before.\n\n${JS}\n${JSON_CODE}\n${JS}`)
    expect(before.loaded).toEqual(['js', 'json'])
    const text = `const a = "<b>"\n\n${JSON_CODE}\n\n${JS}`
    const after = await compile(text, takeCode(before.page))
    expect(after.loaded).toEqual([])
    expect(after.page).toEqual((await compile(text)).page)
    expect(after.page.html).toContain('<span class=')
  })

  test('with new code loads the grammar of that code only', async () => {
    const compile = compileVersions()
    const before = await compile(JS)
    const text = `${JS}\n${JSON_CODE}`
    const after = await compile(text, takeCode(before.page))
    expect(after.loaded).toEqual(['json'])
    expect(after.page).toEqual((await compile(text)).page)
  })

  test('tells equal text in another language apart', async () => {
    const compile = compileVersions()
    const before = await compile('```js\n{ "a": 1 }\n```')
    const after = await compile(JSON_CODE, takeCode(before.page))
    expect(after.loaded).toEqual(['json'])
    expect(after.page).toEqual((await compile(JSON_CODE)).page)
  })

  test('keeps the code of a changelog for its feed too', async () => {
    const compile = compileVersions()
    const before = await compile(`<Update label="May">\n${JS}</Update>`)
    const after = await compile(`<Update label="June">\n${JS}</Update>`, takeCode(before.page))
    expect(after.loaded).toEqual([])
    expect(after.page.updates?.[0]?.html).toContain('<span class=')
  })
})

test('code that stands twice on a page is kept once', async () => {
  const { page } = await compileVersions()(`${JS}\n${JS}`)
  expect(page.code).toHaveLength(1)
})
