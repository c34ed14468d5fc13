import { expect, test } from 'vitest'
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
