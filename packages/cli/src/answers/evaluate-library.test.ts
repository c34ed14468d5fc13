import { describe, expect, test } from 'vitest'
import { evaluate } from './evaluate-library.ts'
import { parseQuestions } from './parse-questions.ts'

test('each metric is a share of the questions it applies to', () => {
  const result = (isAnswerable: boolean, place: number | undefined, likelihood: number) => ({
    question: '',
    isAnswerable,
    place,
    likelihood,
  })
  const { recall, mrr, agreement } = evaluate([
    result(true, 0, 0.9),
    result(true, 4, 0.4),
    result(true, 5, 0.8),
    result(true, undefined, 0.7),
    result(false, undefined, 0.6),
    result(false, undefined, 0.1),
  ])
  expect(recall).toEqual({ 1: 0.25, 5: 0.5, 10: 0.75 })
  expect(mrr).toBeCloseTo((1 + 1 / 5 + 1 / 6) / 4)
  expect(agreement).toEqual({ answerable: 0.75, unanswerable: 0.5, balanced: 0.625, auc: 7 / 8 })
})

describe('question files', () => {
  test('a question file has one question per line', () => {
    const lines = ['{"question": "a", "page": "/a", "alsoAcceptable": ["/b"]}', '']
    const read = parseQuestions([...lines, '{"question": "b", "page": null}'].join('\n'))
    expect(read).toEqual([
      { question: 'a', pages: new Set(['/a', '/b']) },
      { question: 'b', pages: new Set() },
    ])
  })

  test.each(['{', '[]', '{"question": ""}', '{"question": "a"}', '{"question": "a", "page": 1}'])(
    'the malformed line %s is reported with its number',
    (line) => expect(parseQuestions(`\n${line}`)).toContain('line 2'),
  )

  test('an empty question file is rejected', () => {
    expect(parseQuestions('\n')).toBe('the file has no questions.')
  })
})
