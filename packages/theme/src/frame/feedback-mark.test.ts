import { describe, expect, test } from 'vitest'
import { feedbackMark } from './feedback-mark.ts'

describe('a page says what its readers are asked', () => {
  const page = { markdownUrl: '/a.md' }

  test.each([
    [{ thumbsRating: true }, ' data-feedback="page"'],
    [{ thumbs: true }, ' data-feedback="page"'],
    [{ codeSnippet: true }, ' data-feedback="code"'],
    [{ thumbs: true, thumbsRating: true, codeSnippet: true }, ' data-feedback="page code"'],
    [{ thumbsRating: false, suggestEdit: true }, ''],
    [undefined, ''],
  ])('%j', (feedback, mark) => {
    expect(feedbackMark(page, feedback === undefined ? {} : { feedback })).toBe(mark)
  })

  test('and not where there is no page', () => {
    expect(feedbackMark({}, { feedback: { thumbsRating: true } })).toBe('')
  })
})
