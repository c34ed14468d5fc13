import { addLoginLink } from '../../people/users/operator-store.ts'
import type { PersonRow } from '../../people/users/store.ts'
import type { Database } from '../../platform/database/database.ts'
import { createToken } from '../../platform/secrets/token.ts'
import type { Settings } from '../settings/env.ts'

const LINK_MINUTES = 60

/** Creates a link that signs a person in once, within an hour. */
export async function createLoginLink(
  database: Database,
  { id: userId }: PersonRow,
  { url, pepper }: Pick<Settings, 'pepper'> & { readonly url: string },
): Promise<string> {
  const token = createToken('link')
  const hash = pepper.hash('sign-in link', token)
  await addLoginLink(database, { userId, hash, minutes: LINK_MINUTES })
  return new URL(`/login/${token}`, url).href
}
