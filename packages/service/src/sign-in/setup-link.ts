import { createToken, hashToken } from '../api-keys/token.ts'
import type { Database } from '../database/database.ts'
import { addSetupLink } from '../users/store.ts'

const SETUP_MINUTES = 60

/** A link that makes its opener the first owner; nothing once there are users. */
export async function createSetupLink(
  database: Database,
  { pepper, url }: { readonly pepper: string; readonly url: string },
): Promise<string | undefined> {
  const token = createToken('link')
  const isMade = await addSetupLink(database, hashToken(token, pepper), SETUP_MINUTES)
  return isMade ? new URL(`/setup/${token}`, url).href : undefined
}
