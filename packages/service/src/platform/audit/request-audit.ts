import type { Caller } from '../http/caller.ts'
import { type AuditEvent, addressPrefix } from './store.ts'

/**
 * The actor, network and request id of an audit event that is written in the same transaction as
 * the change.
 */
export type Requester = Pick<AuditEvent, 'actor' | 'addressPrefix' | 'requestId'>

export function requesterOf({
  caller,
  clientAddress,
}: {
  readonly caller: Pick<Caller, 'actor' | 'requestId'>
  readonly clientAddress: string | undefined
}): Requester {
  const { actor, requestId } = caller
  return { actor, addressPrefix: addressPrefix(clientAddress), requestId }
}

/** The actor of events that come from the command line. */
export const OPERATOR: Requester = { actor: 'operator' }
