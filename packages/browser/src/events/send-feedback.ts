/**
 * Feedback is an act of the reader, so it is sent whatever they say about being followed, and they hear if it
 * could not be.
 */
import { type CodeFeedback, EVENT_LIMITS, type PageFeedback } from '@octavo/model/site-event'

/** Without the base path; this script is at `<base>/_octavo/assistant/`. */
export function feedbackPath(): string {
  const base = new URL('../..', import.meta.url).pathname.length - 1
  return location.pathname.slice(base).replace(/(?<=.)\/$/, '') || '/'
}

/** Whether the service took it. */
export async function sendFeedback(feedback: PageFeedback | CodeFeedback): Promise<boolean> {
  try {
    const { ok } = await fetch(new URL('../events', import.meta.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: printWithin(feedback),
      keepalive: true,
    })
    return ok
  } catch {
    return false
  }
}

/** Code says which block is meant, also without its end. */
function printWithin(feedback: PageFeedback | CodeFeedback): string {
  let sent = feedback
  while (bytesOf(sent) > EVENT_LIMITS.bodyBytes && 'code' in sent && sent.code !== '')
    sent = { ...sent, code: sent.code.slice(0, -20) }
  return JSON.stringify(sent)
}

export function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length
}

/** A random UUID: 4 and 8 say so. `crypto.randomUUID` exists on safe addresses alone. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-8$4-')
}
