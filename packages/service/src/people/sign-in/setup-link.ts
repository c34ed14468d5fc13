import type { Database } from '../../platform/database/database.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'
import { createToken } from '../../platform/secrets/token.ts'
import { addSetupLink } from '../users/store.ts'

const SETUP_MINUTES = 60

/** Creates a link whose visitor becomes the first owner; undefined once there are users. */
export async function createSetupLink(
  database: Database,
  { pepper, url }: { readonly pepper: PepperRing; readonly url: string },
): Promise<string | undefined> {
  const token = createToken('link')
  const isMade = await addSetupLink(database, pepper.hash('sign-in link', token), SETUP_MINUTES)
  return isMade ? new URL(`/setup/${token}`, url).href : undefined
}
