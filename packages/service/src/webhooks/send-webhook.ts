/**
 * Tells an owner's server that another deployment is live, for example to empty a CDN. The job reads
 * what is live when it starts: of several publishes in a row, the last one is told.
 */
import { printOutboundFailure, requestOutbound } from '@octavo/outbound'
import type { Database, Tenant } from '../database/database.ts'
import type { DeploymentService } from '../deployments/deployment-service.ts'
import type { JobHandler } from '../jobs/job-queue.ts'
import type { Log } from '../operations/log.ts'
import { createKeyRing, type SecretKey } from '../secrets/key-ring.ts'
import { createSecretStore } from '../secrets/store.ts'
import { signWebhook, WEBHOOK_SECRET } from './sign-webhook.ts'
import { createWebhookStore, type LiveFacts } from './store.ts'

const LIMITS = { totalMsMax: 20_000, bytesMax: 100_000 }
/** Longer lists are left out. */
const PAGES_MAX = 1_000

export type WebhookDeps = {
  readonly database: Database
  readonly secretKeys: readonly SecretKey[]
  readonly allowPrivateHosts: readonly string[]
  /** Nothing in a process that has no files of sites. */
  readonly deploymentsOf: ((tenant: Tenant) => DeploymentService) | undefined
  readonly siteUrlOf: (slug: string) => string | undefined
  readonly now: () => number
  readonly log: Log
}

export function createWebhookSender(deps: WebhookDeps): JobHandler {
  const { database, log, now } = deps
  return async ({ data: { organisationId, projectId }, signal }) => {
    if (organisationId === undefined || projectId === undefined) return
    const tenant = { organisationId, projectId }
    const bound = database.forProject(tenant)
    const live = await createWebhookStore(bound).live()
    if (live === undefined) return
    const ring = createKeyRing(deps.secretKeys)
    const secret = await createSecretStore(bound, ring).read(WEBHOOK_SECRET)
    if (secret === undefined) return
    // The same for every attempt, so that a receiver knows what it has seen.
    const id = `msg_${live.deploymentId}_${live.publishedAt.getTime()}`
    const body = JSON.stringify(await messageOf(deps, tenant, live))
    const outcome = await requestOutbound({
      url: live.url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...signWebhook(secret, { id, body, nowMs: now() }),
      },
      body: Buffer.from(body),
      allowPrivateHosts: deps.allowPrivateHosts,
      limits: LIMITS,
      signal,
    })
    const facts = { project: live.publicId, deployment: live.deploymentId }
    if (outcome.kind === 'response' && outcome.status >= 200 && outcome.status < 300) {
      log.info('webhook sent', { ...facts, status: outcome.status })
      return
    }
    const reason =
      outcome.kind === 'response'
        ? `the server responded with status ${outcome.status}`
        : printOutboundFailure(outcome, live.url)
    const isFinal = outcome.kind === 'refused'
    log.error(isFinal ? 'webhook refused' : 'webhook not delivered', { ...facts, reason })
    // Another attempt would be refused too; everything else is tried again.
    if (!isFinal) throw new Error(`The webhook was not delivered: ${reason}.`)
  }
}

async function messageOf(
  { deploymentsOf, siteUrlOf }: WebhookDeps,
  tenant: Tenant,
  { publicId, slug, deploymentId, previous, publishedAt }: LiveFacts,
): Promise<object> {
  const url = siteUrlOf(slug)
  const changedPages = await changedPagesOf(deploymentsOf?.(tenant), deploymentId, previous)
  return {
    type: 'deployment.live',
    timestamp: publishedAt.toISOString(),
    data: {
      projectId: publicId,
      deploymentId,
      previous,
      ...(url !== undefined && { url }),
      // Those of the header `Cache-Tag`.
      tags: [`p-${publicId}`, `d-${deploymentId}`],
      ...(changedPages !== undefined && { changedPages }),
    },
  }
}

/** Addresses of pages whose words are new, different or gone. The frame of others may have changed. */
async function changedPagesOf(
  deployments: DeploymentService | undefined,
  deploymentId: string,
  previous: string | null,
): Promise<readonly string[] | undefined> {
  if (deployments === undefined || previous === null) return undefined
  // One that was removed cannot be compared any more.
  if ((await deployments.get(previous, 0)).state !== 'superseded') return undefined
  const { pages } = await deployments.diff(deploymentId, previous)
  const moved = pages.moved.flatMap(({ from, to }) => [from, to])
  const addresses = [...pages.added, ...pages.changed, ...pages.removed, ...moved].toSorted()
  return addresses.length > PAGES_MAX ? undefined : addresses
}
