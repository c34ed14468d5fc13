/** Requests a page of another site to find out whether it exists. */
import { fetchOutbound, type OutboundOutcome } from '@octavo/outbound'

export type Answer =
  | { readonly kind: 'there' }
  | { readonly kind: 'gone'; readonly reason: string }
  /** The request was blocked, timed out, failed or was not allowed. */
  | { readonly kind: 'unclear' }

const MISSING_STATUSES: ReadonlySet<number | undefined> = new Set([404, 410])
/** Some sites do not support HEAD, so GET is tried if HEAD fails. */
const METHODS = ['HEAD', 'GET'] as const
const HEADERS = { 'user-agent': 'octavo-check (link checker)', accept: 'text/html,*/*' }

export async function requestPageStatus(
  url: string,
  allowPrivateHosts: readonly string[],
): Promise<Answer> {
  let answer: Answer = { kind: 'unclear' }
  for (const method of METHODS) {
    const request = { url, method, allowPrivateHosts, headers: HEADERS, wantsBody: false }
    answer = readAnswer(await fetchOutbound(request))
    if (answer.kind === 'there') return answer
  }
  return answer
}

function readAnswer(outcome: OutboundOutcome): Answer {
  if (outcome.kind === 'loaded') return { kind: 'there' }
  if (outcome.kind !== 'failed') return { kind: 'unclear' }
  const { reason, status } = outcome
  if (reason === 'unknown-host') return { kind: 'gone', reason: 'the host was not found' }
  if (MISSING_STATUSES.has(status))
    return { kind: 'gone', reason: `the server responds with status ${status}` }
  return { kind: 'unclear' }
}
