/**
 * Sends feedback. Readers give feedback deliberately, so it is sent even if they opted out of
 * tracking, and they see when it fails.
 */
import { type CodeFeedback, EVENT_LIMITS, type PageFeedback } from '@octavo/model/site-event'

/**
 * Returns the path of the page without the base path. This script is at
 * `<base>/_octavo/assistant/`.
 */
export function feedbackPath(): string {
  const base = new URL('../..', import.meta.url).pathname.length - 1
  return location.pathname.slice(base).replace(/(?<=.)\/$/, '') || '/'
}

/** Sends feedback and returns whether the service accepted it. */
export async function sendFeedback(feedback: PageFeedback | CodeFeedback): Promise<boolean> {
  try {
    const { ok } = await fetch(new URL('../events', import.meta.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: serializeWithinLimit(feedback),
      keepalive: true,
    })
    return ok
  } catch {
    return false
  }
}

/**
 * Shortens the code until the request is small enough. The remaining code still identifies the
 * block.
 */
function serializeWithinLimit(feedback: PageFeedback | CodeFeedback): string {
  let sent = feedback
  while (bytesOf(sent) > EVENT_LIMITS.bodyBytes && 'code' in sent && sent.code !== '')
    sent = { ...sent, code: sent.code.slice(0, -20) }
  return JSON.stringify(sent)
}

export function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length
}

/**
 * Returns a random UUID (version 4, variant 8), because `crypto.randomUUID` needs a secure context.
 */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-8$4-')
}
