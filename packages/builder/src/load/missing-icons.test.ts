import { formatDiagnostic } from '@octavo/model'
import { describe, expect, test } from 'vitest'
import type { Files } from '../../testing/temporary-site.ts'
import { createPageCompiler } from '../compile/compile-page.ts'

async function compile(files: Files, iconLibrary?: string) {
  const read = (path: string) => files[path]
  const factsOf = () => ({ exists: false, size: undefined })
  const compiler = createPageCompiler({ read, factsOf, variables: {}, iconLibrary })
  const { html, diagnostics } = await compiler('page.mdx')
  return { html, diagnostics: diagnostics.map(formatDiagnostic) }
}

describe('unknown icons', () => {
  test('an unknown icon is reported at its place and with a suggestion', async () => {
    const { diagnostics } = await compile({
      'page.mdx': '# The rokcet\n\n<Card title="A" icon="rokcet" />\n<Icon icon="rokcet" />\n',
    })
    expect(diagnostics).toEqual([
      'warning  page.mdx:3:23  icon/unknown\n  Unknown icon `rokcet`; no icon is shown.\n  Hint: Did you mean `rocket`?',
    ])
  })

  test('an unknown icon in a snippet is reported at its place in the snippet', async () => {
    const { diagnostics } = await compile({
      'page.mdx': 'import Part from "/part.mdx"\n\n<Part />\n',
      'part.mdx': 'Words.\n\n<Icon icon="rokcet" />\n',
    })
    expect(diagnostics[0]).toContain('part.mdx:3:13')
  })

  test('an unknown icon with a computed name is reported at the top of the page', async () => {
    const { diagnostics } = await compile({ 'page.mdx': '<Icon icon={"rok" + "cet"} />\n' })
    expect(diagnostics[0]).toContain('page.mdx:1:1')
  })

  test('each unknown icon name is reported only once', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `nosuchicon${index}`)
    const text = names.map((name) => `<Icon icon="${name}" />\n`).join('')
    const { diagnostics } = await compile({ 'page.mdx': text })
    expect(diagnostics).toHaveLength(40)
  })
})

test("a page can use the icons of the site's icon library", async () => {
  const page = { 'page.mdx': '<Icon icon="rocket" /> <Icon icon="brand-github" />\n' }
  const fontAwesome = await compile(page)
  expect(fontAwesome.html).toContain('id="icon:solid-rocket"')
  expect(fontAwesome.html).toContain('id="icon:tabler-brand-github"')
  expect((await compile(page, 'lucide')).html).toContain('id="icon:lucide-rocket"')
  expect((await compile(page, 'tabler')).html).toContain('id="icon:tabler-rocket"')
})
