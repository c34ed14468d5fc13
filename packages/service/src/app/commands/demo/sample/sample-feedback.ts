/** Comments of readers of the sample site on its pages. */
import type { FeedbackState, NewFeedback } from '../../../../reading/analytics/feedback-store.ts'
import { createSampleRandom } from './sample-random.ts'

export type SampleFeedback = Omit<NewFeedback, 'key'> & {
  readonly daysAgo: number
  readonly status: FeedbackState
}

const COMMENTED: readonly SampleFeedback[] = [
  complain(0.2, '/guides/webhooks', 'An example in Python would help me a lot.'),
  praise(0.9, '/quickstart', 'Five minutes, as promised.'),
  complain(1.6, '/guides/domains', 'Our provider calls this "host". Which part goes there?'),
  {
    ...complain(2.4, '/guides/send-email', 'The import is missing in this example.'),
    source: 'code_snippet',
    lang: 'js',
    code: 'await wrenpost.emails.send({',
    status: 'in_progress',
  },
  { ...complain(3.3, '/guides/webhooks', 'How do I check the signature?'), status: 'resolved' },
  complain(4.1, '/concepts/rate-limits', 'Is the limit for each key or for the account?'),
  {
    source: 'agent',
    path: '/api-reference/emails/send-an-email',
    comment: 'The parameter `reply_to` is in the guide and not in the reference.',
    daysAgo: 5.2,
    status: 'pending',
  },
  { ...praise(6.8, '/guides/templates', 'Great table of filters!'), status: 'dismissed' },
  {
    ...complain(8.5, '/help/delivery', 'Please say more about warming up a domain.'),
    contact: 'reader@example.org',
    status: 'in_progress',
  },
  { ...praise(11.3, '/concepts/errors', 'Love the request id in errors.'), status: 'resolved' },
  { ...complain(15.7, '/guides/domains', 'The DMARC value is hard to find.'), status: 'resolved' },
  complain(19.2, '/quickstart', 'A Ruby tab, please.'),
]

/** Thumbs without a comment, by page: up and down. */
const THUMBS: Readonly<Record<string, readonly [up: number, down: number]>> = {
  '/quickstart': [14, 1],
  '/guides/send-email': [9, 1],
  '/guides/domains': [5, 4],
  '/guides/webhooks': [6, 3],
  '/guides/templates': [4, 0],
  '/concepts/errors': [3, 1],
}
const DAYS = 29
const SEED = 23

/** The oldest first. */
export function sampleFeedback(): readonly SampleFeedback[] {
  const random = createSampleRandom(SEED)
  const thumbs = Object.entries(THUMBS).flatMap(([path, [up, down]]) =>
    Array.from({ length: up + down }, (_, index) => ({
      source: 'thumbs_only' as const,
      path,
      helpful: index < up,
      daysAgo: 0.5 + random.next() * DAYS,
      status: 'pending' as const,
    })),
  )
  return [...COMMENTED, ...thumbs].toSorted((one, other) => other.daysAgo - one.daysAgo)
}

function praise(daysAgo: number, path: string, comment: string): SampleFeedback {
  return { source: 'contextual', path, helpful: true, comment, daysAgo, status: 'pending' }
}

function complain(daysAgo: number, path: string, comment: string): SampleFeedback {
  return { ...praise(daysAgo, path, comment), helpful: false }
}
