import type { Query } from '../database/database.ts'
import type { AuditEvent } from './store.ts'

/**
 * Adds an event about a person to the logs of the organizations and projects in which they have a
 * role. The actor is the person, unless the event names another actor.
 */
export async function logPersonEvent(
  query: Query,
  userId: string,
  event: Pick<AuditEvent, 'action' | 'after' | 'addressPrefix'> & { readonly actor?: string },
): Promise<void> {
  await query('select log_person_event($1, $2)', [userId, JSON.stringify(event)])
}
