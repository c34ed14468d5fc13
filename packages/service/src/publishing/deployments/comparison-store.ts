import type { ApiChange } from '@octavo/contract'
import type { Access } from '@octavo/model'
import type { ProjectDatabase } from '../../platform/database/database.ts'

/** The stored changes of one specification. */
export type ComparedSpecification = {
  readonly file: string
  readonly breaking: number
  readonly additive: number
  readonly documentation: number
  readonly changes: readonly ApiChange[]
  readonly problem?: string | undefined
  /** Who may read the old and the new version. A reader of the changes must be allowed both. */
  readonly access: readonly Access[]
}

export type Comparison = {
  readonly specifications: readonly ComparedSpecification[]
  /** Why nothing could be compared. */
  readonly problem?: string | undefined
}

export type ComparisonRow = {
  readonly deploymentId: string
  readonly baseId: string | null
  readonly baseNumber: number | null
  /** Null until the deployment has been compared. */
  readonly result: Comparison | null
}

const SELECT = `select c.deployment_id as "deploymentId", c.base_id as "baseId", c.result,
         d.number::float8 as "baseNumber"
    from api_comparison c
    left join deployment d on d.project_id = c.project_id and d.id = c.base_id
   where c.project_id = current_project()`

/** Contains all SQL about the comparisons of one project's specifications. */
export class ComparisonStore {
  readonly #database: ProjectDatabase

  constructor(database: ProjectDatabase) {
    this.#database = database
  }

  async find(deploymentId: string): Promise<ComparisonRow | undefined> {
    const [row] = await this.#database.query<ComparisonRow>(`${SELECT} and c.deployment_id = $1`, [
      deploymentId,
    ])
    return row
  }

  /** Returns deployments that have not been compared yet, oldest first. */
  due(limit: number): Promise<readonly ComparisonRow[]> {
    return this.#database.query<ComparisonRow>(
      `${SELECT} and c.result is null order by c.deployment_id limit $1`,
      [limit],
    )
  }

  async save(deploymentId: string, result: Comparison): Promise<void> {
    await this.#database.query(
      `update api_comparison set result = $2
        where project_id = current_project() and deployment_id = $1`,
      [deploymentId, JSON.stringify(result)],
    )
  }
}
