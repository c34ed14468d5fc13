import { describe, expect, test } from 'vitest'
import { parseQuestions, printQuestions, readQuestions } from './parse-questions.ts'

describe('question files', () => {
  test('a question file has one question per line', () => {
    const lines = ['{"question": "a", "page": "/a", "alsoAcceptable": ["/b"]}', '']
    const read = parseQuestions([...lines, '{"question": "b", "page": null}'].join('\n'))
    expect(read).toEqual([
      { question: 'a', pages: new Set(['/a', '/b']), passages: [] },
      { question: 'b', pages: new Set(), passages: [] },
    ])
  })

  test('a question can name several passages that answer it, even on different pages', () => {
    const line = {
      question: 'a',
      page: '/a',
      spans: ['Every morning.'],
      alsoSpans: [{ page: '/b', span: 'Daily.' }],
    }
    expect(parseQuestions(JSON.stringify(line))).toEqual([
      { question: 'a', pages: new Set(['/a', '/b']), passages: ['Every morning.', 'Daily.'] },
    ])
  })

  test.each([
    ...['{', '[]', '{"question": ""}', '{"question": "a"}', '{"question": "a", "page": 1}'],
    '{"question": "a", "page": "/a", "spans": [1]}',
  ])('the malformed line %s of a question file is reported with its number', (line) =>
    expect(parseQuestions(`\n${line}`)).toContain('line 2'),
  )

  test('an empty question file is rejected', () => {
    expect(parseQuestions('\n')).toBe('the file has no questions.')
  })
})

describe('the question file of a site', () => {
  const line = (more: object = {}) => JSON.stringify({ question: 'a', page: '/a', ...more })
  const problemsOf = (text: string) => readQuestions(text).problems
  const texts = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`)

  test('malformed lines are reported with their numbers, and the other questions are read', () => {
    const { questions, problems } = readQuestions(['{', line(), '', 'null', line()].join('\n'))
    expect(questions).toHaveLength(2)
    expect(problems.map((one) => one.line)).toEqual([1, 4])
  })

  test('up to 100 malformed lines are reported, and questions after them are read', () => {
    const { questions, problems } = readQuestions([...Array(101).fill('{'), line()].join('\n'))
    expect(questions).toHaveLength(1)
    expect(problems).toHaveLength(100)
  })

  test('a file can have 500 questions but not 501', () => {
    const lines = Array(500).fill(line())
    expect(problemsOf(lines.join('\n'))).toEqual([])
    expect(problemsOf([...lines, '', line(), line()].join('\n'))).toEqual([
      { line: 502, message: 'There are more than 500 questions.' },
    ])
  })

  test('a file can have 500,000 characters but no more', () => {
    const text = line()
    const blank = '\n'.repeat(500_000 - text.length)
    expect(readQuestions(text + blank).questions).toHaveLength(1)
    const large = readQuestions(`${text}${blank}\n`)
    expect(large.questions).toEqual([])
    const message = 'The file has more than 500,000 characters.'
    expect(large.problems).toEqual([{ line: 1, message }])
  })

  test.each([
    ['a question of 2,000 characters', { question: 'x'.repeat(2_000) }, true],
    ['a longer question', { question: 'x'.repeat(2_001) }, false],
    ['a longer passage', { spans: ['x'.repeat(2_001)] }, false],
    ['20 pages', { alsoAcceptable: texts(19) }, true],
    ['21 pages', { alsoAcceptable: texts(20) }, false],
    ['20 passages', { spans: texts(20) }, true],
    ['21 passages', { spans: texts(21) }, false],
  ])('the limits of a question are checked for %s', (_, more, isAllowed) => {
    expect(problemsOf(line(more))).toHaveLength(isAllowed ? 0 : 1)
  })

  test('printed questions are read as the same questions', () => {
    const alsoSpans = [{ page: '/b', span: 'Daily.' }]
    const text = [line({ spans: ['Every "morning"'], alsoSpans }), line({ page: null })].join('\n')
    const { questions } = readQuestions(text)
    expect(questions).toHaveLength(2)
    expect(readQuestions(printQuestions(questions))).toEqual({ questions, problems: [] })
  })
})
