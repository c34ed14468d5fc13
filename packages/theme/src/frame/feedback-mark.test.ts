import { describe, expect, test } from 'vitest'
import { feedbackMark } from './feedback-mark.ts'

describe('feedback marks', () => {
  const page = { markdownUrl: '/a.md' }

  test.each([
    [{ thumbsRating: true }, ' data-feedback="page"'],
    [{ thumbs: true }, ' data-feedback="page"'],
    [{ codeSnippet: true }, ' data-feedback="code"'],
    [{ thumbs: true, thumbsRating: true, codeSnippet: true }, ' data-feedback="page code"'],
    [{ thumbsRating: false, suggestEdit: true }, ''],
    [undefined, ''],
  ])('the feedback attribute of a page matches the configuration %j', (feedback, mark) => {
    expect(feedbackMark(page, feedback === undefined ? {} : { feedback })).toBe(mark)
  })

  test('the 404 page has no feedback attribute', () => {
    expect(feedbackMark({}, { feedback: { thumbsRating: true } })).toBe('')
  })
})
