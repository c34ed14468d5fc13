import { describe, expect, test } from 'vitest'
import { parseMarkdown } from '../markdown/parse-markdown.ts'
import { markdownToMdx } from './markdown-to-mdx.ts'
import { replaceForeign } from './replace-foreign.ts'

const convert = (markdown: string) => markdownToMdx(markdown, { address: () => undefined }).text

function cpuMs(run: () => void): number {
  const before = process.cpuUsage().user
  run()
  return (process.cpuUsage().user - before) / 1_000
}

describe('Markdown as MDX', () => {
  test('has each tag on its own line where MDX does not read it inside a paragraph', () => {
    const mdx = convert('<details><summary>More</summary>\n\nText *here*\n\n</details>\n')
    expect(parseMarkdown(mdx, 'mdx').problems).toEqual([])
    expect(mdx).toContain('<details>\n')
  })

  test('keeps the text around a tag that is never closed', () => {
    expect(convert('One <b>two\n\nthree')).toContain('two')
  })

  test('is the body itself if no page may have it', () => {
    const body = '> '.repeat(20_000)
    expect(convert(body)).toBe(body)
    expect(replaceForeign(body).text).toBe(body)
  })

  test.each([
    ['<table>\n'],
    ['<table>\n\n'],
    ['a <table> '],
    ['x <b> y\n\n'],
    ['</table>\n\n'],
    ['<Tabs>\n'],
    ['<!-- '],
    ['<script>'],
    ['{{'],
    ['{% hint %}\n'],
    [':::note\n\n'],
  ])('takes time in proportion to the number of %j', (part) => {
    const run = (count: number) => {
      const text = part.repeat(count)
      return cpuMs(() => void [convert(text), replaceForeign(text)])
    }
    run(300)
    const few = Math.min(run(1_250), run(1_250))
    const many = Math.min(run(10_000), run(10_000))
    // Eight times as many: quadratic time would be 64 times as much. Short times are noise.
    expect(many).toBeLessThan(24 * Math.max(few, 20))
  })
})
