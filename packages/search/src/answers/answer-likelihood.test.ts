import { expect, test } from 'vitest'
import { isAnswer, type ShownExcerpt } from './answer-likelihood.ts'

function shown(isCodeOnly: boolean, title: number) {
  return { excerpt: { isCodeOnly }, from: { signals: { title } } } as ShownExcerpt
}

test('an excerpt is called an answer if its likelihood is higher than 0.7', () => {
  expect(isAnswer(shown(false, 0), 0.71)).toBe(true)
  expect(isAnswer(shown(false, 0), 0.7)).toBe(false)
})

test('code without a sentence is called an answer only if its title matches the question', () => {
  expect(isAnswer(shown(true, 0.59), 0.99)).toBe(false)
  expect(isAnswer(shown(true, 0.6), 0.99)).toBe(true)
  expect(isAnswer(shown(true, 1), 0.7)).toBe(false)
})
