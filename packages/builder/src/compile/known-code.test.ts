import { createHighlighter, type Highlighter } from '@octavo/theme'
import { describe, expect, test } from 'vitest'
import { createPageCompiler } from './compile-page.ts'
import { type KnownCode, takeCode } from './known-code.ts'

/** Compiles successive versions of a page and returns the grammars that each compilation loaded. */
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
        factsOf: () => ({ exists: false, size: undefined }),
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

describe('highlighted code of an edited page', () => {
  test('an edited page with unchanged code loads no grammar and has the same result', async () => {
    const compile = compileVersions()
    const before = await compile(`Before.\n\n${JS}\n${JSON_CODE}\n${JS}`)
    expect(before.loaded).toEqual(['js', 'json'])
    const text = `const a = "<b>"\n\n${JSON_CODE}\n\n${JS}`
    const after = await compile(text, takeCode(before.page))
    expect(after.loaded).toEqual([])
    expect(after.page).toEqual((await compile(text)).page)
    expect(after.page.html).toContain('<span class=')
  })

  test('an edited page with new code loads only the grammar for that code', async () => {
    const compile = compileVersions()
    const before = await compile(JS)
    const text = `${JS}\n${JSON_CODE}`
    const after = await compile(text, takeCode(before.page))
    expect(after.loaded).toEqual(['json'])
    expect(after.page).toEqual((await compile(text)).page)
  })

  test('code is highlighted again if its language changes', async () => {
    const compile = compileVersions()
    const before = await compile('```js\n{ "a": 1 }\n```')
    const after = await compile(JSON_CODE, takeCode(before.page))
    expect(after.loaded).toEqual(['json'])
    expect(after.page).toEqual((await compile(JSON_CODE)).page)
  })

  test('code in a changelog is also reused for the feed', async () => {
    const compile = compileVersions()
    const before = await compile(`<Update label="May">\n${JS}</Update>`)
    const after = await compile(`<Update label="June">\n${JS}</Update>`, takeCode(before.page))
    expect(after.loaded).toEqual([])
    expect(after.page.updates?.[0]?.html).toContain('<span class=')
  })
})

test('code that appears twice on a page is stored once', async () => {
  const { page } = await compileVersions()(`${JS}\n${JS}`)
  expect(page.code).toHaveLength(1)
})
