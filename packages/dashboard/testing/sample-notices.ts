import { NOTICE_KINDS, NoticesReply } from '@octavo/contract'
import { NOW } from './sample-facts.ts'
import type { Samples } from './sample-replies.ts'

const ago = (hours: number) => new Date(NOW - hours * 3_600_000).toISOString()

export function sampleNotices({ hostile: h, isEmpty }: Omit<Samples, 'role'>): NoticesReply {
  return NoticesReply.parse({
    email: isEmpty ? [...NOTICE_KINDS] : ['build.failed', 'key.expiring'],
    addresses: isEmpty ? [] : ['docs-team@greenhouse.example', `on-call@greenhouse.example${h}`],
    canEmail: !isEmpty,
    hasWebhook: !isEmpty,
    sent: isEmpty
      ? []
      : [
          {
            kind: 'build.failed',
            text: `The build of main${h} (f07be51) failed`,
            at: ago(1),
            emails: 4,
            webhook: true,
          },
          {
            kind: 'key.expiring',
            text: `The API key "Nightly export${h}" expires on 2026-11-23`,
            at: ago(30),
            emails: 4,
            webhook: false,
          },
          {
            kind: 'assistant.budget',
            text: 'The assistant has used 81 % of its tokens for 2026-11',
            at: ago(200),
            emails: 0,
            webhook: true,
          },
        ],
  })
}
