/** Parts that more than one role uses, each with its own settings. */
import { type AnswerParts, openAnswerParts } from '../../answers/assistant/open-assistant.ts'
import { GAPS_QUEUE } from '../../answers/gaps/run-gaps.ts'
import { GapStore } from '../../answers/gaps/store.ts'
import { openVectors } from '../../answers/vectors/open-vectors.ts'
import { createSessions, type Sessions } from '../../people/sessions/sessions.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import type { Tenant } from '../../platform/database/database.ts'
import { Problem } from '../../platform/problem.ts'
import { openNotices } from '../../projects/notifications/open-notices.ts'
import { WebhookStore } from '../../projects/notifications/webhooks/store.ts'
import { GitBuilds } from '../../publishing/builds/git-builds.ts'
import { API_CHANGES_QUEUE, ApiChanges } from '../../publishing/deployments/api-changes.ts'
import { ComparisonStore } from '../../publishing/deployments/comparison-store.ts'
import { DeploymentService } from '../../publishing/deployments/deployment-service.ts'
import { PreviewStore } from '../../publishing/deployments/preview-store.ts'
import { DeploymentStore } from '../../publishing/deployments/store.ts'
import { type Domains, openDomains } from '../../publishing/domains/open-domains.ts'
import { BlobCache } from '../../reading/hosting/blob-cache.ts'
import type { ServiceDeps } from './service.ts'
import type { ServiceBase } from './service-base.ts'

export type Parts = {
  readonly blobs: BlobStore | undefined
  /** Undefined without a blob store, like `answers`. */
  readonly cache: BlobCache | undefined
  readonly answers: AnswerParts | undefined
  readonly vectors: ReturnType<typeof openVectors>
  readonly gitBuilds: GitBuilds
  readonly deploymentsOf: (tenant: Tenant) => DeploymentService
  readonly apiChangesOf: (tenant: Tenant) => ApiChanges
  readonly queueGapsOf: (tenant: Tenant) => Promise<void>
  readonly notices: ReturnType<typeof openNotices>
  readonly domains: Domains
  readonly sessions: Sessions
}

type Stores = Pick<ServiceDeps, 'blobs' | 'builds'>

export function openParts(ground: ServiceBase, { blobs, builds }: Stores): Parts {
  const { settings, database } = ground
  const vectors = openVectors({ ...ground, blobs })
  const queueGapsOf = createGapQueue(ground)
  const onReleased = async (tenant: Tenant) => {
    await vectors?.queue(tenant)
    await queueGapsOf(tenant)
  }
  const deploymentsOf = createDeploymentsOf(ground, { blobs, onReleased })
  const cache = blobs && new BlobCache(blobs, settings.hostCacheBytes)
  return {
    blobs,
    cache,
    answers:
      blobs &&
      cache &&
      openAnswerParts({ ...ground, blobs, cache, vectors: vectors?.ofDeployments }),
    vectors,
    gitBuilds: new GitBuilds({ ...ground, blobs, ports: builds, deploymentsOf }),
    deploymentsOf,
    apiChangesOf: createApiChangesOf(ground, blobs),
    queueGapsOf,
    notices: openNotices(ground),
    domains: openDomains(ground),
    sessions: createSessions(database, settings.pepper, settings.signIn),
  }
}

/** Returns a function that queues another try at unanswered questions after a new deployment. */
function createGapQueue({ database, jobSender }: ServiceBase) {
  return async (tenant: Tenant): Promise<void> => {
    const bound = database.forProject(tenant)
    if ((await new GapStore(bound).workSince()) === undefined) return
    await jobSender.start()
    await bound.transaction((query) => jobSender.send(GAPS_QUEUE, tenant, query))
  }
}

function createApiChangesOf({ database }: ServiceBase, blobs: BlobStore | undefined) {
  return (tenant: Tenant): ApiChanges => {
    if (blobs === undefined) throw noSites()
    const bound = database.forProject(tenant)
    const [deployments, comparisons] = [new DeploymentStore(bound), new ComparisonStore(bound)]
    return new ApiChanges({ deployments, comparisons, blobs })
  }
}

const noSites = () =>
  new Problem('conflict', 'This service stores no sites: OCTAVO_BLOBS is not set.')

type DeploymentParts = {
  readonly blobs: BlobStore | undefined
  readonly onReleased: (tenant: Tenant) => Promise<void>
}

function createDeploymentsOf(ground: ServiceBase, { blobs, onReleased }: DeploymentParts) {
  const { database, jobSender, siteUrlOf, previewUrlOf, now } = ground
  return (tenant: Tenant): DeploymentService => {
    if (blobs === undefined) throw noSites()
    const bound = database.forProject(tenant)
    return new DeploymentService({
      store: new DeploymentStore(bound),
      previews: new PreviewStore(bound),
      blobs,
      siteUrlOf,
      previewUrlOf,
      prepareWebhook: async () => {
        if (!(await new WebhookStore(bound).isSet())) return undefined
        await jobSender.start()
        return (query) => jobSender.send('webhook', tenant, query)
      },
      prepareComparison: async () => {
        await jobSender.start()
        return (query) => jobSender.send(API_CHANGES_QUEUE, tenant, query)
      },
      onReleased: () => onReleased(tenant),
      now,
    })
  }
}
