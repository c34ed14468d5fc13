/**
 * Tickets: before its first question a page fetches one, which is good for a number of questions on
 * one site and some time. It names nobody. It is signed, so nothing is stored until it is used.
 */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { ASSISTANT_LIMITS } from './assistant-limits.ts'

export type Ticket = {
  readonly id: string
  /** The name of the site, or of the preview. */
  readonly slug: string
  /** The deployment that was live when it was issued. A later one does not end it. */
  readonly deploymentId: string
  readonly expiresAt: number
}

const KEY_BYTES = 32
const ID_BYTES = 12
const TEXT_LENGTH_MAX = 500

export function createTickets(secret: string, now: () => number) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'octavo assistant', KEY_BYTES))
  const sign = (kind: string, text: string) =>
    createHmac('sha256', key).update(`${kind}\0${text}`).digest('base64url')

  function isSigned(kind: string, text: string, signature: string): boolean {
    const [expected, given] = [Buffer.from(sign(kind, text)), Buffer.from(signature)]
    return expected.length === given.length && timingSafeEqual(expected, given)
  }

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

    /** The ticket, if we issued it for this site and it has not expired. */
    verify(text: string, slug: string): Ticket | undefined {
      const [body = '', signature = ''] = text.slice(0, TEXT_LENGTH_MAX).split('.')
      if (!isSigned('ticket', body, signature)) return undefined
      // Signed by us, so it has our shape.
      const ticket = JSON.parse(Buffer.from(body, 'base64url').toString()) as Ticket
      return ticket.slug === slug && ticket.expiresAt > now() ? ticket : undefined
    },

    /** Proves that its holder was given the answer of this conversation. */
    feedbackToken: (projectId: string, conversation: string) =>
      sign('feedback', `${projectId} ${conversation}`),

    isFeedbackToken: (projectId: string, conversation: string, token: string) =>
      isSigned('feedback', `${projectId} ${conversation}`, token),
  }
}
export type Tickets = ReturnType<typeof createTickets>
