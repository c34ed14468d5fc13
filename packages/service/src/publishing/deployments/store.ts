import type { FailOn } from '@octavo/contract'
import type { ProjectDatabase, Query } from '../../platform/database/database.ts'

type DeploymentTarget = 'production' | 'preview'

export type DeploymentRow = {
  readonly id: string
  readonly number: string
  readonly state: string
  readonly target: DeploymentTarget
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
  /** The author of the commit, or the person or API key that created the deployment. */
  readonly author: string | null
  /** The name of the preview that shows this deployment. */
  readonly preview_name: string | null
}

export type ProjectFacts = {
  readonly public_id: string
  readonly name: string
  readonly slug: string
  /** Which findings stop a deployment; null if docs.json decides. */
  readonly failOn: FailOn | null
}

export type Publication = {
  readonly live: string | null
  readonly liveNumber: number | null
  readonly lockReason: string | null
}

export type PublishOutcome =
  | 'published'
  | 'live'
  | 'locked'
  | 'older'
  | 'live-changed'
  | 'not-ready'
  | 'suspended'

/** The limits of an upload. `room` is the number of bytes that the organization can still store. */
export type UploadStart = {
  readonly began: string
  readonly room: number
  readonly suspended: string | null
}

export type KeptRoot = {
  readonly root: string
  /** True if the deployment is finished. Blobs of an unfinished upload may be missing. */
  readonly isComplete: boolean
}

export type DeploymentFilter = {
  readonly branch?: string | undefined
  readonly state?: string | undefined
  /** Text that the message or the commit has to contain. */
  readonly text?: string | undefined
  readonly number?: number | undefined
}

export type NewDeployment = {
  readonly root: Buffer
  readonly target: DeploymentTarget
  readonly isDraft: boolean
  readonly branch: string | null
  readonly message: string | null
  readonly commit: string | null
  readonly by: string
  readonly idempotencyKey: string | null
  /** The id of the build that creates the deployment, which then has the same number. */
  readonly build?: string | undefined
}

/**
 * The maximum number of deployments that are scanned for one page of a filtered list. The next page
 * continues after them.
 */
const SCANNED_MAX = 1_000

const selectFrom = (
  from: string,
) => `select d.id, d.number, d.state, d.is_draft, d.branch, d.message, d.commit_sha, d.root, d.file_count,
         d.byte_count, d.created_at, d.finished_at, d.published_at, coalesce(p.deployment_id = d.id, false) as is_live,
         d.target, v.name as preview_name, coalesce(b.author, k.name, u.name) as author
    from (${from}) d left join publication p on p.project_id = d.project_id
    left join preview v on v.project_id = d.project_id and v.deployment_id = d.id and v.expires_at > now()
    left join build b on b.project_id = d.project_id and b.number = d.number
    left join api_key k on k.project_id = d.project_id and d.created_by = 'key ' || k.id
    left join app_user u on d.created_by = 'user ' || u.public_id`
const FIND = `${selectFrom('table deployment')} where d.project_id = current_project() and d.id = $1`

/** Contains all SQL about the deployments of one project. */
export class DeploymentStore {
  readonly #database: ProjectDatabase

  constructor(database: ProjectDatabase) {
    this.#database = database
  }

  async insert(input: NewDeployment): Promise<DeploymentRow> {
    return this.#database.transaction(async (query) => {
      const [made] = await query<{ id: string }>(
        'select create_deployment($1, $2, $3, $4, $5, $6, $7, $8, $9) as id',
        [
          input.root,
          input.isDraft,
          input.branch,
          input.message,
          input.commit,
          input.by,
          input.idempotencyKey,
          input.target,
          input.build ?? null,
        ],
      )
      const [row] = await query<DeploymentRow>(FIND, [made?.id])
      if (row === undefined) throw new Error('the deployment was not written')
      return row
    })
  }

  async find(id: string): Promise<DeploymentRow | undefined> {
    const [row] = await this.#database.query<DeploymentRow>(FIND, [id])
    return row
  }

  /**
   * Returns deployments that are older than a given id, newest first. Scans at most `SCANNED_MAX`,
   * because only the branch filter has an index.
   */
  list(
    before: string | undefined,
    limit: number,
    { branch, state, text, number }: DeploymentFilter = {},
  ): Promise<readonly DeploymentRow[]> {
    return this.#database.query<DeploymentRow>(
      `${selectFrom(`select * from deployment
         where project_id = current_project() and ($1::text is null or id < $1) and ($2::text is null or branch = $2)
           and ($6::bigint is null or number = $6)
         order by id desc limit ${SCANNED_MAX}`)} where ($3::text is null or $3 = case
            when p.deployment_id = d.id then 'live'
            when d.state = 'ready' and d.published_at is not null then 'superseded' else d.state end)
          and ($4::text is null or strpos(lower(concat_ws(' ', d.message, d.commit_sha)), lower($4)) > 0)
        order by d.id desc limit $5`,
      [before ?? null, branch ?? null, state ?? null, text ?? null, limit, number ?? null],
    )
  }

  /**
   * Returns the id of the last deployment that `list` scans for a page; undefined if it scans all.
   */
  async lastScanned(
    before: string | undefined,
    { branch }: DeploymentFilter,
  ): Promise<string | undefined> {
    const [row] = await this.#database.query<{ id: string }>(
      `select id from deployment
        where project_id = current_project() and ($1::text is null or id < $1) and ($2::text is null or branch = $2)
        order by id desc offset ${SCANNED_MAX - 1} limit 1`,
      [before ?? null, branch ?? null],
    )
    return row?.id
  }

  /**
   * Finishes or cancels an upload. Returns false if the deployment was not being uploaded.
   * `queueComparison` runs in the same transaction, which also notes what has to be compared.
   */
  async end(
    id: string,
    state: 'ready' | 'cancelled',
    size?: { readonly files: number; readonly bytes: number },
    queueComparison?: (query: Query) => Promise<void>,
  ): Promise<boolean> {
    return this.#database.transaction(async (query) => {
      const [row] = await query<{ done: boolean }>(
        'select end_deployment($1, $2, $3, $4, $5) as done',
        [id, state, size?.files ?? null, size?.bytes ?? null, queueComparison !== undefined],
      )
      const isDone = row?.done ?? false
      if (isDone) await queueComparison?.(query)
      return isDone
    })
  }

  /** Makes a deployment live. `announce` runs in the same transaction if the pointer was moved. */
  publish(
    id: string,
    how: { readonly automatic: true } | { readonly expected: string | null },
    announce?: (query: Query) => Promise<void>,
  ): Promise<{ readonly outcome: PublishOutcome; readonly live: string | null }> {
    return this.#database.transaction(async (query) => {
      const [row] = await query<{ outcome: PublishOutcome; live: string | null }>(
        'select * from publish_deployment($1, $2, $3)',
        [id, 'automatic' in how, 'expected' in how ? how.expected : null],
      )
      if (row === undefined) throw new Error('nothing was published')
      if (row.outcome === 'published') await announce?.(query)
      return row
    })
  }

  async project(): Promise<ProjectFacts> {
    const [row] = await this.#database.query<ProjectFacts>(
      `select public_id, name, slug, settings ->> 'failOn' as "failOn" from project
        where organization_id = current_organization() and id = current_project()`,
    )
    if (row === undefined) throw new Error('the project is gone')
    return row
  }

  /**
   * Returns the domain that readers and search engines see: the project's first domain that has a
   * certificate.
   */
  async canonicalDomain(): Promise<string | undefined> {
    const [row] = await this.#database.query<{ name: string }>(
      `select name from domain_claim
        where project_id = current_project() and state = 'active' and missing_since is null and not redirects
          and checks #>> '{certificate,state}' = 'ok'
        order by created_at, name limit 1`,
    )
    return row?.name
  }

  async publication(): Promise<Publication> {
    const [row] = await this.#database.query<Publication>(
      `select p.deployment_id as live, d.number::float8 as "liveNumber", p.lock_reason as "lockReason"
         from publication p
         left join deployment d on d.project_id = p.project_id and d.id = p.deployment_id
        where p.project_id = current_project()`,
    )
    return row ?? { live: null, liveNumber: null, lockReason: null }
  }

  /** Locks the project, or unlocks it if the reason is `null`. */
  async setLock(reason: string | null): Promise<void> {
    await this.#database.query(
      `insert into publication (project_id, lock_reason) values (current_project(), $1)
       on conflict (project_id) do update set lock_reason = excluded.lock_reason`,
      [reason],
    )
  }

  /** Starts an upload. Returns its start time and its limits. Called before a body is read. */
  async beginUpload(): Promise<UploadStart> {
    const [row] = await this.#database.query<{
      began: string
      room: string | null
      suspended: string | null
    }>('select began::text, room, suspended from begin_upload()')
    if (row === undefined) throw new Error('the project is gone')
    const { began, room, suspended } = row
    return { began, room: room === null ? Number.POSITIVE_INFINITY : Number(room), suspended }
  }

  /**
   * Records blobs that are now in the store. Returns the digests of blobs that have to be sent
   * again.
   */
  async addBlobs(
    blobs: readonly { readonly sha256: string; readonly size: number }[],
    { began }: Pick<UploadStart, 'began'>,
  ): Promise<readonly string[]> {
    const rows = await this.#database.query<{ sha256: Buffer }>(
      'select add_blobs as sha256 from add_blobs($1::bytea[], $2::bigint[], $3)',
      [asBytes(blobs.map(({ sha256 }) => sha256)), blobs.map(({ size }) => size), began],
    )
    return rows.map(({ sha256 }) => sha256.toString('hex'))
  }

  /**
   * Returns the sizes of blobs that the project has. Also renews the blobs, so that collection
   * keeps them for another day. An old blob is only returned if it could still be renewed.
   */
  async sizes(digests: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#database.query<{ sha256: Buffer; size: string }>(
      `with renewed as (
         update project_blob set stored_at = now()
          where project_id = current_project() and sha256 = any ($1::bytea[])
            and stored_at < now() - blob_renewal()
         returning sha256, size)
       select sha256, size from renewed
       union all
       select sha256, size from project_blob
        where project_id = current_project() and sha256 = any ($1::bytea[])
          and stored_at >= now() - blob_renewal()`,
      [asBytes(digests)],
    )
    return new Map(rows.map(({ sha256, size }) => [sha256.toString('hex'), Number(size)]))
  }

  async isProtected(): Promise<boolean> {
    const [row] = await this.#database.query<{ is_protected: boolean }>(
      `select protection <> 'public' as is_protected from project
        where organization_id = current_organization() and id = current_project()`,
    )
    return row?.is_protected ?? true
  }

  /** Returns the roots of all deployments whose files are still needed. */
  async keptRoots(): Promise<readonly KeptRoot[]> {
    const rows = await this.#database.query<{ root: Buffer; state: string }>(
      `select root, state from deployment
        where project_id = current_project() and state in ('uploading', 'ready')`,
    )
    return rows.map(({ root, state }) => ({
      root: root.toString('hex'),
      isComplete: state === 'ready',
    }))
  }

  /** Returns the digests of compile caches, which are also blobs of the project. */
  async keptCaches(): Promise<readonly string[]> {
    const rows = await this.#database.query<{ sha256: Buffer }>(
      'select sha256 from build_cache where project_id = current_project()',
    )
    return rows.map(({ sha256 }) => sha256.toString('hex'))
  }

  /** Returns the digests of the deployments' vectors, which are also blobs of the project. */
  async keptVectors(): Promise<readonly string[]> {
    const rows = await this.#database.query<{ sha256: Buffer }>(
      `select sha256 from deployment_vectors
        where project_id = current_project() and sha256 is not null`,
    )
    return rows.map(({ sha256 }) => sha256.toString('hex'))
  }

  /** Returns the preview name that the API promised when the build was requested. */
  async promisedPreviewName(id: string): Promise<string | undefined> {
    const [row] = await this.#database.query<{ name: string | null }>(
      `select preview_name as name from build
        where project_id = current_project() and deployment_id = $1 and preview_name is not null limit 1`,
      [id],
    )
    return row?.name ?? undefined
  }

  /**
   * Removes blobs from the project that are not needed and were not used within the grace period.
   * Returns their number.
   */
  async dropBlobs(needed: ReadonlySet<string>, graceSeconds: number): Promise<number> {
    return this.#database.transaction(async (query) => {
      const [row] = await query<{ count: number }>(
        `with gone as (
           delete from project_blob
            where project_id = current_project() and stored_at < now() - $2 * interval '1 second'
              and sha256 <> all ($1::bytea[]) returning 1)
         select count(*)::integer as count from gone`,
        [asBytes([...needed]), graceSeconds],
      )
      await query(
        `update deployment set collected_at = now()
          where project_id = current_project() and collected_at is null
            and finished_at < now() - $1 * interval '1 second'`,
        [graceSeconds],
      )
      return row?.count ?? 0
    })
  }

  /**
   * Removes a deployment on behalf of an operator. Returns false if it does not exist or was
   * already removed. `announce` runs in the same transaction after a removal.
   */
  async takeDown(id: string, announce?: (query: Query) => Promise<void>): Promise<boolean> {
    return this.#database.transaction(async (query) => {
      const [row] = await query<{ done: boolean }>('select take_down_deployment($1) as done', [id])
      const isDone = row?.done ?? false
      if (isDone) await announce?.(query)
      return isDone
    })
  }
}
const asBytes = (digests: readonly string[]) => digests.map((digest) => Buffer.from(digest, 'hex'))
