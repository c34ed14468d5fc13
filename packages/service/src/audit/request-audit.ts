import type { Caller } from '../api-keys/caller.ts'
import { type AuditEvent, addressPrefix } from './store.ts'

/** Who asked, and from where: for events that are written in the transaction of what they tell. */
export type Requester = Pick<AuditEvent, 'actor' | 'addressPrefix'>

export function requesterOf({
  caller,
  clientAddress,
}: {
  readonly caller: Pick<Caller, 'actor'>
  readonly clientAddress: string | undefined
}): Requester {
  return { actor: caller.actor, addressPrefix: addressPrefix(clientAddress) }
}

/** Of a command. */
export const OPERATOR: Requester = { actor: 'operator' }
