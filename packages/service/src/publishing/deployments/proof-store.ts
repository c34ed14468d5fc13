import type { PageProof } from '@octavo/model'
import type { ProjectDatabase } from '../../platform/database/database.ts'

/** The stored results of `octavo test`: what their sender and pages need of them. */
export type ProofFacts = {
  readonly ranAt: Date
  readonly octavo: string
  readonly runtimes: readonly string[]
  readonly passed: number
  readonly failed: number
  readonly notRun: number
}
export type StoredProof = ProofFacts & {
  /** The samples that passed, by page: `passedByPage`. */
  readonly pages: ReadonlyMap<string, PageProof['passed']>
}

/**
 * Selects the proof that pages of a deployment show: its own, or the newest one that was sent with
 * an earlier deployment of the site, or of the same preview. What changed since is marked on pages.
 */
const SHOWN = `sample_proof s
    join deployment d on d.project_id = s.project_id and d.id = s.deployment_id
    join deployment shown on shown.project_id = s.project_id and shown.id = $1
   where s.project_id = current_project() and d.state <> 'removed' and d.number <= shown.number
     and (d.id = shown.id or d.published_at is not null
       or (d.target = 'preview' and shown.target = 'preview' and d.branch = shown.branch))
   order by d.number desc limit 1`

/** Contains all SQL about the proofs of one project. */
export class ProofStore {
  readonly #database: ProjectDatabase

  constructor(database: ProjectDatabase) {
    this.#database = database
  }

  /**
   * Stores the proof of a deployment, in place of an earlier one. Returns false if the deployment
   * neither is finished nor is being uploaded. `keptMax` newer proofs remain for the same target.
   */
  async save(deploymentId: string, proof: StoredProof, keptMax: number): Promise<boolean> {
    return this.#database.transaction(async (query) => {
      const saved = await query(
        `insert into sample_proof (project_id, deployment_id, ran_at, octavo, runtimes, passed, failed, not_run, pages)
         select d.project_id, d.id, $2, $3, $4::text[], $5, $6, $7, $8 from deployment d
          where d.project_id = current_project() and d.id = $1 and d.state in ('uploading', 'ready')
         on conflict (project_id, deployment_id) do update
            set ran_at = excluded.ran_at, octavo = excluded.octavo, runtimes = excluded.runtimes,
                passed = excluded.passed, failed = excluded.failed, not_run = excluded.not_run,
                pages = excluded.pages, sent_at = now()
         returning 1`,
        [
          deploymentId,
          proof.ranAt,
          proof.octavo,
          proof.runtimes,
          proof.passed,
          proof.failed,
          proof.notRun,
          JSON.stringify(Object.fromEntries(proof.pages)),
        ],
      )
      await query(
        `delete from sample_proof s where s.project_id = current_project() and s.deployment_id in (
           select d.id from deployment d
             join sample_proof o on o.project_id = d.project_id and o.deployment_id = d.id
            where d.project_id = current_project()
              and d.target = (select t.target from deployment t where t.project_id = current_project() and t.id = $1)
            order by d.number desc offset $2)`,
        [deploymentId, keptMax],
      )
      return saved.length > 0
    })
  }

  /** Returns the proof that was sent for a deployment. */
  async find(deploymentId: string): Promise<(ProofFacts & { pageCount: number }) | undefined> {
    const [row] = await this.#database.query<ProofFacts & { pageCount: number }>(
      `select ran_at as "ranAt", octavo, runtimes, passed, failed, not_run as "notRun",
              (select count(*)::integer from jsonb_object_keys(pages)) as "pageCount"
         from sample_proof where project_id = current_project() and deployment_id = $1`,
      [deploymentId],
    )
    return row
  }

  /** Returns whether pages of a deployment show a proof. */
  async isShown(deploymentId: string): Promise<boolean> {
    const rows = await this.#database.query(`select from ${SHOWN}`, [deploymentId])
    return rows.length > 0
  }

  /** Returns what a page of a deployment shows. */
  async ofPage(deploymentId: string, page: string): Promise<PageProof | undefined> {
    const [row] = await this.#database.query<{ ranAt: Date; passed: PageProof['passed'] | null }>(
      `select s.ran_at as "ranAt", s.pages -> $2 as passed from ${SHOWN}`,
      [deploymentId, page],
    )
    const { ranAt, passed } = row ?? {}
    return ranAt && passed ? { date: ranAt.toISOString(), passed } : undefined
  }
}
