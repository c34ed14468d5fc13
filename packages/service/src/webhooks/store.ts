import type { ProjectDatabase } from '../database/database.ts'

export type LiveFacts = {
  readonly publicId: string
  readonly slug: string
  /** Where the owner wants to be told. */
  readonly url: string
  readonly deploymentId: string
  readonly publishedAt: Date
  /** Was live before. */
  readonly previous: string | null
}

/** All SQL about the webhook of one project. */
export function createWebhookStore(database: ProjectDatabase) {
  return {
    /** Whether the project has a webhook. */
    async isSet(): Promise<boolean> {
      const [row] = await database.query<{ url: string | null }>(
        `select settings ->> 'webhook' as url from project
          where organisation_id = current_organisation() and id = current_project()`,
      )
      return (row?.url ?? null) !== null
    },

    /** What is live now; nothing without a webhook or a live deployment. */
    async live(): Promise<LiveFacts | undefined> {
      const [row] = await database.query<LiveFacts>(
        `select p.public_id as "publicId", p.slug, p.settings ->> 'webhook' as url,
                d.id as "deploymentId", d.published_at as "publishedAt",
                (select e.id from deployment e
                  where e.project_id = current_project() and e.published_at < d.published_at
                  order by e.published_at desc limit 1) as previous
           from project p
           join publication u on u.project_id = p.id
           join deployment d on d.project_id = u.project_id and d.id = u.deployment_id
          where p.organisation_id = current_organisation() and p.id = current_project()
            and p.settings ->> 'webhook' is not null`,
      )
      return row
    },
  }
}
