import { expect, test } from 'vitest'
import { evaluate } from './evaluate-library.ts'

test('each metric is computed only from the questions to which it applies', () => {
  const result = (isAnswerable: boolean, place: number | undefined, likelihood: number) => ({
    question: '',
    isAnswerable,
    place,
    likelihood,
    isAnswered: likelihood > 0.5,
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
  expect(agreement).toEqual({ answerable: 0.75, unanswerable: 0.5, auc: 7 / 8 })
})
