import type { Database } from '../../../platform/database/database.ts'
import { findPepperFault } from '../../../platform/secrets/find-key-fault.ts'
import type { PepperRing } from '../../../platform/secrets/pepper-ring.ts'
import { countPeppers, type PepperCount } from '../../../platform/secrets/store.ts'
import { type Finding, failed, fine, warning } from './finding.ts'

/**
 * Checks that the pepper matches the one used with the database so far, and counts the credentials
 * that are hashed with a different pepper.
 */
export async function checkPepper(database: Database, pepper: PepperRing): Promise<Finding> {
  const fault = await findPepperFault(database, pepper)
  if (fault !== undefined) return failed('pepper', fault)
  const counts = await countPeppers(database)
  const others = counts.filter(({ pepperId }) => pepperId !== pepper.id)
  if (pepper.oldIds.length > 0 && others.length > 0)
    return warning('pepper', {
      code: 'pepper-old',
      found: `Not yet on the current OCTAVO_KEY_PEPPER: ${printCounts(others)}.`,
      hint: 'Credentials move to the current pepper when they are used. Recovery codes do not: people have to create new ones on their account page. Revoke the rest or let them stop working, then remove OCTAVO_OLD_KEY_PEPPERS.',
    })
  if (pepper.oldIds.length > 0)
    return fine('pepper', 'nothing needs OCTAVO_OLD_KEY_PEPPERS anymore: remove the variable')
  return fine(
    'pepper',
    others.length === 0
      ? 'everything is hashed with the current one'
      : `refused, since their pepper was removed: ${printCounts(others)}`,
  )
}

/** Prints the sum of the counts for each kind of credential. */
function printCounts(counts: readonly PepperCount[]): string {
  const sums = new Map<string, number>()
  for (const { kind, credentials } of counts) sums.set(kind, (sums.get(kind) ?? 0) + credentials)
  return [...sums].map(([kind, sum]) => `${kind}: ${sum}`).join(', ')
}
