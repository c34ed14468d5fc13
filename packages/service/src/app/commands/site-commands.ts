/** Operator commands for sites: suspend a project, remove a deployment, limit storage. */

import { findOrganization, setStorageLimit } from '../../people/organizations/store.ts'
import { writeAudit } from '../../platform/audit/store.ts'
import { createJobSender } from '../../platform/jobs/job-queue.ts'
import { createLog } from '../../platform/telemetry/log.ts'
import { WebhookStore } from '../../projects/notifications/webhooks/store.ts'
import { ProjectStore, tenantOf } from '../../projects/projects/store.ts'
import { DeploymentStore } from '../../publishing/deployments/store.ts'
import {
  type CommandInput,
  type CommandTable,
  type Lines,
  ofProject,
  type ProjectInput,
  required,
  UsageError,
} from './arguments.ts'

const GIGABYTE = 1_000_000_000
const REASON_LENGTH_MAX = 1_000

export const SITE_COMMANDS: CommandTable = {
  /**
   * Takes the site offline (readers get 404) and blocks deployments. Conversations can still be
   * exported.
   */
  'project suspend': ofProject(async function* (input) {
    await new ProjectStore(input.database).setSuspended(input.project, reasonOf(input))
    yield `Suspended project ${input.project.called}. Its site is offline.`
  }),

  'project resume': ofProject(async function* ({ database, project }) {
    await new ProjectStore(database).setSuspended(project, null)
    yield `Project ${project.called} is online again.`
  }),

  /** Stops serving the deployment permanently. */
  'deployment remove': ofProject(async function* (input) {
    const { project } = input
    const id = required(input.words[1], 'deployment id')
    const reason = reasonOf(input)
    if (!(await takeDown(input, id)))
      throw new UsageError(`Project ${project.public_id} has no deployment ${id}.`)
    await writeAudit(project.database, {
      actor: 'operator',
      action: 'deployment.remove',
      object: `deployment ${id}`,
      after: { reason },
    })
    const { live } = await new DeploymentStore(project.database).publication()
    yield live === null
      ? `Removed deployment ${id}. Nothing is live: publish another deployment.`
      : `Removed deployment ${id}. Live: ${live}.`
  }),

  /** Sets the total storage limit of the organization's projects. */
  async *'organization set'({ database, words, options }) {
    const name = required(words.join(' '), 'organization')
    const organization = await findOrganization(database, name)
    if (organization === undefined) throw new UsageError(`Organization "${name}" does not exist.`)
    const text = required(options.storage, '--storage')
    const gigabytes = text === 'none' ? null : Number(/^\d{1,6}(?:\.\d{1,3})?$/.exec(text)?.[0])
    if (Number.isNaN(gigabytes))
      throw new UsageError('--storage must be a number of gigabytes, or the word none.')
    const bytes = gigabytes === null ? null : Math.round(gigabytes * GIGABYTE)
    await setStorageLimit(database, organization, bytes)
    const limit = gigabytes === null ? 'any amount' : `up to ${gigabytes} GB`
    yield `Organization ${organization.public_id} can store ${limit}.`
  },

  usage: showUsage,
}

function reasonOf({ options }: CommandInput): string {
  const reason = required(options.reason?.trim(), '--reason')
  if (reason.length > REASON_LENGTH_MAX)
    throw new UsageError(`--reason can have at most ${REASON_LENGTH_MAX} characters.`)
  return reason
}

/** Removes a deployment. If it was live, also queues the owner's webhook. */
async function takeDown(
  { database, project, print, now }: ProjectInput,
  id: string,
): Promise<boolean> {
  const store = new DeploymentStore(project.database)
  const isLive = (await store.publication()).live === id
  if (!isLive || !(await new WebhookStore(project.database).isSet())) return store.takeDown(id)
  const sender = createJobSender({ database, log: createLog(print, now) })
  await sender.start()
  try {
    return await store.takeDown(id, (query) => sender.send('webhook', tenantOf(project), query))
  } finally {
    await sender.stop()
  }
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

/** `usage`: lists all organizations, largest first. */
async function* showUsage({ database }: CommandInput): Lines {
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
  if (rows.length === 0) yield 'No organizations.'
  else
    yield 'organization          projects  stored (limit)        sent, 30 days  deployments, 30 days'
  for (const row of rows) {
    const limit = row.stored_max === null ? 'no limit' : printBytes(row.stored_max)
    yield [
      row.public_id.padEnd(20),
      row.projects.padStart(8),
      `${printBytes(row.stored)} (${limit})`.padEnd(20),
      printBytes(row.sent).padStart(13),
      row.deployments.padStart(20),
      row.name,
    ].join('  ')
  }
}

function printBytes(bytes: string): string {
  return `${(Number(bytes) / GIGABYTE).toFixed(3)} GB`
}
