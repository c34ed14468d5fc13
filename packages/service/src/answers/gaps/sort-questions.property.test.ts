import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createQuestionSorter } from './sort-questions.ts'
import { createTopicWords } from './topic-words.ts'

const topicWords = createTopicWords(['en'])

/** Sorts questions one after another. Returns the gap of each question. */
function sortAll(questions: readonly string[]): ReadonlyMap<string, string> {
  const sorter = createQuestionSorter([], questions, topicWords)
  const gaps = new Map<string, string>()
  for (const [index, question] of questions.entries()) {
    const gap = sorter.find(question) ?? `gap ${index}`
    sorter.add(question, gap)
    gaps.set(question, gap)
  }
  return gaps
}

/** Returns the groups of questions that share a gap, without the ids of the gaps. */
function groups(questions: readonly string[]): readonly string[] {
  const members = Map.groupBy(sortAll(questions), ([, gap]) => gap)
  return [...members.values()]
    .map((group) =>
      group
        .map(([question]) => question)
        .toSorted()
        .join('\n'),
    )
    .toSorted()
}

const TOPICS = [
  ['How do I rotate an API key?', 'Can API keys be rotated?', 'rotating the api key'],
  ['Is there a webhook for refunds?', 'webhooks for a refund'],
  ['What is the rate limit of uploads?', 'upload rate limits', 'Which rate limits have uploads?'],
  ['How can I download invoices?', 'invoice download'],
  ['Does it run on Windows?', 'running on windows'],
]
const QUESTIONS = TOPICS.flat()

describe('question sorting', () => {
  test('questions about the same topic share a gap, and questions about different topics do not', () => {
    expect(groups(TOPICS.slice(0, 3).flat())).toHaveLength(3)
    expect(groups(['How do I create an API key?', 'How do I rotate an API key?'])).toHaveLength(2)
  })

  test('equal questions share a gap, whatever other questions there are', () => {
    const words = fc.oneof(fc.string(), fc.constantFrom(...TOPICS.flat()))
    fc.assert(
      fc.property(fc.array(words), words, (others, question) => {
        const sorter = createQuestionSorter([], [...others, question, question], topicWords)
        for (const [index, other] of others.entries())
          sorter.add(other, sorter.find(other) ?? `gap ${index}`)
        const gap = sorter.find(question) ?? 'new'
        sorter.add(question, gap)
        expect(sorter.find(question)).toBe(gap)
      }),
    )
  })

  test('the order of questions does not change how they are grouped', () => {
    const expected = groups(QUESTIONS)
    expect(expected).toHaveLength(TOPICS.length)
    fc.assert(
      fc.property(fc.shuffledSubarray(QUESTIONS, { minLength: QUESTIONS.length }), (asked) => {
        expect(groups(asked)).toEqual(expected)
      }),
    )
  })

  test('questions that only consist of function words or punctuation are not dropped', () => {
    expect(groups(['how do I do this', 'who are you', '???', '!'])).toHaveLength(4)
  })
})
