import { describe, expect, test } from 'vitest'
import {
  compareAnswers,
  parseShownAnswers,
  printShownAnswers,
  type ShownAnswer,
  showAnswer,
} from './shown-answers.ts'

const match = (url: string, text: string) => ({ url, title: 'Page', text })
const library = (matches: readonly ReturnType<typeof match>[], page = '') => ({
  findMatches: async () => ({ matches, hasAnswer: true, likelihood: 1, missing: [], nearest: [] }),
  read: async () => page,
})
const asked = (passages: readonly string[], pages = ['/water']) => ({
  question: 'When?',
  pages: new Set(pages),
  passages,
})
const shown = (rest: Partial<ShownAnswer> = {}): ShownAnswer => ({
  question: 'When?',
  status: 'unanswered',
  isShown: true,
  isNear: true,
  isWritten: true,
  matches: [match('/water', 'Every morning.')],
  ...rest,
})

describe('what readers see', () => {
  test('an answer is shown if an excerpt contains one of its passages, ignoring Markdown syntax', async () => {
    const found = [match('/other#a', 'Water **every** morning.')]
    const page = '# Water\n\nEvery evening.'
    expect(await showAnswer(library(found, page), asked(['every morning']))).toMatchObject({
      isShown: true,
      isNear: true,
      isWritten: false,
    })
    expect(await showAnswer(library(found, page), asked(['every evening']))).toMatchObject({
      isShown: false,
      isWritten: true,
    })
  })

  test('if a question has no expected passages, any excerpt from its expected pages counts as an answer', async () => {
    const found = [match('/water#hose', 'Open it.')]
    expect(await showAnswer(library(found), asked([]))).toMatchObject({ isShown: true })
    expect(await showAnswer(library(found), asked([], ['/soil']))).toMatchObject({ isShown: false })
    expect(await showAnswer(library(found), asked([], []))).toMatchObject({ isShown: undefined })
  })

  test('an answer in the fourth excerpt is near but not shown', async () => {
    const found = ['/a', '/b', '/c', '/water'].map((url) => match(url, url))
    const one = await showAnswer(library(found), asked([]))
    expect(one).toMatchObject({ isShown: false, isNear: true })
    expect(one.matches).toHaveLength(3)
  })
})

describe('a comparison', () => {
  const none = { isShown: undefined, isNear: undefined, isWritten: undefined }
  test.each<[string, Partial<ShownAnswer>, Partial<ShownAnswer>, string | undefined]>([
    ['nothing changed', {}, {}, undefined],
    ['the passage is gone', {}, { isWritten: false }, 'lost'],
    ['no excerpt shows it', {}, { isShown: false, isNear: false }, 'lost'],
    ['it only moved to the fourth place', {}, { isShown: false }, undefined],
    ['an excerpt shows it now', { isShown: false }, {}, 'gained'],
    [
      'the passage is written now',
      { isShown: false, isWritten: false },
      { isShown: false },
      'gained',
    ],
    ['a question without an answer is claimed', none, { ...none, status: 'answered' }, 'lost'],
    ['another excerpt comes first', {}, { matches: [match('/soil', 'Dig.')] }, 'changed'],
  ])('a comparison of shown answers is correct if %s', (_, before, now, kind) => {
    const [change] = compareAnswers([shown(before)], [shown(now)])
    expect(change?.kind).toBe(kind)
  })

  test('a question without an earlier result is not compared', () => {
    expect(compareAnswers([], [shown({ isShown: false })])).toEqual([])
  })

  test('a file of shown answers can be read again, and other files are rejected', () => {
    const all = [shown(), shown({ question: 'Why?' })]
    expect(parseShownAnswers(printShownAnswers(all))).toEqual(all)
    expect(parseShownAnswers('{"question": "When?"}')).toContain('line 1')
    expect(parseShownAnswers('{')).toContain('line 1')
  })
})
