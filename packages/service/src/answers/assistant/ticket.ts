/**
 * A page fetches a ticket before its first question. The ticket is valid on one site, for a limited
 * time and a limited number of questions. It does not identify the reader. It is signed, so nothing
 * has to be stored until it is used.
 */
import { randomBytes } from 'node:crypto'
import { ASSISTANT_LIMITS } from '@octavo/contract'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'

export type Ticket = {
  readonly id: string
  /** The slug of the site or the preview. */
  readonly slug: string
  /**
   * The deployment that was live when the ticket was issued. The ticket stays valid after another
   * deployment goes live.
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

    /** Returns the ticket if the service issued it for this site and it has not expired. */
    verify(text: string, slug: string): Ticket | undefined {
      const [body = '', signature = ''] = text.slice(0, TEXT_LENGTH_MAX).split('.')
      if (!isSigned('ticket', body, signature)) return undefined
      // The signature is valid, so the ticket has the expected fields.
      const ticket = JSON.parse(Buffer.from(body, 'base64url').toString()) as Ticket
      return ticket.slug === slug && ticket.expiresAt > now() ? ticket : undefined
    },

    /** Creates a token that proves that its holder received the answer in this conversation. */
    feedbackToken: (projectId: string, conversation: string) =>
      sign('feedback', `${projectId} ${conversation}`),

    isFeedbackToken: (projectId: string, conversation: string, token: string) =>
      isSigned('feedback', `${projectId} ${conversation}`, token),
  }
}
export type Tickets = ReturnType<typeof createTickets>
