/**
 * Authenticates deliveries of the GitHub App. They arrive at one address for all repositories, and
 * are signed with one secret, which the operator sets.
 */
import type { Database } from '../../platform/database/database.ts'
import type { AppHookCaller } from '../../platform/http/caller.ts'
import { Problem } from '../../platform/problem.ts'
import { findAppTenants, verifyAppDelivery } from '../providers/github-app-hook.ts'
import { parseJson, readBytes, toStoredDelivery, unknownHook } from './authenticate-hook.ts'
import { readDeliveryHeaders } from './verify-hook.ts'

export type AppHookDeps = {
  readonly database: Database
  /** The secret of the app's webhook; undefined if the app or its webhook is not configured. */
  readonly webhookSecret: string | undefined
}

const SIGNATURE = 'x-hub-signature-256'

/**
 * Creates a function that authenticates deliveries. It throws a problem for an invalid delivery,
 * which belongs to no project and is therefore not stored.
 */
export function createAppHookAuthenticator({ database, webhookSecret }: AppHookDeps) {
  return async (request: Request): Promise<AppHookCaller> => {
    if (webhookSecret === undefined) throw unknownHook()
    const { headers } = request
    // The address is public, so the body of a request without a signature is not read.
    const body = headers.has(SIGNATURE) ? await readBytes(request) : new Uint8Array()
    const signature = headers.get(SIGNATURE) ?? undefined
    const outcome = verifyAppDelivery(webhookSecret, signature, body)
    if (outcome.kind === 'refused') throw new Problem('invalid-signature', outcome.reason)
    const read = readDeliveryHeaders('github', headers)
    if (read.kind === 'refused') throw new Problem('invalid-signature', read.reason)
    return {
      tenants: outcome.kind === 'ignored' ? [] : await findAppTenants(database, outcome.delivery),
      delivery: toStoredDelivery(headers, body, read),
      payload: parseJson(body),
    }
  }
}
