import { describe, expect, test } from 'vitest'
import { chooseExcerpt, EXCERPT_LENGTH_MAX } from './choose-excerpt.ts'

const FILLER = Array.from({ length: 12 }, (_, at) => `Sentence ${at} is about nothing much.`)
const filler = FILLER.join(' ')
const terms = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []

function excerptOf(markdown: string, question: string, wantsNumber = false) {
  const words = terms(question).map((term) => ({ term, weight: 1, others: [] }))
  return chooseExcerpt(markdown, { words, wantsNumber, termsOf: terms })
}
const textOf = (markdown: string, question: string) => excerptOf(markdown, question)?.text

describe('an excerpt', () => {
  test('a short section is quoted as a whole, word for word', () => {
    const markdown = 'Open the tap:\n\n```sh\ntap open\n```\n\n- Wait.\n- Close it.'
    expect(textOf(markdown, 'close')).toBe(markdown)
  })

  test('the excerpt of a long section contains the sentences with the words of the question', () => {
    const markdown = `${filler}\n\nRoses need two litres of water.\n\n${filler}`
    const text = textOf(markdown, 'water roses')
    expect(text).toContain('Roses need two litres of water.')
    expect(text?.length).toBeLessThanOrEqual(EXCERPT_LENGTH_MAX)
  })

  test('a bold title is quoted with the text below it and never alone', () => {
    const markdown = `${filler}\n\n**How long do payouts take?**\n\nFour days.\n\n**What else?**`
    const text = textOf(markdown, 'how long payouts take')
    expect(text).toContain('**How long do payouts take?**\n\nFour days.')
    expect(text).not.toContain('What else?')
  })

  test('only the text below a title is quoted if the title fits the question', () => {
    const other = '**Who pays?**\n\nThe buyer.'
    const markdown = `**How long do payouts take?**\n\nFour days.\n\n${other}`
    expect(textOf(markdown, 'how long do payouts take')).toBe(
      '**How long do payouts take?**\n\nFour days.',
    )
    expect(textOf(markdown, 'payouts for a buyer')).toContain(other)
  })

  test('code is quoted with the sentence before it', () => {
    const code = `\`\`\`js\n${'step()\n'.repeat(80)}open(valve)\n\`\`\``
    expect(textOf(`${filler}\n\nThen start it:\n\n${code}`, 'valve')).toMatch(
      /^Then start it:\n\n```js\n/,
    )
  })

  test.each([
    ['alone', '', true],
    ['below a sentence', 'Then start it:\n\n', false],
    ['below a bold title', '**Start the pump**\n\n', false],
  ])('code %s is marked as code only: %j', (_, before, isCodeOnly) => {
    const found = excerptOf(`${before}\`\`\`js\nopen(valve)\n\`\`\``, 'valve')
    expect(found?.text).toContain('open(valve)')
    expect(found?.isCodeOnly).toBe(isCodeOnly)
  })

  test("a table row is quoted with the table's header", () => {
    const rows = Array.from({ length: 40 }, (_, at) => `| Plant ${at} | ${at} litres |`)
    const table = ['| Plant | Litres |', '| --- | --- |', ...rows, '| Fern | 1 |'].join('\n')
    const text = textOf(table, 'fern')
    expect(text).toMatch(/^\| Plant \| Litres \|\n\| --- \| --- \|\n/)
    expect(text).toContain('| Fern | 1 |')
  })

  test('a piece of long code is quoted with its fence and language', () => {
    const lines = Array.from({ length: 60 }, (_, at) => `step(${at})`)
    const code = ['```js run.js', ...lines, 'open(valve)', '```'].join('\n')
    expect(textOf(code, 'valve')).toMatch(/^```js run\.js\n[\s\S]*open\(valve\)\n```$/)
  })

  test('a sentence that is too long is cut between words', () => {
    const text = textOf(`${'water '.repeat(200)}.`, 'water')
    expect(text?.length).toBeLessThanOrEqual(EXCERPT_LENGTH_MAX)
    expect(text).toMatch(/water …$/)
  })

  test('a callout is quoted without its quote marks and kind', () => {
    expect(textOf('> **Note**\n>\n> Water slowly.', 'water')).toBe('Water slowly.')
  })

  test('a sentence with a number is preferred if the question asks for a number', () => {
    const markdown = `The limit of the tank is soft.\n\n${filler}${filler}\n\nThe limit is 40.`
    expect(excerptOf(markdown, 'limit', true)?.hasNumber).toBe(true)
  })
})

test.each([
  ['nothing', ''],
  ['a heading', '## Water'],
  ['a title in bold', '**How long do payouts take?**'],
  ['an image', '![A rose](/rose.png)'],
  ['a link', '[Roses](/roses)'],
  ['a list of links', '- [Roses](/roses)\n- See also [Ferns](/ferns)'],
  ['a line with an endpoint', '**POST** `https://api.example.com/v1/roses`'],
  ['a media type', 'application/json'],
  ['a comment', '<!-- water -->'],
])('a section that contains only %s has no excerpt', (_, markdown) => {
  expect(excerptOf(markdown, 'water roses')).toBeUndefined()
})
