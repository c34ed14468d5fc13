/** Sample conversations from the last 30 days with their details, oldest first. */
import type { TimedTurn } from '../../../../answers/conversations/store.ts'
import { readSample } from './read-sample.ts'
import { createSampleRandom, type SampleRandom } from './sample-random.ts'

type SampleSource = { readonly title: string; readonly url: string }

type SampleQuestions = {
  /** Page titles by path. */
  readonly titles: Readonly<Record<string, string>>
  readonly answered: readonly {
    readonly category: string
    readonly page: string
    /** The number of readers who asked the first of `questions` in exactly these words. */
    readonly often?: number
    readonly answer: string
    readonly questions: readonly string[]
  }[]
  /** Questions on the same topic share words, so that they form one gap. */
  readonly unanswered: readonly {
    readonly nearest: readonly string[]
    readonly questions: readonly string[]
  }[]
  /** Readers' positive comments on answers. */
  readonly praise: readonly string[]
}

export type SampleConversation = {
  readonly turn: TimedTurn & { readonly atMs: number }
  readonly unanswered: { readonly nearest: readonly SampleSource[] } | undefined
  readonly rating: SampleRating | undefined
}

type SampleRating = {
  readonly isHelpful: boolean
  readonly reason: string | null
  readonly note: string | null
}

export const SAMPLE_DAYS = 30
/** The age of the newest deployment in days, after which readers no longer ask about the first topics. */
export const RELEASED_DAYS_AGO = 2
const TOPICS_OF_RELEASE = 2
const DAY_MS = 86_400_000
const NO_ANSWER = 'The documentation does not answer this question.'
const SEED = 7

export function sampleConversations(nowMs: number): readonly SampleConversation[] {
  const random = createSampleRandom(SEED)
  const samples = readSample<SampleQuestions>('questions')
  const answered = answeredQuestions(samples, random)
  const unanswered = unansweredQuestions(samples, random)
  return [...answered, ...unanswered]
    .map((one, index): SampleConversation => {
      const isOld = one.topic !== undefined && one.topic < TOPICS_OF_RELEASE
      const daysAgo = daysBefore(random, isOld ? RELEASED_DAYS_AGO + 1 : 0)
      const atMs = nowMs - Math.round(daysAgo * DAY_MS)
      const turn = { ...one.turn, questionId: `demo-${index}`, atMs }
      return { turn, unanswered: one.unanswered, rating: one.rating }
    })
    .toSorted((one, other) => one.turn.atMs - other.turn.atMs)
}

type Untimed = Omit<SampleConversation, 'turn'> & {
  readonly turn: Omit<SampleConversation['turn'], 'questionId' | 'atMs'>
  /** The index of an unanswered topic. */
  readonly topic?: number
}

function answeredQuestions(samples: SampleQuestions, random: SampleRandom): readonly Untimed[] {
  return samples.answered.flatMap(({ questions, page, category, answer, often = 1 }) =>
    [...Array<string>(often - 1).fill(questions[0] ?? ''), ...questions].map((query) => ({
      turn: {
        query,
        response: answer,
        sources: [sourceOf(samples, page)],
        resolutionStatus: 'answered',
        queryCategory: category,
        pageUrl: page,
      },
      unanswered: undefined,
      rating: random.isLikely(0.4) ? rate(random, samples.praise) : undefined,
    })),
  )
}

function unansweredQuestions(samples: SampleQuestions, random: SampleRandom): readonly Untimed[] {
  return samples.unanswered.flatMap(({ questions, nearest }, topic) =>
    questions.map((query) => ({
      turn: {
        query,
        response: NO_ANSWER,
        sources: [],
        resolutionStatus: 'unanswered',
        pageUrl: nearest[0] ?? '/',
      },
      unanswered: { nearest: nearest.map((page) => sourceOf(samples, page)) },
      rating: random.isLikely(0.3)
        ? { isHelpful: false, reason: 'incomplete', note: null }
        : undefined,
      topic,
    })),
  )
}

const sourceOf = ({ titles }: SampleQuestions, url: string): SampleSource => ({
  title: titles[url] ?? '',
  url,
})

/**
 * Returns a random age in days. Recent days are more likely, as for a growing product. Excludes the
 * last minutes, so that the user's own questions come last.
 */
function daysBefore(random: SampleRandom, least: number): number {
  const share = random.next() ** 1.25
  return Math.max(0.02, least + share * (SAMPLE_DAYS - 1 - least))
}

function rate(random: SampleRandom, notes: readonly string[]): SampleRating {
  const isHelpful = random.isLikely(0.85)
  const note = random.isLikely(0.2)
    ? (notes[Math.floor(random.next() * notes.length)] ?? null)
    : null
  return isHelpful
    ? { isHelpful, reason: null, note }
    : { isHelpful, reason: 'incomplete', note: null }
}
