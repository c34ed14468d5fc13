/** Sets and removes the webhook of a project, with its signing secret and one audit entry. */
import { parseHostName } from '@octavo/outbound'
import type { Requester } from '../../../platform/audit/request-audit.ts'
import { insertAudit } from '../../../platform/audit/store.ts'
import type { ProjectDatabase } from '../../../platform/database/database.ts'
import type { KeyRing } from '../../../platform/secrets/key-ring.ts'
import { createSecretStore } from '../../../platform/secrets/store.ts'
import { WEBHOOK_SECRET } from '../../projects/store.ts'
import type { WebhookFormat } from './deliver-webhook.ts'
import { createWebhookSecret } from './sign-webhook.ts'
import { WebhookStore } from './store.ts'

/** Returns the URL, or what is wrong with the text. */
export function parseWebhookUrl(text: string, allowPrivateHosts: readonly string[]): URL | string {
  const url = URL.parse(text.trim())
  const isPrivate = allowPrivateHosts.some((host) => parseHostName(host) === url?.hostname)
  if (url === null || !(url.protocol === 'https:' || (url.protocol === 'http:' && isPrivate)))
    return 'Expected an https URL.'
  if (url.username !== '' || url.password !== '')
    return 'The URL must not contain a user name or password.'
  return url
}

type WebhookChange = {
  readonly requester: Requester
} & (
  | {
      readonly target: { readonly url: URL; readonly format: WebhookFormat }
      readonly ring: KeyRing
    }
  | { readonly target: undefined }
)

type StoredTarget = { readonly url: string | null; readonly format: WebhookFormat | null }

/**
 * Sets or removes the webhook, and returns the new secret; undefined after a removal, or if only
 * the format changed.
 */
export async function changeWebhook(
  database: ProjectDatabase,
  change: WebhookChange,
): Promise<string | undefined> {
  const isKept = await isFormatChange(database, change)
  const secret = 'ring' in change && !isKept ? createWebhookSecret() : undefined
  // The secret is written first: if the next step fails, an unused secret does no harm, but a new
  // webhook with the old secret would.
  if ('ring' in change && secret !== undefined)
    await createSecretStore(database, change.ring).write(WEBHOOK_SECRET, secret)
  const settings = {
    webhook: change.target?.url.href ?? null,
    webhookFormat: change.target?.format ?? null,
    ...(!isKept && { webhookAttempt: null }),
  }
  await database.transaction(async (query) => {
    const [row] = await query<StoredTarget & { readonly publicId: string }>(
      `update project p set settings = jsonb_strip_nulls(p.settings || $1::jsonb) from project o
        where p.organization_id = current_organization() and p.id = current_project() and o.id = p.id
       returning p.public_id as "publicId", o.settings ->> 'webhook' as url,
                 o.settings ->> 'webhookFormat' as format`,
      [JSON.stringify(settings)],
    )
    if (row === undefined) throw new Error('the project is gone')
    if (change.target === undefined) {
      if (row.url === null) return
      await query('delete from secret where project_id = current_project() and name = $1', [
        WEBHOOK_SECRET,
      ])
    }
    await insertAudit(query, {
      ...change.requester,
      action: change.target === undefined ? 'webhook.remove' : 'webhook.set',
      object: row.publicId,
      before: describe(row),
      after: describe({ url: settings.webhook, format: settings.webhookFormat }),
    })
  })
  return secret
}

async function isFormatChange(
  database: ProjectDatabase,
  { target }: WebhookChange,
): Promise<boolean> {
  const current = await new WebhookStore(database).target()
  return target?.url.href === current?.url && target?.format !== current?.format
}

/**
 * Describes a webhook for the audit log. The path of a URL may be a secret of the receiver, as with
 * Slack, so the log contains only the origin.
 */
function describe({ url, format }: StoredTarget): object {
  if (url === null) return { webhook: null }
  return { webhook: URL.parse(url)?.origin ?? null, format: format ?? 'standard' }
}
