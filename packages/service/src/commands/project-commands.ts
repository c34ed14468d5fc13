import { SCOPES } from '../api-keys/caller.ts'
import { createApiKey } from '../api-keys/create-api-key.ts'
import { createKeyStore } from '../api-keys/store.ts'
import { ensureOrganisation } from '../organisations/store.ts'
import { createProjectStore, slugOf, tenantOf } from '../projects/store.ts'
import { type CommandInput, findProject, required, UsageError } from './arguments.ts'

const FIRST_ORGANISATION = 'Default'
const FIRST_KEY = 'first'
const RETENTION_DAYS_MAX = 3_660

/** `project create`: the id is the last line, for `tail -n 1`. */
export async function createProject(input: CommandInput): Promise<void> {
  const { database, words, options, print } = input
  const name = required(words.join(' '), 'project name')
  const organisation = await ensureOrganisation(
    database,
    options.organisation ?? FIRST_ORGANISATION,
  )
  const projects = createProjectStore(database)
  const wanted = options.project ?? slugOf(name)
  const isTaken = (await projects.find(wanted)) !== undefined
  if (isTaken && options.project !== undefined)
    throw new UsageError(`A project with the slug "${wanted}" already exists.`)
  const slug = isTaken ? slugOf(wanted, { unique: true }) : wanted
  const project = await projects.insert({ organisationId: organisation.id, name, slug })
  print(`Created project "${project.name}". Its id:`)
  print(project.public_id)
}

/** `project set`: how long the conversations of a project are kept. */
export async function setProject(input: CommandInput): Promise<void> {
  const project = await findProject(input)
  const days = required(input.options.retention, '--retention')
  const retentionDays = /^\d{1,4}$/.test(days) ? Number(days) : 0
  if (retentionDays < 1 || retentionDays > RETENTION_DAYS_MAX)
    throw new UsageError(`--retention must be a number of days, 1 to ${RETENTION_DAYS_MAX}.`)
  const before = await createProjectStore(input.database).setRetention(project, retentionDays)
  input.print(
    `Project ${project.public_id} keeps conversations for ${retentionDays} days (before: ${before}).`,
  )
}

/**
 * `init`: the first organisation, project and admin key, for scripts. Run again it changes nothing
 * and makes no second key: the text of a key is not kept, so it cannot be shown again.
 */
export async function initialize(input: CommandInput): Promise<void> {
  const { database, options, settings, print } = input
  const name = required(options.organisation, '--organisation')
  const slug = required(options.project, '--project')
  const organisation = await ensureOrganisation(database, name)
  const projects = createProjectStore(database)
  const found = await projects.find(slug)
  if (found !== undefined && found.organisation_id !== organisation.id)
    throw new UsageError(`The project "${slug}" belongs to another organisation.`)
  const project =
    found ?? (await projects.insert({ organisationId: organisation.id, name: slug, slug }))
  const bound = database.forProject(tenantOf(project))
  const keys = await createKeyStore(bound).list()
  const hasKey = keys.some(({ name, revoked_at }) => name === FIRST_KEY && revoked_at === null)
  const key = hasKey
    ? undefined
    : await createApiKey(
        { database: bound, pepper: settings.pepper },
        { kind: 'admin', name: FIRST_KEY, scopes: SCOPES, allowedFrom: null, expiresAt: null },
      )
  if (options.json) {
    print(JSON.stringify({ projectId: project.public_id, adminKey: key?.token ?? null }))
    return
  }
  print(`Project ${project.public_id} (${project.slug}) of ${organisation.name}.`)
  print(
    key === undefined
      ? 'It already has an admin key; run `key create` to create another.'
      : `Admin key (shown only once): ${key.token}`,
  )
}
