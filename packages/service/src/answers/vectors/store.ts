import type { ProjectDatabase } from '../../platform/database/database.ts'

export type PendingVectors = {
  readonly deploymentId: string
  readonly root: string
  /** The number of passages that earlier rounds have embedded. */
  readonly embedded: number
  /**
   * True if the deployment became visible less than an hour ago, so it is worth waiting for its
   * vectors.
   */
  readonly isRecent: boolean
}

export type VectorsOfDeployment = {
  readonly deploymentId: string
  readonly model: string
  /** The blob with the vectors; undefined if the deployment has none. */
  readonly sha256: string | undefined
  readonly passages: number
  readonly embedded: number
  /** The delay until the next attempt; undefined if the work is done. */
  readonly tryAfterSeconds: number | undefined
}

/** Contains all SQL about the vectors of one project. */
export class VectorStore {
  readonly #database: ProjectDatabase

  constructor(database: ProjectDatabase) {
    this.#database = database
  }

  /**
   * Returns deployments that readers use and whose vectors of this model are missing or incomplete.
   * The live deployment comes first.
   */
  async pending(model: string): Promise<readonly PendingVectors[]> {
    const rows = await this.#database.query<{
      id: string
      root: Buffer
      embedded: number
      is_recent: boolean
    }>('select * from pending_vectors($1)', [model])
    return rows.map(({ id, root, embedded, is_recent }) => ({
      deploymentId: id,
      root: root.toString('hex'),
      embedded,
      isRecent: is_recent,
    }))
  }

  /** Returns the blob with the vectors of a deployment; undefined if they are not complete. */
  async find(deploymentId: string, model: string): Promise<string | undefined> {
    const [row] = await this.#database.query<{ sha256: Buffer }>(
      `select sha256 from deployment_vectors
        where project_id = current_project() and deployment_id = $1 and model = $2
          and try_after is null and sha256 is not null`,
      [deploymentId, model],
    )
    return row?.sha256.toString('hex')
  }

  /**
   * Returns the newest blobs of this model, since an earlier deployment probably contains most
   * passages of a new one.
   */
  async newest(model: string, limit: number): Promise<readonly string[]> {
    const rows = await this.#database.query<{ sha256: Buffer }>(
      `select sha256 from deployment_vectors
        where project_id = current_project() and model = $1 and sha256 is not null
        group by sha256 order by max(changed_at) desc limit $2`,
      [model, limit],
    )
    return rows.map(({ sha256 }) => sha256.toString('hex'))
  }

  /** Stores the vectors of a deployment. Returns false if the deployment no longer exists. */
  async save(vectors: VectorsOfDeployment): Promise<boolean> {
    const { deploymentId, model, sha256, passages, embedded, tryAfterSeconds } = vectors
    return this.#database.transaction(async (query) => {
      // Lock the deployment, so that it is not deleted at the same time.
      const kept = await query(
        `select id from deployment
          where project_id = current_project() and id = $1 and state = 'ready' for share`,
        [deploymentId],
      )
      if (kept.length === 0) return false
      await query(
        `insert into deployment_vectors (project_id, deployment_id, model, sha256, passages, embedded, try_after)
         values (current_project(), $1, $2, $3, $4, $5, now() + $6 * interval '1 second')
         on conflict (project_id, deployment_id) do update
           set model = excluded.model, sha256 = excluded.sha256, passages = excluded.passages,
               embedded = excluded.embedded, try_after = excluded.try_after, changed_at = now()`,
        [
          deploymentId,
          model,
          sha256 === undefined ? null : Buffer.from(sha256, 'hex'),
          passages,
          embedded,
          tryAfterSeconds ?? null,
        ],
      )
      return true
    })
  }
}
