/** Asks another site whether a page exists. */
import { fetchOutbound, type OutboundOutcome } from '@octavo/outbound'

export type Answer =
  | { readonly kind: 'there' }
  | { readonly kind: 'gone'; readonly reason: string }
  /** The request was blocked, timed out or failed, or is not allowed. */
  | { readonly kind: 'unclear' }

const GONE: ReadonlySet<number | undefined> = new Set([404, 410])
/** Some sites do not handle HEAD, so a failed HEAD is followed by GET. */
const METHODS = ['HEAD', 'GET'] as const
const HEADERS = { 'user-agent': 'octavo-check (link checker)', accept: 'text/html,*/*' }

export async function requestPageStatus(
  url: string,
  allowPrivateHosts: readonly string[],
): Promise<Answer> {
  let answer: Answer = { kind: 'unclear' }
  for (const method of METHODS) {
    const asked = { url, method, allowPrivateHosts, headers: HEADERS, wantsBody: false }
    answer = readAnswer(await fetchOutbound(asked))
    if (answer.kind === 'there') return answer
  }
  return answer
}

function readAnswer(outcome: OutboundOutcome): Answer {
  if (outcome.kind === 'loaded') return { kind: 'there' }
  if (outcome.kind !== 'failed') return { kind: 'unclear' }
  const { reason, status } = outcome
  if (reason === 'unknown-host') return { kind: 'gone', reason: 'the host was not found' }
  if (GONE.has(status)) return { kind: 'gone', reason: `the server responds with status ${status}` }
  return { kind: 'unclear' }
}
