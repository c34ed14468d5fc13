/** What operators do with sites: suspend a project, remove a deployment, limit storage, collect. */

import { findOrganization, setStorageLimit } from '../../people/organizations/store.ts'
import { writeAudit } from '../../platform/audit/store.ts'
import { openBlobStore } from '../../platform/blobs/open-blob-store.ts'
import { createJobSender } from '../../platform/jobs/job-queue.ts'
import { createLog } from '../../platform/telemetry/log.ts'
import { WebhookStore } from '../../projects/notifications/webhooks/store.ts'
import { ProjectStore, tenantOf } from '../../projects/projects/store.ts'
import { collectBlobs } from '../../publishing/deployments/collect-blobs.ts'
import { DeploymentStore } from '../../publishing/deployments/store.ts'
import { type CommandInput, findProject, required, UsageError } from './arguments.ts'

const GIGABYTE = 1_000_000_000
const REASON_LENGTH_MAX = 1_000

/** `project suspend`: readers get 404, and nothing can be deployed. Conversations can be exported. */
export async function suspendProject(input: CommandInput): Promise<void> {
  const project = await findProject(input)
  await new ProjectStore(input.database).setSuspended(project, reasonOf(input))
  input.print(`Suspended project ${project.public_id} (${project.slug}). Its site is offline.`)
}

export async function resumeProject(input: CommandInput): Promise<void> {
  const project = await findProject(input)
  await new ProjectStore(input.database).setSuspended(project, null)
  input.print(`Project ${project.public_id} (${project.slug}) is online again.`)
}

/** `deployment remove`: it is not served any more and cannot be published again. */
export async function removeDeployment(input: CommandInput): Promise<void> {
  const project = await findProject(input)
  const id = required(input.words[1], 'deployment id')
  const reason = reasonOf(input)
  const store = new DeploymentStore(project.database)
  const isLive = (await store.publication()).live === id
  const isRemoved = await takeDown(input, project, isLive)
  if (!isRemoved) throw new UsageError(`Project ${project.public_id} has no deployment ${id}.`)
  await writeAudit(project.database, {
    actor: 'operator',
    action: 'deployment.remove',
    object: `deployment ${id}`,
    after: { reason },
  })
  const { live } = await store.publication()
  input.print(
    live === null
      ? `Removed deployment ${id}. Nothing is live: publish another deployment.`
      : `Removed deployment ${id}. Live: ${live}.`,
  )
}

/** The owner's webhook is told when what readers got is gone. */
async function takeDown(
  { database, words: [, id = ''], print, now }: CommandInput,
  project: Awaited<ReturnType<typeof findProject>>,
  isLive: boolean,
): Promise<boolean> {
  const store = new DeploymentStore(project.database)
  if (!isLive || !(await new WebhookStore(project.database).isSet())) return store.takeDown(id)
  const sender = createJobSender({ database, log: createLog(print, now) })
  await sender.start()
  try {
    return await store.takeDown(id, (query) => sender.send('webhook', tenantOf(project), query))
  } finally {
    await sender.stop()
  }
}

/** `organization set`: how much its projects can store together. */
export async function setOrganization(input: CommandInput): Promise<void> {
  const name = required(input.words.join(' '), 'organization')
  const organization = await findOrganization(input.database, name)
  if (organization === undefined) throw new UsageError(`Organization "${name}" does not exist.`)
  const text = required(input.options.storage, '--storage')
  const gigabytes = text === 'none' ? null : Number(/^\d{1,6}(?:\.\d{1,3})?$/.exec(text)?.[0])
  if (Number.isNaN(gigabytes)) throw new UsageError('--storage must be gigabytes, or none.')
  await setStorageLimit(
    input.database,
    organization,
    gigabytes === null ? null : Math.round(gigabytes * GIGABYTE),
  )
  const limit = gigabytes === null ? 'any amount' : `up to ${gigabytes} GB`
  input.print(`Organization ${organization.public_id} can store ${limit}.`)
}

type UsageLine = {
  readonly public_id: string
  readonly name: string
  readonly projects: string
  readonly stored: string
  readonly stored_max: string | null
  readonly sent: string
  readonly deployments: string
}

/** `usage`: every organization, the largest first. */
export async function showUsage({ database, print }: CommandInput): Promise<void> {
  const rows = await database.query<UsageLine>(
    `select o.public_id, o.name, o.storage_bytes_max as stored_max, coalesce(u.bytes, 0) as stored,
            (select count(*) from project p where p.organization_id = o.id) as projects,
            (select coalesce(sum(t.bytes), 0) from traffic t join project p on p.id = t.project_id
              where p.organization_id = o.id and t.day > current_date - 30) as sent,
            (select count(*) from deployment d join project p on p.id = d.project_id
              where p.organization_id = o.id and d.created_at > now() - interval '30 days') as deployments
       from organization o left join storage_usage u on u.organization_id = o.id
      order by stored desc, o.public_id`,
  )
  if (rows.length === 0) print('No organizations.')
  else
    print(
      'organization          projects  stored (limit)        sent, 30 days  deployments, 30 days',
    )
  for (const row of rows) {
    const limit = row.stored_max === null ? 'no limit' : printBytes(row.stored_max)
    print(
      [
        row.public_id.padEnd(20),
        row.projects.padStart(8),
        `${printBytes(row.stored)} (${limit})`.padEnd(20),
        printBytes(row.sent).padStart(13),
        row.deployments.padStart(20),
        row.name,
      ].join('  '),
    )
  }
}

function printBytes(bytes: string): string {
  return `${(Number(bytes) / GIGABYTE).toFixed(3)} GB`
}

/** `blobs collect`: what the worker does every hour, now. */
export async function collectNow({ database, settings, now, print }: CommandInput): Promise<void> {
  if (settings.blobs === undefined) throw new UsageError('OCTAVO_BLOBS is not set.')
  const blobs = await openBlobStore(settings.blobs)
  const log = createLog(print, now)
  const done = await collectBlobs({ database, blobs, now, log }, new AbortController().signal)
  print(`Deleted ${done.deleted} files; ${done.expired} deployments expired.`)
}

function reasonOf({ options }: CommandInput): string {
  const reason = required(options.reason?.trim(), '--reason')
  if (reason.length > REASON_LENGTH_MAX)
    throw new UsageError(`--reason can have ${REASON_LENGTH_MAX} characters.`)
  return reason
}
