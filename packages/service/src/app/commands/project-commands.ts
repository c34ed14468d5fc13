import { KEY_SCOPES, Slug } from '@octavo/contract'
import { isSlugTaken, slugOf } from '../../people/organizations/slugs.ts'
import { ensureOrganization } from '../../people/organizations/store.ts'
import { OPERATOR } from '../../platform/audit/request-audit.ts'
import { createApiKey } from '../../projects/api-keys/create-api-key.ts'
import { KeyStore } from '../../projects/api-keys/store.ts'
import { ProjectLifecycleStore } from '../../projects/projects/lifecycle-store.ts'
import { SettingsStore } from '../../projects/projects/settings-store.ts'
import { ProjectStore, tenantOf } from '../../projects/projects/store.ts'
import {
  type CommandInput,
  type CommandTable,
  findAnyProject,
  type Lines,
  ofProject,
  required,
  UsageError,
} from './arguments.ts'
import { setProject } from './project-settings.ts'

const FIRST_ORGANIZATION = 'Default'
const FIRST_KEY = 'first'

/** Commands for whole projects, which members can also manage in the dashboard. */
export const PROJECT_COMMANDS: CommandTable = {
  init: initialize,

  /** Prints the id on the last line, for `tail -n 1`. */
  async *'project create'({ database, words, options }) {
    const name = required(words.join(' '), 'project name')
    const organization = await ensureOrganization(
      database,
      options.organization ?? FIRST_ORGANIZATION,
    )
    const projects = new ProjectStore(database)
    const wanted = options.project ?? slugOf(name)
    const isTaken = (await projects.find(wanted)) !== undefined
    if (isTaken && options.project !== undefined)
      throw new UsageError(`A project with the slug "${wanted}" already exists.`)
    const slug = isTaken ? slugOf(wanted, { unique: true }) : wanted
    const project = await projects.insert({ organizationId: organization.id, name, slug })
    yield `Created project "${project.name}". Its id:`
    yield project.public_id
  },

  'project set': ofProject(setProject),

  /** Changes the slug. No other project can use the old slug. */
  'project rename': ofProject(async function* ({ project, words }) {
    const slug = required(words[1], 'slug')
    const parsed = Slug.safeParse(slug)
    if (!parsed.success) throw new UsageError(`Invalid slug: ${parsed.error.issues[0]?.message}`)
    await new SettingsStore(project.database).change({ slug }, OPERATOR).catch((error: unknown) => {
      if (!isSlugTaken(error)) throw error
      throw new UsageError(`The slug "${slug}" belongs or once belonged to another project.`)
    })
    yield `Project ${project.public_id} is now called ${slug}. Readers of ${project.slug} are redirected to it.`
  }),

  'project archive': ofProject(async function* ({ project: { database, called } }) {
    yield (await new ProjectLifecycleStore(database).archive(OPERATOR))
      ? `Archived project ${called}. Its site is offline.`
      : `Project ${called} is already archived.`
  }),

  /** Restores an archived project, or undoes a deletion in the last 7 days. */
  async *'project restore'(input) {
    const { database, called, deleted_at } = await findAnyProject(input)
    const store = new ProjectLifecycleStore(database)
    if (deleted_at !== null) {
      if (!(await store.undoDeletion()))
        throw new UsageError(`Project ${called} was deleted more than 7 days ago.`)
    } else if (!(await store.restore(OPERATOR)))
      throw new UsageError(`Project ${called} is neither archived nor deleted.`)
    yield `Restored project ${called}.`
  },

  /** Also requires the slug in `--yes`, so that no other project is deleted by mistake. */
  'project delete': ofProject(async function* ({ project, options }) {
    const { public_id, slug, called } = project
    const store = new ProjectLifecycleStore(project.database)
    if (options.yes !== slug) {
      const { deployments, conversations, keys } = await store.contents()
      throw new UsageError(
        `This deletes project ${called} with ${deployments} deployments, ${conversations} conversations and ${keys} keys. To confirm, add --yes ${slug}.`,
      )
    }
    const removed = await store.removeAsOperator()
    if (!('erasedAt' in removed)) throw new UsageError(`Project ${public_id} is deleted.`)
    yield `Deleted project ${called}. Everything is permanently removed after ${removed.erasedAt.toISOString()}; until then, \`project restore\` undoes the deletion.`
  }),
}

/**
 * `init`: creates the first organization, project and admin key, for scripts. A second run changes
 * nothing and prints no key, since keys are only stored as hashes.
 */
async function* initialize({ database, options, settings }: CommandInput): Lines {
  const name = required(options.organization, '--organization')
  const slug = required(options.project, '--project')
  const organization = await ensureOrganization(database, name)
  const projects = new ProjectStore(database)
  const found = await projects.find(slug)
  if (found !== undefined && found.organization_id !== organization.id)
    throw new UsageError(`The project "${slug}" belongs to another organization.`)
  if (found !== undefined && found.deleted_at !== null)
    throw new UsageError(
      `The project "${slug}" was deleted. Run \`project restore ${slug}\` first.`,
    )
  const project =
    found ?? (await projects.insert({ organizationId: organization.id, name: slug, slug }))
  const bound = database.forProject(tenantOf(project))
  const keys = await new KeyStore(bound).list()
  const hasKey = keys.some(({ name, revoked_at }) => name === FIRST_KEY && revoked_at === null)
  const key = hasKey
    ? undefined
    : await createApiKey(
        { database: bound, pepper: settings.pepper },
        { kind: 'admin', name: FIRST_KEY, scopes: KEY_SCOPES, allowedFrom: null, expiresAt: null },
      )
  if (options.json) {
    yield JSON.stringify({ projectId: project.public_id, adminKey: key?.token ?? null })
    return
  }
  yield `Project ${project.public_id} (${project.slug}) of ${organization.name}.`
  yield key === undefined
    ? 'It already has an admin key; run `key create` to create another.'
    : `Admin key (shown only once): ${key.token}`
}
