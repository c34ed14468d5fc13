import { type Diagnostic, diagnose } from '@octavo/model'
import { describe, expect, test } from 'vitest'
import { checkFixture } from '../../testing/check-fixture.ts'
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
  test('a finding in the baseline is still recognized after its line moved', () => {
    const text = printBaseline([broken('a.mdx', 3, '/x')])
    expect(applyBaseline([broken('a.mdx', 30, '/x')], text)).toEqual({
      fresh: [],
      knownCount: 1,
      fixedCount: 0,
    })
  })

  test('a finding with another target or file, or a second occurrence, is new', () => {
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

  test('baseline entries that no longer occur are counted as fixed', () => {
    const text = printBaseline([broken('a.mdx', 3, '/x'), broken('a.mdx', 4, '/x')])
    expect(applyBaseline([broken('a.mdx', 3, '/x')], text)).toMatchObject({ fixedCount: 1 })
  })

  test('the baseline file is sorted, has one finding per line, and contains no notes or line numbers', () => {
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
  ])('an invalid baseline file with the content %j is reported and hides no findings', (text) => {
    const found = [broken('a.mdx', 3, '/x')]
    const { fresh } = applyBaseline(found, text)
    expect(fresh.map(({ code }) => code)).toEqual(['link/broken', 'check/baseline'])
  })

  test.each(['known-findings', 'baseline-of-another-version'])(
    'the site %s, which has a baseline, reports its planted faults and nothing else',
    async (name) => {
      const { found, planted } = await checkFixture(name)
      expect(found).toEqual(planted)
    },
  )
})
