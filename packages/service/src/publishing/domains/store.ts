import type { ProjectDatabase } from '../../platform/database/database.ts'
import type { StoredChecks } from './domain-checks.ts'

export type ClaimRow = {
  readonly name: string
  readonly token: string
  readonly state: 'waiting' | 'active' | 'lapsed' | 'lost' | 'removed'
  readonly redirects: boolean
  readonly checks: StoredChecks | null
  readonly createdAt: Date
  readonly seenAt: Date | null
  /**
   * The end of the grace period, in which the site is served although its DNS record is missing.
   */
  readonly servedUntil: Date | null
}

export type ClaimResult = 'claimed' | 'exists' | 'too-many' | 'elsewhere' | 'not-found'
/**
 * The result of a proof. `held`: another project has the domain, and its record still exists.
 * `none`: the claim does not exist.
 */
export type ProofResult = ClaimRow['state'] | 'held' | 'none'

export type Proof = {
  readonly common: readonly string[]
  readonly any: readonly string[]
  /** The number of seconds since the DNS query began. */
  readonly seconds: number
}

/** Returns the name of the state in the API and the audit log. */
export const shownState = ({ state, servedUntil }: ClaimRow) =>
  state === 'active' && servedUntil !== null ? 'missing' : state

const COLUMNS = `name, token, state, redirects, checks, created_at as "createdAt", seen_at as "seenAt",
  missing_since + domain_grace() as "servedUntil"`

export const DOMAINS_MAX = 20

/** Contains all SQL about the domains of one project. */
export class DomainStore {
  readonly #database: ProjectDatabase

  constructor(database: ProjectDatabase) {
    this.#database = database
  }

  list(): Promise<readonly ClaimRow[]> {
    return this.#database.query<ClaimRow>(
      `select ${COLUMNS} from domain_claim
        where project_id = current_project() and state <> 'removed' order by name`,
    )
  }

  async find(name: string): Promise<ClaimRow | undefined> {
    const [row] = await this.#database.query<ClaimRow>(
      `select ${COLUMNS} from domain_claim
        where project_id = current_project() and name = $1 and state <> 'removed'`,
      [name],
    )
    return row
  }

  async claim(name: string, token: string): Promise<ClaimResult> {
    const [row] = await this.#database.query<{ result: ClaimResult }>(
      'select claim_domain($1, $2, $3) as result',
      [name, token, DOMAINS_MAX],
    )
    return row?.result ?? 'not-found'
  }

  async prove(name: string, { common, any, seconds }: Proof): Promise<ProofResult> {
    const [row] = await this.#database.query<{ result: ProofResult }>(
      'select prove_domain($1, $2, $3, $4) as result',
      [name, common, any, seconds],
    )
    return row?.result ?? 'none'
  }

  async saveChecks(name: string, checks: StoredChecks): Promise<void> {
    await this.#database.query(
      'update domain_claim set checks = $2 where project_id = current_project() and name = $1',
      [name, JSON.stringify(checks)],
    )
  }

  /**
   * Sets whether a domain redirects. Returns false if the project does not have the domain to
   * redirect to: the same name with or without `www.`.
   */
  setRedirects(name: string, redirects: boolean): Promise<boolean> {
    return this.#database.transaction(async (query) => {
      const rows = await query(
        `update domain_claim c set redirects = $2
          where c.project_id = current_project() and c.name = $1 and c.state <> 'removed'
            and (not $2 or exists (
              select from domain_claim o
               where o.project_id = current_project() and o.name = domain_counterpart(c.name)
                 and o.state <> 'removed' and not o.redirects))
         returning c.name`,
        [name, redirects],
      )
      return rows.length > 0
    })
  }

  async remove(name: string): Promise<boolean> {
    const [row] = await this.#database.query<{ removed: boolean }>(
      'select remove_domain($1) as removed',
      [name],
    )
    return row?.removed === true
  }

  /**
   * Returns the slug of the project. It is part of the host name that the domains have to point to.
   */
  async slug(): Promise<string> {
    const [row] = await this.#database.query<{ slug: string }>(
      'select slug from project where organization_id = current_organization() and id = current_project()',
    )
    return row?.slug ?? ''
  }
}
