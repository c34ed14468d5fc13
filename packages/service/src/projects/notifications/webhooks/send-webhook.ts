/**
 * Reports to a project's webhook that another deployment is live, for example to purge a CDN. The
 * job reads the live deployment when it starts: of several publishes in a row, only the last one is
 * reported.
 */

import type { Deployment, DeploymentDiff } from '@octavo/contract'
import type { Database, Tenant } from '../../../platform/database/database.ts'
import type { JobHandler } from '../../../platform/jobs/job-queue.ts'
import { type DeliveryDeps, deliverWebhook, type WebhookMessage } from './deliver-webhook.ts'
import { type LiveFacts, WebhookStore } from './store.ts'

/** The maximum number of changed pages in a message. Longer lists are omitted. */
const PAGES_MAX = 1_000

export type WebhookDeps = DeliveryDeps & {
  readonly database: Database
  /** Undefined in a process without a blob store. */
  readonly deploymentsOf: ((tenant: Tenant) => ComparedDeployments) | undefined
  readonly siteUrlOf: (slug: string) => string | undefined
}

export function createWebhookSender(deps: WebhookDeps): JobHandler {
  return async ({ data: { organizationId, projectId }, signal }) => {
    if (organizationId === undefined || projectId === undefined) return
    const tenant = { organizationId, projectId }
    const bound = deps.database.forProject(tenant)
    const store = new WebhookStore(bound)
    const target = await store.target()
    if (target === undefined) return
    const live = await store.live()
    if (live !== undefined) {
      const { deploymentId } = live
      await deliverWebhook(deps, bound, {
        id: `msg_${deploymentId}_${live.publishedAt.getTime()}`,
        target,
        message: await messageOf(deps, tenant, { ...live, ...target }),
        facts: { deployment: deploymentId },
        signal,
      })
      return
    }
    const removed = await store.removed()
    if (removed === undefined) return
    const { deploymentId, removedAt } = removed
    await deliverWebhook(deps, bound, {
      id: `msg_${deploymentId}_removed`,
      target,
      message: {
        type: 'deployment.removed',
        timestamp: removedAt.toISOString(),
        data: { projectId: target.publicId, deploymentId },
      },
      facts: { deployment: deploymentId },
      signal,
    })
  }
}

async function messageOf(
  { deploymentsOf, siteUrlOf }: WebhookDeps,
  tenant: Tenant,
  {
    publicId,
    slug,
    deploymentId,
    previous,
    publishedAt,
  }: LiveFacts & { readonly publicId: string; readonly slug: string },
): Promise<WebhookMessage> {
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
      // The site's responses have these tags in the `Cache-Tag` header.
      tags: [`p-${publicId}`, `d-${deploymentId}`],
      ...(changedPages !== undefined && { changedPages }),
    },
  }
}

/** Compares the pages of two deployments. */
type ComparedDeployments = {
  readonly get: (id: string, waitSeconds: number) => Promise<Pick<Deployment, 'state'>>
  readonly diff: (id: string, base: string) => Promise<Pick<DeploymentDiff, 'pages'>>
}

/**
 * Returns the addresses of pages whose text was added, changed or removed. The layout of other
 * pages may have changed too.
 */
async function changedPagesOf(
  deployments: ComparedDeployments | undefined,
  deploymentId: string,
  previous: string | null,
): Promise<readonly string[] | undefined> {
  if (deployments === undefined || previous === null) return undefined
  // A removed deployment can no longer be compared.
  if ((await deployments.get(previous, 0)).state !== 'superseded') return undefined
  const { pages } = await deployments.diff(deploymentId, previous)
  const moved = pages.moved.flatMap(({ from, to }) => [from, to])
  const addresses = [...pages.added, ...pages.changed, ...pages.removed, ...moved].toSorted()
  return addresses.length > PAGES_MAX ? undefined : addresses
}
