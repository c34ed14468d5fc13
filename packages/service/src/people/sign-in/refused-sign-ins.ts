/** Adds refused sign-ins to the audit logs of the organizations that the account belongs to. */
import { logPersonEvent } from '../../platform/audit/person-events.ts'
import { countAttempt } from '../../platform/limits/hourly-limit.ts'
import type { SignInDeps } from './page.ts'

/** Limits how many log entries the attempts to sign in to one account can create. */
const LOGGED = { action: 'refused-sign-in', perHour: 20 }

type Deps = Pick<SignInDeps, 'database' | 'pepper'>
type Refused = {
  readonly method: string
  readonly reason: string
  readonly attempts?: number
  readonly network: string | undefined
}

/** Logs a refused sign-in. Does nothing if no account has the email address. */
export async function logRefusedSignIn(
  deps: Deps,
  email: string,
  { network, ...after }: Refused,
): Promise<void> {
  if (!(await countAttempt(deps, LOGGED, email))) return
  await deps.database.query('select log_refused_sign_in($1, $2, $3)', [
    email,
    JSON.stringify(after),
    network || null,
  ])
}

export async function logRefusedPerson(
  deps: Deps,
  userId: string,
  { network, ...after }: Refused,
): Promise<void> {
  if (!(await countAttempt(deps, LOGGED, userId))) return
  const event = { actor: 'anonymous', action: 'sign-in.refused', after, addressPrefix: network }
  await deps.database.transaction((query) => logPersonEvent(query, userId, event))
}
