/**
 * A ticket says which origins a page may reach through the proxy, for a few minutes. It is signed, so
 * nobody who has one can ask for more, and it needs no table.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

export type ProxyTicket = {
  /** Whose pages: limits are counted for it. */
  readonly site: string
  /** Origins of the `servers` of the site's own specifications. */
  readonly origins: readonly string[]
}

export const TICKET_MS_MAX = 10 * 60_000
const LENGTH_MAX = 8_192

export function signTicket(ticket: ProxyTicket, key: Uint8Array, now: number): string {
  const { site, origins } = ticket
  const claims = { site, origins, expires: now + TICKET_MS_MAX }
  const text = Buffer.from(JSON.stringify(claims)).toString('base64url')
  return `${text}.${sign(text, key)}`
}

/** Nothing for a ticket that is not ours, or is too old. */
export function readTicket(written: string, key: Uint8Array, now: number): ProxyTicket | undefined {
  if (written.length > LENGTH_MAX) return undefined
  const [text = '', signature = '', ...rest] = written.split('.')
  if (rest.length > 0 || !isSame(signature, sign(text, key))) return undefined
  // Signed by us, so it has our shape.
  const { site, origins, expires } = JSON.parse(
    Buffer.from(text, 'base64url').toString(),
  ) as ProxyTicket & { readonly expires: number }
  return now < expires ? { site, origins } : undefined
}

function sign(text: string, key: Uint8Array): string {
  return createHmac('sha256', key).update(`octavo-proxy ${text}`).digest('base64url')
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
