import type { ProjectDatabase, Query } from '../database/database.ts'

export type DeploymentRow = {
  readonly id: string
  readonly number: string
  readonly state: string
  readonly is_draft: boolean
  readonly branch: string | null
  readonly message: string | null
  readonly commit_sha: string | null
  readonly root: Buffer
  readonly file_count: number | null
  readonly byte_count: string | null
  readonly created_at: Date
  readonly finished_at: Date | null
  readonly published_at: Date | null
  readonly is_live: boolean
}

export type ProjectFacts = {
  readonly public_id: string
  readonly name: string
  readonly slug: string
}

export type Publication = { readonly live: string | null; readonly lockReason: string | null }

export type PublishOutcome =
  | 'published'
  | 'live'
  | 'locked'
  | 'older'
  | 'live-changed'
  | 'not-ready'

export type NewDeployment = {
  readonly root: Buffer
  readonly isDraft: boolean
  readonly branch: string | null
  readonly message: string | null
  readonly commit: string | null
  readonly by: string
  readonly idempotencyKey: string | null
}

const SELECT = `select d.id, d.number, d.state, d.is_draft, d.branch, d.message, d.commit_sha, d.root, d.file_count,
         d.byte_count, d.created_at, d.finished_at, d.published_at, coalesce(p.deployment_id = d.id, false) as is_live
    from deployment d left join publication p on p.project_id = d.project_id`
const FIND = `${SELECT} where d.project_id = current_project() and d.id = $1`

/** All SQL about the deployments of one project. */
export function createDeploymentStore(database: ProjectDatabase) {
  return {
    async insert(wish: NewDeployment): Promise<DeploymentRow> {
      return database.transaction(async (query) => {
        const [made] = await query<{ id: string }>(
          'select create_deployment($1, $2, $3, $4, $5, $6, $7) as id',
          [
            wish.root,
            wish.isDraft,
            wish.branch,
            wish.message,
            wish.commit,
            wish.by,
            wish.idempotencyKey,
          ],
        )
        const [row] = await query<DeploymentRow>(FIND, [made?.id])
        if (row === undefined) throw new Error('the deployment was not written')
        return row
      })
    },

    async find(id: string): Promise<DeploymentRow | undefined> {
      const [row] = await database.query<DeploymentRow>(FIND, [id])
      return row
    },

    /** Newest first, from before an id. */
    list(before: string | undefined, limit: number): Promise<readonly DeploymentRow[]> {
      return database.query<DeploymentRow>(
        `${SELECT} where d.project_id = current_project() and ($1::text is null or d.id < $1)
          order by d.id desc limit $2`,
        [before ?? null, limit],
      )
    },

    /** Gives whether it was still being uploaded. */
    async end(
      id: string,
      state: 'ready' | 'cancelled',
      size?: { readonly files: number; readonly bytes: number },
    ): Promise<boolean> {
      const rows = await database.query(
        `update deployment set state = $2, finished_at = now(), file_count = $3, byte_count = $4
          where project_id = current_project() and id = $1 and state = 'uploading' returning id`,
        [id, state, size?.files ?? null, size?.bytes ?? null],
      )
      return rows.length > 0
    },

    /** `announce` is part of the transaction, if the pointer was moved. */
    publish(
      id: string,
      how: { readonly automatic: true } | { readonly expected: string | null },
      announce?: (query: Query) => Promise<void>,
    ): Promise<{ readonly outcome: PublishOutcome; readonly live: string | null }> {
      return database.transaction(async (query) => {
        const [row] = await query<{ outcome: PublishOutcome; live: string | null }>(
          'select * from publish_deployment($1, $2, $3)',
          [id, 'automatic' in how, 'expected' in how ? how.expected : null],
        )
        if (row === undefined) throw new Error('nothing was published')
        if (row.outcome === 'published') await announce?.(query)
        return row
      })
    },

    async project(): Promise<ProjectFacts> {
      const [row] = await database.query<ProjectFacts>(
        `select public_id, name, slug from project
          where organisation_id = current_organisation() and id = current_project()`,
      )
      if (row === undefined) throw new Error('the project is gone')
      return row
    },

    async publication(): Promise<Publication> {
      const [row] = await database.query<Publication>(
        `select deployment_id as live, lock_reason as "lockReason"
           from publication where project_id = current_project()`,
      )
      return row ?? { live: null, lockReason: null }
    },

    /** `null` unlocks. */
    async setLock(reason: string | null): Promise<void> {
      await database.query(
        `insert into publication (project_id, lock_reason) values (current_project(), $1)
         on conflict (project_id) do update set lock_reason = excluded.lock_reason`,
        [reason],
      )
    },

    /** Those of the digests that the project has not sent, in their order. */
    async missing(digests: readonly string[]): Promise<readonly string[]> {
      const rows = await database.query<{ sha256: Buffer }>(
        `select sha256 from project_blob where project_id = current_project() and sha256 = any ($1::bytea[])`,
        [digests.map((digest) => Buffer.from(digest, 'hex'))],
      )
      const known = new Set(rows.map(({ sha256 }) => sha256.toString('hex')))
      return digests.filter((digest) => !known.has(digest))
    },

    async addBlobs(
      blobs: readonly { readonly sha256: string; readonly size: number }[],
    ): Promise<void> {
      await database.query(
        `insert into project_blob (project_id, sha256, size)
         select current_project(), b.sha256, b.size
           from unnest($1::bytea[], $2::bigint[]) as b (sha256, size)
         on conflict do nothing`,
        [blobs.map(({ sha256 }) => Buffer.from(sha256, 'hex')), blobs.map(({ size }) => size)],
      )
    },

    /** Sizes of blobs that the project has sent. */
    async sizes(digests: readonly string[]): Promise<ReadonlyMap<string, number>> {
      const rows = await database.query<{ sha256: Buffer; size: string }>(
        `select sha256, size from project_blob where project_id = current_project() and sha256 = any ($1::bytea[])`,
        [digests.map((digest) => Buffer.from(digest, 'hex'))],
      )
      return new Map(rows.map(({ sha256, size }) => [sha256.toString('hex'), Number(size)]))
    },
  }
}
export type DeploymentStore = ReturnType<typeof createDeploymentStore>
