import { describe, expect, test } from 'vitest'
import { HOSTILE_ANSWERS } from './hostile-answers.case.ts'
import { renderAnswer } from './render-answer.ts'

const PLACE = {
  site: { origin: 'https://docs.example.com', base: '' },
  sources: [{ title: 'Watering "cacti"', url: '/watering' }],
}
const rendered = (text: string) => renderAnswer(text, PLACE).toString()

const TAG = /<(\/?)([a-z]+)((?: [a-z-]+="[^"<>]*")*)>/g
const TAGS = 'p br strong em code pre div table thead tbody tr th td ul ol li blockquote a small'
const ATTRIBUTES = 'class dir tabindex scope start href rel aria-label'.split(' ')

describe('rendered answers', () => {
  test('Markdown becomes elements, with absolute URLs and citations', () => {
    expect(rendered('Turn **on** `hose` [here](/hose). [1] [7]')).toBe(
      '<p dir="auto">Turn <strong>on</strong> <code>hose</code> <a class="link" href="https://docs.example.com/hose" rel="noopener noreferrer nofollow">here</a>.<a class="cite" href="https://docs.example.com/watering" rel="noreferrer" aria-label="1: Watering &quot;cacti&quot;">1</a>[7]</p>',
    )
    expect(rendered('1. a\n2. b\n\n- c')).toBe(
      '<ol start="1"><li dir="auto">a</li><li dir="auto">b</li></ol><ul><li dir="auto">c</li></ul>',
    )
    expect(rendered('| a | b |\n|---|---|\n| 1 | 2 |')).toContain(
      '<th scope="col" dir="auto">a</th><th scope="col" dir="auto">b</th></tr></thead><tbody><tr><td dir="auto">1</td>',
    )
    expect(rendered('```js\na < b\n```')).toContain('<code>a &lt; b</code>')
    expect(rendered('> q\n\n# t')).toBe(
      '<blockquote><p dir="auto">q</p></blockquote><p class="title" dir="auto">t</p>',
    )
  })

  test('a link to another site shows its host', () => {
    expect(rendered('[docs](https://evil.example/x)')).toContain('(evil.example)')
  })

  test.each(HOSTILE_ANSWERS)(
    'the answer with %s has only allowed elements and addresses',
    (_, answer) => {
      const text = rendered(answer)
      for (const [, , name = '', attributes = ''] of text.matchAll(TAG)) {
        expect(TAGS.split(' ')).toContain(name)
        for (const [, key = '', value = ''] of attributes.matchAll(/ ([a-z-]+)="([^"]*)"/g)) {
          expect(ATTRIBUTES).toContain(key)
          if (key === 'href') expect(value).toMatch(/^https?:\/\//)
        }
      }
      expect(text.replaceAll(TAG, '')).not.toMatch(/[<>]/)
    },
  )
})
