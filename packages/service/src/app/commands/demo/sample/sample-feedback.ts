/** Sample feedback from readers on pages. */
import type { FeedbackState, NewFeedback } from '../../../../reading/analytics/feedback-store.ts'
import { readSample } from './read-sample.ts'
import { createSampleRandom } from './sample-random.ts'

export type SampleFeedback = Omit<NewFeedback, 'key'> & {
  readonly daysAgo: number
  readonly status: FeedbackState
}

type SampleComments = {
  readonly comments: readonly SampleFeedback[]
  /** The numbers of positive and negative ratings without a comment, for each page. */
  readonly thumbs: Readonly<Record<string, readonly [up: number, down: number]>>
}

const DAYS = 29
const SEED = 23

/** Returns the feedback, oldest first. */
export function sampleFeedback(): readonly SampleFeedback[] {
  const random = createSampleRandom(SEED)
  const samples = readSample<SampleComments>('feedback')
  const thumbs = Object.entries(samples.thumbs).flatMap(([path, [up, down]]) =>
    Array.from({ length: up + down }, (_, index) => ({
      source: 'thumbs_only' as const,
      path,
      helpful: index < up,
      daysAgo: 0.5 + random.next() * DAYS,
      status: 'pending' as const,
    })),
  )
  return [...samples.comments, ...thumbs].toSorted((one, other) => other.daysAgo - one.daysAgo)
}
