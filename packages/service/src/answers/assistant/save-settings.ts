/**
 * Stores an owner's settings, the model's API key and an audit entry in one transaction.
 */

import { ModelChoice } from '@octavo/contract'
import type { Requester } from '../../platform/audit/request-audit.ts'
import { insertAudit } from '../../platform/audit/store.ts'
import { joinTransaction, type ProjectDatabase } from '../../platform/database/database.ts'
import { createKeyRing, type SecretKey } from '../../platform/secrets/key-ring.ts'
import { createSecretStore } from '../../platform/secrets/store.ts'
import {
  type AssistantSettings,
  AssistantSettingsStore,
  MODEL_KEY_SECRET,
} from './settings-store.ts'

export type SettingsChange = {
  readonly before: AssistantSettings
  readonly after: AssistantSettings
  /** A new API key for the model; undefined if the key stays the same. */
  readonly key: string | undefined
}

export type SaveDeps = {
  readonly database: ProjectDatabase
  /**
   * The keys for encrypting secrets. Without a key, no API key can be stored; the caller has
   * already checked this.
   */
  readonly secretKeys: readonly SecretKey[]
  readonly requester: Requester
}

export async function saveAssistant(
  { database, secretKeys, requester }: SaveDeps,
  { before, after, key }: SettingsChange,
): Promise<void> {
  await database.transaction(async (query) => {
    const joined = joinTransaction(database, query)
    if (secretKeys.length > 0) {
      const secrets = createSecretStore(joined, createKeyRing(secretKeys))
      if (isMoved(before.model, after.model)) await secrets.remove(MODEL_KEY_SECRET)
      if (key !== undefined) await secrets.write(MODEL_KEY_SECRET, key)
    }
    await new AssistantSettingsStore(joined).write(after)
    const isOff = before.isOn && !after.isOn
    await insertAudit(query, {
      ...requester,
      action: isOff ? 'assistant.off' : 'assistant.set',
      before,
      after: { ...after, ...(key !== undefined && { hasNewKey: true }) },
    })
  })
}

/**
 * Returns true if the model is now on a different server. The API key is then removed, so that it
 * is not sent to that server.
 */
function isMoved(before: unknown, after: unknown): boolean {
  if (after === undefined) return true
  const [old, next] = [ModelChoice.safeParse(before), ModelChoice.safeParse(after)]
  return old.success && next.success && originOf(old.data) !== originOf(next.data)
}

const originOf = ({ url }: { readonly url: string }) => new URL(url).origin
