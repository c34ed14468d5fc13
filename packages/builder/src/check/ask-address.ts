/** One question to another site: is this page there? */
import { fetchOutbound, type OutboundOutcome } from '@octavo/outbound'

export type Answer =
  | { readonly kind: 'there' }
  | { readonly kind: 'gone'; readonly reason: string }
  /** Shut, slow, out of order, or not ours to ask. */
  | { readonly kind: 'unclear' }

const GONE: ReadonlySet<number | undefined> = new Set([404, 410])
/** Some sites answer HEAD wrongly, or not at all; they are asked for the page itself. */
const METHODS = ['HEAD', 'GET'] as const
const HEADERS = { 'user-agent': 'octavo-check (link checker)', accept: 'text/html,*/*' }

export async function askAddress(
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
