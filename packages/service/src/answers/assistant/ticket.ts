/**
 * Tickets: before its first question a page fetches one, which is valid for a number of questions
 * on one site for some time. It does not identify the reader. It is signed, so nothing is stored
 * until it is used.
 */
import { randomBytes } from 'node:crypto'
import { ASSISTANT_LIMITS } from '@octavo/contract'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'

export type Ticket = {
  readonly id: string
  /** The name of the site or of the preview. */
  readonly slug: string
  /**
   * The deployment that was live when the ticket was issued. A later one does not invalidate it.
   */
  readonly deploymentId: string
  readonly expiresAt: number
}

const ID_BYTES = 12
const TEXT_LENGTH_MAX = 500

export function createTickets(pepper: PepperRing, now: () => number) {
  const sign = (kind: string, text: string) => pepper.sign('assistant', `${kind}\0${text}`)
  const isSigned = (kind: string, text: string, signature: string) =>
    pepper.verify('assistant', { text: `${kind}\0${text}`, signature })

  return {
    issue(
      slug: string,
      deploymentId: string,
    ): { readonly text: string; readonly expiresAt: number } {
      const id = randomBytes(ID_BYTES).toString('base64url')
      const expiresAt = now() + ASSISTANT_LIMITS.ticketMs
      const ticket: Ticket = { id, slug, deploymentId, expiresAt }
      const body = Buffer.from(JSON.stringify(ticket)).toString('base64url')
      return { text: `${body}.${sign('ticket', body)}`, expiresAt }
    },

    /** Returns the ticket if we issued it for this site and it has not expired. */
    verify(text: string, slug: string): Ticket | undefined {
      const [body = '', signature = ''] = text.slice(0, TEXT_LENGTH_MAX).split('.')
      if (!isSigned('ticket', body, signature)) return undefined
      // We signed it, so its shape is known.
      const ticket = JSON.parse(Buffer.from(body, 'base64url').toString()) as Ticket
      return ticket.slug === slug && ticket.expiresAt > now() ? ticket : undefined
    },

    /** Proves that its holder received the answer of this conversation. */
    feedbackToken: (projectId: string, conversation: string) =>
      sign('feedback', `${projectId} ${conversation}`),

    isFeedbackToken: (projectId: string, conversation: string, token: string) =>
      isSigned('feedback', `${projectId} ${conversation}`, token),
  }
}
export type Tickets = ReturnType<typeof createTickets>
