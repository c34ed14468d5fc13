import { type Diagnostic, diagnose } from '@octavo/model'
import { describe, expect, test } from 'vitest'
import { applyBaseline, printBaseline } from './baseline.ts'

const broken = (file: string, line: number, target: string): Diagnostic =>
  diagnose(
    'link/broken',
    { file, line, column: 1 },
    {
      message: `Broken link: \`${target}\` does not exist.`,
      hint: 'Correct the link.',
    },
  )
const note = diagnose(
  'content/alt-text',
  { file: 'a.mdx', line: 1, column: 1 },
  {
    message: 'An image has no alt text.',
    hint: 'Describe it.',
  },
)

describe('the baseline of known findings', () => {
  test('findings of the baseline are known after their lines moved', () => {
    const text = printBaseline([broken('a.mdx', 3, '/x')])
    expect(applyBaseline([broken('a.mdx', 30, '/x')], text)).toEqual({
      fresh: [],
      knownCount: 1,
      fixedCount: 0,
    })
  })

  test('another target, another file and a second occurrence are new', () => {
    const text = printBaseline([broken('a.mdx', 3, '/x')])
    const found = [
      broken('a.mdx', 3, '/x'),
      broken('a.mdx', 4, '/x'),
      broken('a.mdx', 5, '/y'),
      broken('b.mdx', 3, '/x'),
    ]
    const { fresh, knownCount } = applyBaseline(found, text)
    expect(fresh).toEqual(found.slice(1))
    expect(knownCount).toBe(1)
  })

  test('entries that are no longer found are counted as fixed', () => {
    const text = printBaseline([broken('a.mdx', 3, '/x'), broken('a.mdx', 4, '/x')])
    expect(applyBaseline([broken('a.mdx', 3, '/x')], text)).toMatchObject({ fixedCount: 1 })
  })

  test('the file is sorted, one finding a line, without notes and line numbers', () => {
    const loop = diagnose(
      'part/cycle',
      { file: 'docs.json', line: 9, column: 2 },
      {
        message: 'The array that starts on line 12, column 4 is not closed.',
        hint: 'Close it.',
      },
    )
    expect(printBaseline([broken('b.mdx', 1, '/x'), note, broken('a.mdx', 1, '/y'), loop])).toBe(`{
  "version": 1,
  "findings": {
    "a.mdx": [
      "link/broken: Broken link: \`/y\` does not exist."
    ],
    "b.mdx": [
      "link/broken: Broken link: \`/x\` does not exist."
    ],
    "docs.json": [
      "part/cycle: The array that starts on line, column is not closed."
    ]
  }
}
`)
  })

  test.each([
    '',
    '[]',
    '{"version":2,"findings":{}}',
    '{"version":1,"findings":{"a":"b"}}',
    'null',
  ])('a file with %j is reported and hides no finding', (text) => {
    const found = [broken('a.mdx', 3, '/x')]
    const { fresh } = applyBaseline(found, text)
    expect(fresh.map(({ code }) => code)).toEqual(['link/broken', 'check/baseline'])
  })
})
