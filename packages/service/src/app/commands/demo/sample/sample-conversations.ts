/** Conversations of the last 30 days with what is known of each, the oldest first. */
import type { TimedTurn } from '../../../../answers/conversations/store.ts'
import { ANSWERED_TOPICS, type SampleSource } from './answered-topics.ts'
import { createSampleRandom, type SampleRandom } from './sample-random.ts'
import { UNANSWERED_TOPICS } from './unanswered-topics.ts'

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
/** The newest deployment, which answers the first topics. */
export const RELEASED_DAYS_AGO = 2
const TOPICS_OF_RELEASE = 2
const DAY_MS = 86_400_000
const NO_ANSWER = 'The documentation does not answer this question.'
const SEED = 7

export function sampleConversations(nowMs: number): readonly SampleConversation[] {
  const random = createSampleRandom(SEED)
  const answered = ANSWERED_TOPICS.flatMap(({ questions, source, category, answer, often = 1 }) =>
    [...Array<string>(often - 1).fill(questions[0] ?? ''), ...questions].map(
      (query): Omit<SampleConversation, 'turn'> & { turn: Untimed } => ({
        turn: {
          query,
          response: answer,
          sources: [source],
          resolutionStatus: 'answered',
          queryCategory: category,
          pageUrl: source.url,
        },
        unanswered: undefined,
        rating: random.isLikely(0.4) ? rate(random) : undefined,
      }),
    ),
  )
  const unanswered = UNANSWERED_TOPICS.flatMap(({ questions, nearest }, topic) =>
    questions.map((query) => ({
      turn: {
        query,
        response: NO_ANSWER,
        sources: [],
        resolutionStatus: 'unanswered' as const,
        pageUrl: nearest[0]?.url ?? '/',
      },
      unanswered: { nearest },
      rating: random.isLikely(0.3)
        ? { isHelpful: false, reason: 'incomplete', note: null }
        : undefined,
      topic,
    })),
  )
  return [...answered, ...unanswered]
    .map((one, index): SampleConversation => {
      const isOld = 'topic' in one && (one.topic as number) < TOPICS_OF_RELEASE
      const daysAgo = daysBefore(random, isOld ? RELEASED_DAYS_AGO + 1 : 0)
      const atMs = nowMs - Math.round(daysAgo * DAY_MS)
      const turn = { ...one.turn, questionId: `demo-${index}`, atMs }
      return { turn, unanswered: one.unanswered, rating: one.rating }
    })
    .toSorted((one, other) => one.turn.atMs - other.turn.atMs)
}

type Untimed = Omit<SampleConversation['turn'], 'questionId' | 'atMs'>

/** More of late: the product is becoming known. Never the last minutes, which belong to the person who tries it. */
function daysBefore(random: SampleRandom, least: number): number {
  const share = random.next() ** 1.25
  return Math.max(0.02, least + share * (SAMPLE_DAYS - 1 - least))
}

const NOTES = [
  'Exactly what I was looking for, thank you.',
  'Please show the same in Python.',
  'Worked at the first try.',
]

function rate(random: SampleRandom): SampleRating {
  const isHelpful = random.isLikely(0.85)
  const note = random.isLikely(0.2)
    ? (NOTES[Math.floor(random.next() * NOTES.length)] ?? null)
    : null
  return isHelpful
    ? { isHelpful, reason: null, note }
    : { isHelpful, reason: 'incomplete', note: null }
}
