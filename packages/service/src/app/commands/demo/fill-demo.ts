/** Fills a new service: people, a project, three deployments, and a month of questions, views and feedback. */

import type { Role } from '@octavo/contract'
import { ConversationStore } from '../../../answers/conversations/store.ts'
import { ensureOrganization } from '../../../people/organizations/store.ts'
import { ensureMember } from '../../../people/users/operator-store.ts'
import type { PersonRow } from '../../../people/users/store.ts'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import { type Database, openDatabase } from '../../../platform/database/database.ts'
import { type ProjectRow, ProjectStore, tenantOf } from '../../../projects/projects/store.ts'
import { sendFiles } from '../../../publishing/builds/send-deployment.ts'
import { DeploymentService } from '../../../publishing/deployments/deployment-service.ts'
import { PreviewStore } from '../../../publishing/deployments/preview-store.ts'
import { DeploymentStore } from '../../../publishing/deployments/store.ts'
import { createSiteUrls } from '../../../reading/hosting/site-urls.ts'
import type { Settings } from '../../settings/env.ts'
import { createLoginLink } from '../login-link.ts'
import type { DemoBuilds } from './build-demo-site.ts'
import { RELEASED_DAYS_AGO, sampleConversations } from './sample/sample-conversations.ts'
import { sampleEvents } from './sample/sample-events.ts'
import { sampleFeedback } from './sample/sample-feedback.ts'
import { createPastPartitions, SampleStore } from './store-samples.ts'

export const DEMO_SLUG = 'wrenpost'
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
  readonly blobs: BlobStore
  readonly builds: DemoBuilds
  readonly now: () => number
}

export type FilledDemo = {
  readonly project: ProjectRow
  readonly signInUrl: string
  readonly siteUrl: string
}

export async function fillDemo({ settings, blobs, builds, now }: DemoInput): Promise<FilledDemo> {
  const owner = openDatabase({ url: settings.ownerUrl, connections: 2 })
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
    const { url = '', pepper } = settings
    const signInUrl = await createLoginLink(owner, person, { url, pepper })
    return { project, signInUrl, siteUrl: siteUrlOf(DEMO_SLUG) ?? '' }
  } finally {
    await owner.end()
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
  const message = 'Explain signatures and retries of webhooks'
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
