/** Publishes conversations and deploys sites until it is stopped. */
import pg from 'pg'
import { ConversationStore } from '../../../packages/service/src/answers/conversations/store.ts'
import { openDatabase } from '../../../packages/service/src/platform/database/database.ts'
import type { HostedProject, Hosting } from '../../../packages/service/testing/start-hosting.ts'
import type { SiteVersion } from '../../parts/deploy/site-versions.ts'

export type ConversationWriter = {
  /** Publishes a number of conversations in sequence, and returns the acknowledged ids. */
  readonly write: (project: HostedProject, count: number) => Promise<readonly string[]>
  readonly end: () => Promise<void>
}

export async function openWriter(hosting: {
  readonly postgres: { readonly url: string }
  readonly environment: Hosting['environment']
}): Promise<ConversationWriter> {
  const owner = new pg.Client(hosting.postgres.url)
  await owner.connect()
  const { rows } = await owner.query<{ public_id: string; id: string; organization_id: string }>(
    'select public_id, id, organization_id from project',
  )
  await owner.end()
  const database = openDatabase({ url: hosting.environment.DATABASE_URL ?? '', connections: 4 })
  return {
    async write(project, count) {
      const row = rows.find(({ public_id }) => public_id === project.projectId)
      if (row === undefined) throw new Error(`${project.slug} does not exist`)
      const tenant = { organizationId: row.organization_id, projectId: row.id }
      const conversations = new ConversationStore(database.forProject(tenant))
      const ids: string[] = []
      for (let number = 0; number < count; number += 1) {
        const turn = await conversations.accept({ query: `How do I water plant ${number}? 植物` })
        const id = await conversations.publish(turn, {
          response: `With water.\n\n${'Rhododendrons need it most. '.repeat(20)}`,
          sources: [{ title: 'Water', url: '/guides/page-1' }],
          resolutionStatus: 'answered',
        })
        if (id !== undefined) ids.push(id)
      }
      return ids
    },
    end: () => database.end(),
  }
}

export async function deploySite(
  hosting: Hosting,
  project: HostedProject,
  version: SiteVersion,
): Promise<string> {
  const { code, out, err } = await hosting.octavo(
    project,
    'deploy',
    '--prebuilt',
    version.folder,
    '--json',
  )
  if (code !== 0) throw new Error(err)
  return (JSON.parse(out) as { id: string }).id
}
