/** What operators do with projects as wholes, as their members can in the dashboard. */

import { Slug } from '@octavo/contract'
import { isSlugTaken } from '../../people/organizations/slugs.ts'
import { OPERATOR } from '../../platform/audit/request-audit.ts'
import { LifeStore } from '../../projects/projects/life-store.ts'
import { SettingsStore } from '../../projects/projects/settings-store.ts'
import { ProjectStore, tenantOf } from '../../projects/projects/store.ts'
import { type CommandInput, findProject, required, UsageError } from './arguments.ts'

/** `project rename`: the old slug stays with the project. */
export async function renameProject(input: CommandInput): Promise<void> {
  const project = await findProject(input)
  const slug = required(input.words[1], 'slug')
  const parsed = Slug.safeParse(slug)
  if (!parsed.success) throw new UsageError(`Invalid slug: ${parsed.error.issues[0]?.message}`)
  await new SettingsStore(project.database).change({ slug }, OPERATOR).catch((error: unknown) => {
    if (!isSlugTaken(error)) throw error
    throw new UsageError(`The slug "${slug}" belongs to another project, or did before.`)
  })
  input.print(
    `Project ${project.public_id} is called ${slug}. Readers of ${project.slug} are sent to it.`,
  )
}

export async function archiveProject(input: CommandInput): Promise<void> {
  const project = await findProject(input)
  const isDone = await new LifeStore(project.database).archive(OPERATOR)
  input.print(
    isDone
      ? `Archived project ${project.public_id} (${project.slug}). Its site is offline.`
      : `Project ${project.public_id} (${project.slug}) is archived already.`,
  )
}

/** `project restore`: of one that was deleted in the last 7 days, as it was then, or of an archived one. */
export async function restoreProject(input: CommandInput): Promise<void> {
  const { database, words, print } = input
  const name = required(words[0], 'project id')
  const project = await new ProjectStore(database).find(name)
  if (project === undefined) throw new UsageError(`Project ${name} does not exist.`)
  const store = new LifeStore(database.forProject(tenantOf(project)))
  const called = `${project.public_id} (${project.slug})`
  if (project.deleted_at !== null) {
    if (!(await store.takeBackDeletion()))
      throw new UsageError(`Project ${called} was deleted more than 7 days ago.`)
  } else if (!(await store.restore(OPERATOR)))
    throw new UsageError(`Project ${called} is neither archived nor deleted.`)
  print(`Project ${called} is back.`)
}

/** `project delete`: names the slug twice, so that no other project goes by mistake. */
export async function deleteProject(input: CommandInput): Promise<void> {
  const project = await findProject(input)
  const store = new LifeStore(project.database)
  if (input.options.yes !== project.slug) {
    const { deployments, conversations, keys } = await store.contents()
    throw new UsageError(
      `This deletes project ${project.public_id} (${project.slug}) with ${deployments} deployments, ${conversations} conversations and ${keys} keys. Add --yes ${project.slug} to do it.`,
    )
  }
  const removed = await store.removeAsOperator()
  if (!('erasedAt' in removed)) throw new UsageError(`Project ${project.public_id} is deleted.`)
  input.print(
    `Deleted project ${project.public_id} (${project.slug}). Everything is removed for good after ${removed.erasedAt.toISOString()}; until then \`project restore\` undoes it.`,
  )
}
