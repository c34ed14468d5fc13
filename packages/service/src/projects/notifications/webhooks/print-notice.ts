import { printable } from '@octavo/model'
import type { WebhookMessage } from './deliver-webhook.ts'

const LENGTH_MAX = 1_000
const COMMIT_LENGTH = 7

/** Formats a message as one line for a chat, in Slack's markup. */
export function printNotice({ type, data }: WebhookMessage, projectName: string): string {
  const text = (name: string) => (typeof data[name] === 'string' ? data[name] : '')
  const of = `${text('branch')} ${text('commit').slice(0, COMMIT_LENGTH)}`.trim()
  const why = text('reason') === '' ? '' : `: ${text('reason')}`
  switch (type) {
    case 'deployment.live':
      return escapeSlack(`${projectName} is live${text('url') === '' ? '' : `: ${text('url')}`}`)
    case 'deployment.removed':
      return escapeSlack(`${projectName} is offline: its live deployment was removed.`)
    case 'build.failed':
      return escapeSlack(`The build of ${projectName} (${of}) failed${why}`)
    case 'build.superseded':
      return escapeSlack(`The build of ${projectName} (${of}) was superseded by a newer commit.`)
    case 'test':
      return escapeSlack(`${projectName}: a test message. The webhook works.`)
    case 'assistant.budget':
    case 'key.expiring':
    case 'domain.lost':
      return escapeSlack(`${projectName}: ${text('summary')}.`)
  }
}

/**
 * Escapes links, mentions and formatting: chats that follow Slack interpret `<…>`, and some
 * `@everyone`.
 */
function escapeSlack(text: string): string {
  return printable(text.replaceAll(/\s+/g, ' '))
    .slice(0, LENGTH_MAX)
    .toWellFormed()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '@\u200b')
    .replaceAll(/[*_~`]/g, (sign) => `${sign}\u200b`)
}
