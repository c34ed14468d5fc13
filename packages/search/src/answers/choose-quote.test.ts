import { expect, test } from 'vitest'
import { chooseQuote } from './choose-quote.ts'
import { markdownBlocks } from './markdown-blocks.ts'

const PAGE = `## Water

Roses are thirsty.

Open the tap with the command:

\`\`\`sh
tap open

# not a heading
\`\`\`

| Plant | Litres |
| --- | --- |
| Rose | 2 |
| Fern | 1 |

1. Fill the can.

   \`\`\`sh
   can fill
   \`\`\`

2. Pour slowly.

After that, rest.`

test('Markdown blocks are unchanged parts of the text', () => {
  const blocks = markdownBlocks(PAGE)
  expect(blocks.map(({ kind }) => kind)).toEqual([
    ...['heading', 'text', 'text', 'code', 'table', 'list', 'text'],
  ])
  for (const { text } of blocks) expect(PAGE).toContain(text)
})

test.each([
  ['are they thirsty?', 'Roses are thirsty.'],
  [
    'which command opens a tap?',
    'Open the tap with the command:\n\n```sh\ntap open\n\n# not a heading\n```',
  ],
  ['how many litres for a fern?', '| Plant | Litres |\n| --- | --- |\n| Fern | 1 |'],
  ['fill and pour', PAGE.slice(PAGE.indexOf('1. Fill'), PAGE.indexOf('\n\nAfter'))],
])('the quote is the block with the words of the question: %s', (question, quote) => {
  expect(chooseQuote(PAGE, question)).toBe(quote)
})

test('a long quote is cut at a line end and keeps its code fence', () => {
  const code = `\`\`\`sh\n${'tap open\n'.repeat(400)}\`\`\``
  const quote = chooseQuote(code, 'tap')
  expect(quote.length).toBeLessThan(1_300)
  expect(quote).toMatch(/tap open\n```$/)
  expect(chooseQuote('', 'tap')).toBe('')
})
