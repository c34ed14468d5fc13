import { expect, test } from 'vitest'
import type { ModelResult } from './ask-model.ts'
import { printModelTable, summarize } from './model-table.ts'

const result = (rest: Partial<ModelResult>): ModelResult => ({
  question: 'When?',
  isAnswerable: true,
  status: 'answered',
  failure: undefined,
  text: '',
  cited: [],
  invented: 0,
  sentences: 0,
  unsupported: [],
  firstMs: undefined,
  totalMs: 0,
  usage: undefined,
  ...rest,
})
const cited = (...rights: readonly boolean[]) =>
  rights.map((isRight, index) => ({ url: `/${index}`, isRight }))
const RUN = {
  octavo: '1.2.3',
  model: 'tiny',
  host: 'example.com',
  contextTokens: 2_048,
  hasTools: false,
}

const RESULTS = [
  result({
    cited: cited(true, false),
    sentences: 3,
    unsupported: ['No.'],
    invented: 2,
    firstMs: 1_000,
    totalMs: 2_000,
    usage: { inputTokens: 100, outputTokens: 11 },
  }),
  result({ cited: cited(false), firstMs: 3_000, totalMs: 5_000 }),
  result({ status: 'declined', totalMs: 400 }),
  result({ status: 'failed', failure: 'timeout', totalMs: 120_000 }),
  result({ isAnswerable: false, status: 'declined', totalMs: 500 }),
  result({ isAnswerable: false, cited: cited(false), firstMs: 2_000, totalMs: 3_000 }),
  result({ isAnswerable: false, status: 'failed', failure: 'timeout' }),
  result({ isAnswerable: false, status: 'failed', failure: 'status' }),
]

test('the table of a model has each measure of only the questions to which it applies', () => {
  expect(printModelTable(RUN, summarize(RESULTS, true))).toBe(
    `tiny at example.com, 2048 tokens of context, without tools; 8 questions; Octavo 1.2.3

| measure                         | result                  |
| ------------------------------- | ----------------------- |
| answerable, answered            | 2 of 4 (50 %)           |
| answerable, refused (wrong)     | 1 of 4 (25 %)           |
| unanswerable, refused (right)   | 1 of 4 (25 %)           |
| unanswerable, answered (wrong)  | 1 of 4 (25 %)           |
| citation precision              | 1 of 3 (33 %)           |
| answers with a right citation   | 1 of 2 (50 %)           |
| citations that do not exist     | 2                       |
| unsupported sentences           | 1 of 3 (33 %)           |
| time to the first text          | median 2.0 s, p90 3.0 s |
| time to the end                 | median 2.0 s, p90 5.0 s |
| tokens per question (estimated) | 20 read, 2 written      |
| failed                          | 3: timeout 2, status 1  |
`,
  )
})

test('a measure without values is a dash instead of a misleading zero', () => {
  const table = printModelTable(RUN, summarize([result({ isAnswerable: false })], false))
  expect(table).toMatch(/\| answerable, answered +\| – /)
  expect(table).toMatch(/\| time to the first text +\| – /)
  expect(table).toMatch(/\| tokens per question +\| /)
  expect(table).toMatch(/\| failed +\| 0 /)
})
