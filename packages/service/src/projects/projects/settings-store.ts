import type { FailOn } from '@octavo/contract'
import { isReservedSlug } from '../../people/organizations/slugs.ts'
import { OPERATOR, type Requester } from '../../platform/audit/request-audit.ts'
import { insertAudit } from '../../platform/audit/store.ts'
import type { ProjectDatabase, Query } from '../../platform/database/database.ts'
import type { ProjectSettings } from './store.ts'

export type OwnSettings = {
  readonly publicId: string
  readonly isArchived: boolean
  readonly name: string
  readonly slug: string
  readonly retentionDays: number
  readonly settings: ProjectSettings
}

export type SettingsChange = {
  readonly name?: string | undefined
  readonly slug?: string | undefined
  readonly retentionDays?: number | undefined
  readonly playgroundProxy?: boolean | undefined
  /** Null if docs.json decides. */
  readonly failOn?: FailOn | null | undefined
  readonly trust?: readonly string[] | undefined
}

/**
 * The maximum number of slugs besides a new one: a project keeps its old slugs and must not hoard
 * them.
 */
export const SLUGS_MAX = 20

export class TooManySlugsError extends Error {}
export class ReservedSlugError extends Error {}

/** All SQL for the settings that a project's owner can see and change. */
export class SettingsStore {
  readonly #database: ProjectDatabase

  constructor(database: ProjectDatabase) {
    this.#database = database
  }

  read(): Promise<OwnSettings> {
    return this.#database.transaction(readSettings)
  }

  /**
   * Changes only the given settings. If the slug is taken, throws an error that `isSlugTaken`
   * recognizes.
   */
  change(change: SettingsChange, requester: Requester): Promise<OwnSettings> {
    return this.#database.transaction(async (query) => {
      const old = await readSettings(query)
      const before = shownOf(old)
      const after = { ...before, ...withoutNothing(change) }
      if (JSON.stringify(before) === JSON.stringify(after)) return old
      const { name, slug, retentionDays, playgroundProxy, failOn, trust } = change
      if (slug !== undefined) await checkSlug(query, slug, requester)
      await query(
        `update project set name = coalesce($1, name), retention_days = coalesce($2, retention_days),
                slug = coalesce($4, slug),
                settings = jsonb_strip_nulls(settings || $3::jsonb)
          where organization_id = current_organization() and id = current_project()`,
        [
          name ?? null,
          retentionDays ?? null,
          JSON.stringify({ playgroundProxy, failOn, trust: trust?.length === 0 ? null : trust }),
          slug ?? null,
        ],
      )
      await query('select announce_project()')
      await insertAudit(query, {
        ...requester,
        action: 'project.settings',
        object: old.publicId,
        before,
        after,
      })
      return readSettings(query)
    })
  }
}

/**
 * A project's current and former slugs are always allowed; only an operator may use a reserved one.
 */
async function checkSlug(query: Query, slug: string, { actor }: Requester): Promise<void> {
  const [row] = await query<{ others: number; isOwn: boolean }>(
    `select (count(*) filter (where slug <> $1))::integer as others,
            coalesce(bool_or(slug = $1), false) as "isOwn"
       from project_slug where project_id = current_project()`,
    [slug],
  )
  if (row === undefined) throw new Error('the slugs were not counted')
  if (row.others >= SLUGS_MAX) throw new TooManySlugsError()
  if (!row.isOwn && actor !== OPERATOR.actor && isReservedSlug(slug)) throw new ReservedSlugError()
}

async function readSettings(query: Query): Promise<OwnSettings> {
  const [row] = await query<OwnSettings>(
    `select public_id as "publicId", name, slug, retention_days as "retentionDays", settings,
            archived_at is not null as "isArchived" from project
      where organization_id = current_organization() and id = current_project()`,
  )
  if (row === undefined) throw new Error('the project is gone')
  return row
}

const shownOf = ({ name, slug, retentionDays, settings }: OwnSettings) => ({
  name,
  slug,
  retentionDays,
  playgroundProxy: settings.playgroundProxy ?? false,
  failOn: settings.failOn ?? null,
  trust: settings.trust ?? [],
})

function withoutNothing(change: SettingsChange): Partial<ReturnType<typeof shownOf>> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}
