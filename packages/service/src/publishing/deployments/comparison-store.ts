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

/** The stored changes of a deployment; null if they are unknown. */
export type ComparisonStep = {
  readonly number: number
  readonly baseId: string | null
  readonly result: Comparison | null
}

/** A deployment that is or was live. */
type LiveRow = {
  readonly id: string
  readonly root: Buffer
  readonly number: number
  readonly publishedAt: Date
}

/** The maximum number of comparisons between two deployments. */
const STEPS_MAX = 50

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

  /**
   * Returns a kept deployment that was live: the one with a number, or the one that was live at a
   * time. If the latter is not kept, returns the next one.
   */
  async findLive(
    wanted: { readonly number: number } | { readonly at: Date },
  ): Promise<LiveRow | undefined> {
    const [row] = await this.#database.query<LiveRow>(
      `select d.id, d.number::float8 as number, d.root, d.published_at as "publishedAt" from deployment d
        where d.project_id = current_project() and d.state = 'ready' and d.target = 'production'
          and d.published_at is not null and ($1::bigint is null or d.number = $1)
          and ($2::timestamptz is null or d.superseded_at is null or d.superseded_at > $2)
        order by d.published_at, d.number limit 1`,
      ['number' in wanted ? wanted.number : null, 'at' in wanted ? wanted.at : null],
    )
    return row
  }

  /**
   * Returns the comparisons from one deployment to a later one, oldest first; undefined if no chain
   * of at most `STEPS_MAX` comparisons leads from one to the other. The result of a deployment
   * that was taken down is null.
   */
  async between({ from, to }: Record<'from' | 'to', string>) {
    const steps = await this.#database.query<ComparisonStep>(
      `with recursive step as (
         select c.deployment_id, c.base_id, 1 as depth from api_comparison c
          where c.project_id = current_project() and c.deployment_id = $2
         union all
         select c.deployment_id, c.base_id, s.depth + 1 from step s
           join api_comparison c on c.project_id = current_project() and c.deployment_id = s.base_id
          where s.base_id <> $1 and s.depth < $3)
       select d.number::float8 as number, s.base_id as "baseId",
              case when 'removed' not in (d.state, b.state) then c.result end as result
         from step s
         join api_comparison c on c.project_id = current_project() and c.deployment_id = s.deployment_id
         join deployment d on d.project_id = current_project() and d.id = s.deployment_id
         join deployment b on b.project_id = current_project() and b.id = s.base_id
        order by s.depth desc`,
      [from, to, STEPS_MAX],
    )
    return steps[0]?.baseId === from ? steps : undefined
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
