import type { Caller } from '../http/caller.ts'
import { type AuditEvent, addressPrefix } from './store.ts'

/** Who asked, from where, and with which request: for events that are written in the transaction of what they tell. */
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

/** Of a command. */
export const OPERATOR: Requester = { actor: 'operator' }
