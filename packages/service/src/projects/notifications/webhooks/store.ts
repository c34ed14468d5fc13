import type { WebhookAttempt } from '@octavo/contract'
import type { ProjectDatabase } from '../../../platform/database/database.ts'
import type { WebhookFormat, WebhookTarget } from './deliver-webhook.ts'

export type LiveFacts = {
  readonly deploymentId: string
  readonly publishedAt: Date
  /** The deployment that was live previously. */
  readonly previous: string | null
}

export type EndedBuild = {
  readonly id: string
  readonly state: 'failed' | 'superseded'
  readonly target: 'production' | 'preview'
  readonly ref: string
  readonly commit: string
  readonly pullRequest: number | null
  readonly reason: string | null
  readonly errorCount: number
  readonly warningCount: number
  /** The first stored error, if the build has errors. */
  readonly firstError: unknown
  readonly endedAt: Date
}

const BUILDS_MAX = 100

/** All SQL for the webhook of one project. */
export class WebhookStore {
  readonly #database: ProjectDatabase

  constructor(database: ProjectDatabase) {
    this.#database = database
  }

  /** Returns true if the project has a webhook. */
  async isSet(): Promise<boolean> {
    const [row] = await this.#database.query<{ url: string | null }>(
      `select settings ->> 'webhook' as url from project
        where organization_id = current_organization() and id = current_project()`,
    )
    return (row?.url ?? null) !== null
  }

  /** Returns the project's webhook; undefined if it has none or was deleted. */
  async target(): Promise<WebhookTarget | undefined> {
    const [row] = await this.#database.query<
      Omit<WebhookTarget, 'format'> & { readonly format: WebhookFormat | null }
    >(
      `select public_id as "publicId", name, slug, settings ->> 'webhook' as url,
              settings ->> 'webhookFormat' as format
         from project
        where organization_id = current_organization() and id = current_project()
          and settings ->> 'webhook' is not null and deleted_at is null`,
    )
    return row && { ...row, format: row.format ?? 'standard' }
  }

  /** Stores the newest attempt, unless the URL of the webhook has changed in the meantime. */
  async keepAttempt(url: string, attempt: WebhookAttempt): Promise<void> {
    await this.#database.query(
      `update project set settings = settings || jsonb_build_object('webhookAttempt', $2::jsonb)
        where organization_id = current_organization() and id = current_project()
          and settings ->> 'webhook' = $1`,
      [url, JSON.stringify(attempt)],
    )
  }

  /** Returns the live deployment, if there is one. */
  async live(): Promise<LiveFacts | undefined> {
    const [row] = await this.#database.query<LiveFacts>(
      `select d.id as "deploymentId", d.published_at as "publishedAt",
              (select e.id from deployment e
                where e.project_id = current_project() and e.published_at < d.published_at
                order by e.published_at desc limit 1) as previous
         from publication u
         join deployment d on d.project_id = u.project_id and d.id = u.deployment_id
        where u.project_id = current_project()`,
    )
    return row
  }

  /** Returns the last removed deployment, if it was live and no other one is live now. */
  async removed(): Promise<
    { readonly deploymentId: string; readonly removedAt: Date } | undefined
  > {
    const [row] = await this.#database.query<{ deploymentId: string; removedAt: Date }>(
      `select d.id as "deploymentId", d.superseded_at as "removedAt"
         from publication u
         join deployment d on d.project_id = u.project_id
        where u.project_id = current_project() and u.deployment_id is null
          and d.state = 'removed' and d.superseded_at is not null
        order by d.superseded_at desc limit 1`,
    )
    return row
  }

  /** Returns builds from the last week that were not reported yet, oldest first. */
  unannounced(): Promise<readonly EndedBuild[]> {
    return this.#database.query<EndedBuild>(
      `select id, state, target, ref, commit_sha as commit, pull_request as "pullRequest", reason,
              error_count as "errorCount", warning_count as "warningCount",
              jsonb_path_query_first(diagnostics, '$[*] ? (@.severity == "error")') as "firstError",
              coalesce(finished_at, created_at) as "endedAt"
         from build
        where project_id = current_project() and not is_announced
          and state in ('failed', 'superseded') and created_at > now() - interval '7 days'
        order by number limit $1`,
      [BUILDS_MAX],
    )
  }

  async markAnnounced(id: string): Promise<void> {
    await this.#database.query(
      'update build set is_announced = true where project_id = current_project() and id = $1',
      [id],
    )
  }
}
