/**
 * Fills a new service with people, a project, three deployments, and a month of questions, views
 * and feedback.
 */

import type { Role } from '@octavo/contract'
import { ConversationStore } from '../../../answers/conversations/store.ts'
import { GAPS_QUEUE } from '../../../answers/gaps/run-gaps.ts'
import { ensureOrganization } from '../../../people/organizations/store.ts'
import { ensureMember, findPerson } from '../../../people/users/operator-store.ts'
import type { PersonRow } from '../../../people/users/store.ts'
import { openBlobStore } from '../../../platform/blobs/open-blob-store.ts'
import { type Database, openDatabase } from '../../../platform/database/database.ts'
import { migrate } from '../../../platform/database/migrate.ts'
import { createJobSender } from '../../../platform/jobs/job-queue.ts'
import { createLog } from '../../../platform/telemetry/log.ts'
import { type ProjectRow, ProjectStore, tenantOf } from '../../../projects/projects/store.ts'
import { sendFiles } from '../../../publishing/builds/send-deployment.ts'
import { DeploymentService } from '../../../publishing/deployments/deployment-service.ts'
import { PreviewStore } from '../../../publishing/deployments/preview-store.ts'
import { DeploymentStore } from '../../../publishing/deployments/store.ts'
import { createSiteUrls } from '../../../reading/hosting/site-urls.ts'
import type { Settings } from '../../settings/env.ts'
import { createLoginLink } from '../login-link.ts'
import type { DemoBuilds } from './build-demo-site.ts'
import { DEMO_SLUG } from './demo-settings.ts'
import { RELEASED_DAYS_AGO, sampleConversations } from './sample/sample-conversations.ts'
import { sampleEvents } from './sample/sample-events.ts'
import { sampleFeedback } from './sample/sample-feedback.ts'
import { createPastPartitions, SampleStore } from './store-samples.ts'

const ORGANIZATION = 'Wrenpost'
const OWNER = { email: 'you@example.com', name: 'You', role: 'owner' } as const
const TEAM: readonly { readonly email: string; readonly name: string; readonly role: Role }[] = [
  { email: 'mira@example.com', name: 'Mira Lindqvist', role: 'editor' },
  { email: 'tomas@example.com', name: 'Tomás Ferreira', role: 'analyst' },
]
const FIRST_DAYS_AGO = 29
const PREVIEW_DAYS_AGO = 3
const DAY_MS = 86_400_000

export type DemoInput = {
  readonly settings: Settings
  readonly builds: DemoBuilds
  readonly now: () => number
}

/** Creates the tables and all sample data in an empty database. */
export async function fillDemo({ settings, builds, now }: DemoInput): Promise<ProjectRow> {
  const { ownerUrl, databaseUrl, blobs: store } = settings
  await migrate(ownerUrl, { serviceUrl: databaseUrl, warn: () => {} })
  if (store === undefined) throw new Error('a demo has no folder for its sites')
  const blobs = await openBlobStore(store)
  const owner = openDatabase({ url: ownerUrl, connections: 2 })
  try {
    const organization = await ensureOrganization(owner, ORGANIZATION)
    const person = await ensureMember(owner, OWNER, organization.id)
    for (const member of TEAM) await ensureMember(owner, member, organization.id)
    const project = await new ProjectStore(owner).insert({
      organizationId: organization.id,
      name: ORGANIZATION,
      slug: DEMO_SLUG,
    })
    const bound = owner.forProject(tenantOf(project))
    const { siteUrlOf, previewUrlOf } = createSiteUrls(settings)
    const deployments = new DeploymentService({
      store: new DeploymentStore(bound),
      previews: new PreviewStore(bound),
      blobs,
      siteUrlOf,
      previewUrlOf,
      prepareWebhook: async () => undefined,
      onReleased: async () => {},
      now,
    })
    const released = await deployAll(deployments, builds, person)
    await createPastPartitions(owner)
    await addSamples(owner, { project, released, person, nowMs: now() })
    await queueGaps(owner, project)
    return project
  } finally {
    await owner.end()
  }
}

/** Returns a link that signs in the demo's owner. */
export async function createDemoLink({ ownerUrl, url = '', pepper }: Settings): Promise<string> {
  const owner = openDatabase({ url: ownerUrl, connections: 1 })
  try {
    const person = await findPerson(owner, OWNER.email)
    if (person === undefined) throw new Error('the owner of the demo was deleted')
    return await createLoginLink(owner, person, { url, pepper })
  } finally {
    await owner.end()
  }
}

/**
 * Queues the gap computation at once, so that the gaps screen has data when it is first opened.
 * Otherwise, the worker would run it within a minute.
 */
async function queueGaps(owner: Database, project: ProjectRow): Promise<void> {
  const tenant = tenantOf(project)
  const sender = createJobSender({ database: owner, log: createLog(() => {}, Date.now) })
  try {
    await sender.start()
    await owner.forProject(tenant).transaction((query) => sender.send(GAPS_QUEUE, tenant, query))
  } finally {
    await sender.stop()
  }
}

type Released = { readonly first: string; readonly preview: string; readonly newest: string }

async function deployAll(
  deployments: DeploymentService,
  { earlier, current }: DemoBuilds,
  { public_id }: PersonRow,
): Promise<Released> {
  const common = { draft: false, by: `user ${public_id}`, idempotencyKey: undefined }
  const production = { ...common, target: 'production', branch: 'main' } as const
  const message = 'Explain webhook signatures and retries'
  const first = await sendFiles(deployments, earlier, {
    ...production,
    message: 'Publish the first version',
  })
  const preview = await sendFiles(deployments, current, {
    ...common,
    target: 'preview',
    branch: 'webhook-signatures',
    message,
  })
  const newest = await sendFiles(deployments, current, { ...production, message })
  return { first: first.done.id, preview: preview.done.id, newest: newest.done.id }
}

type Samples = {
  readonly project: ProjectRow
  readonly released: Released
  readonly person: PersonRow
  readonly nowMs: number
}

async function addSamples(owner: Database, samples: Samples): Promise<void> {
  const { project, released, person, nowMs } = samples
  const bound = owner.forProject(tenantOf(project))
  const store = new SampleStore(bound)
  const actor = `user ${person.public_id}`
  const published = { actor, action: 'deployment.publish' } as const
  await store.backdateProject(FIRST_DAYS_AGO + 1)
  await store.backdate(released.first, { ...published, daysAgo: FIRST_DAYS_AGO })
  await store.backdate(released.preview, {
    actor,
    action: 'deployment.finish',
    daysAgo: PREVIEW_DAYS_AGO,
  })
  await store.backdate(released.newest, { ...published, daysAgo: RELEASED_DAYS_AGO })
  const conversations = sampleConversations(nowMs)
  const imported = await new ConversationStore(bound).importBatch(
    conversations.map(({ turn }) => turn),
  )
  if (imported.problem !== null) throw new Error(imported.problem)
  const releasedMs = nowMs - RELEASED_DAYS_AGO * DAY_MS
  await store.addDetails(conversations, imported.ids, (atMs) =>
    atMs < releasedMs ? released.first : released.newest,
  )
  await store.addCounts(sampleEvents(nowMs))
  await store.addFeedback(sampleFeedback(), nowMs)
}
