import { describe, expect, test } from 'vitest'
import {
  countMarkdownFiles,
  joinMarkdownFiles,
  MARKDOWN_LENGTH_MAX,
  markdownPartPath,
  parseMarkdownPartPath,
  printMarkdownFiles,
} from './markdown-file.ts'

const FILE = { path: 'guides/log', title: 'Log', addressOf: (path: string) => `/docs/${path}` }
const NOTE = '> For agents: [llms.txt](/docs/llms.txt) lists all pages of this documentation.\n\n'
const print = (text: string) => printMarkdownFiles(text, FILE)
const join = joinMarkdownFiles

describe('Markdown files of a page', () => {
  test("the link to the page list at the start of a Markdown file is not part of the page's text", () => {
    expect(print('# Log\n\nText.\n')).toEqual([`${NOTE}# Log\n\nText.\n`])
    expect(join(print('# Log\n\nText.\n'))).toBe('# Log\n\nText.\n')
  })

  test('the path of every Markdown part except the first contains the part number', () => {
    const path = markdownPartPath('guides/part-2', 3)
    expect(parseMarkdownPartPath(path)).toEqual({ path: 'guides/part-2', part: 3 })
    for (const other of [
      '_llms/log/part-1.md',
      '_llms/log/part-02.md',
      'log/part-2.md',
      '_llms/part-2.md',
    ])
      expect(parseMarkdownPartPath(other)).toBeUndefined()
  })

  test('a page is split only if it exceeds the length limit', () => {
    const fitting = 'x'.repeat(MARKDOWN_LENGTH_MAX - NOTE.length - 1)
    expect(print(`${fitting}\n`)).toHaveLength(1)
    expect(print(`${fitting}x\n`)).toHaveLength(2)
  })

  test('Markdown parts link to the next part and to the first', () => {
    const [first = '', second = ''] = print(`# Log\n\n${'Row.\n\n'.repeat(10_000)}`)
    expect(first).toContain(
      'The page continues in [part 2 of 2](/docs/_llms/guides/log/part-2.md).',
    )
    expect(second).toContain(
      '# Log, part 2\n\nThe page begins in [part 1 of 2](/docs/guides/log.md).',
    )
    expect(second.startsWith(NOTE)).toBe(true)
    expect([countMarkdownFiles(first), countMarkdownFiles(second)]).toEqual([2, 1])
  })

  test('a long page is split before a heading if possible', () => {
    const text = `${'Row.\n\n'.repeat(5_000)}## Second half\n\n${'Row.\n\n'.repeat(5_000)}`
    expect(print(text)[1]).toContain('-->\n\n## Second half\n\n')
  })

  const code = (lines: number) => `\`\`\`js title\n${'let x = 1\n\n'.repeat(lines)}\`\`\``
  test.each([
    ['paragraphs', `# Log\n\n${'Some words in a row.\n\n'.repeat(20_000)}End.`],
    ['code that fits', `${'Row.\n\n'.repeat(5_000)}${code(3_000)}\n\nEnd.`],
    ['a table', `| a |\n|---|\n${'| b |\n'.repeat(30_000)}`],
    ['one endless line', 'x'.repeat(200_000)],
    ['code that is too long', code(20_000)],
  ])('the files of a long page contain all its text: %s', (_, text) => {
    const files = print(text)
    expect(files.length).toBeGreaterThan(1)
    for (const file of files) expect(file.length).toBeLessThanOrEqual(MARKDOWN_LENGTH_MAX)
    const letters = (one: string) => one.replaceAll(/\s|`{3}(?:js title)?/g, '')
    expect(letters(join(files))).toBe(letters(text))
    // A code block that is split must be closed in each file.
    for (const file of files) expect((file.match(/^```/gm) ?? []).length % 2).toBe(0)
  })
})
