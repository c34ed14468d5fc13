/**
 * Imports a project from an archive that no trusted cell signed. No row of the archive is inserted
 * as it is: a new project is created, its site is deployed from the bytes in the archive, and its
 * conversations are imported, with the same checks as for API callers. The only member is the owner
 * that the operator names.
 */
import { randomBytes } from 'node:crypto'
import { displayName, Slug } from '@octavo/contract'
import { z } from 'zod'
import { parseConversation } from '../../answers/conversations/read-conversations.ts'
import { ConversationStore } from '../../answers/conversations/store.ts'
import {
  findOrganization,
  insertOrganization,
  type OrganizationRow,
} from '../../people/organizations/store.ts'
import { ensureMember } from '../../people/users/operator-store.ts'
import { insertAudit } from '../../platform/audit/store.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import {
  bindingOf,
  type Database,
  joinTransaction,
  type ProjectDatabase,
} from '../../platform/database/database.ts'
import { type ProjectRow, ProjectStore, tenantOf } from '../../projects/projects/store.ts'
import { parseDomain } from '../../publishing/domains/parse-domain.ts'
import { DOMAINS_MAX, DomainStore } from '../../publishing/domains/store.ts'
import { deploySite, storeSite } from './deploy-archive.ts'
import { UnusableExport } from './export-manifest.ts'
import { checkVersion } from './import-problems.ts'
import { TRUSTED_TABLES } from './project-tables.ts'
import { type Archive, openArchive, type Row, readBatches, readRows } from './read-archive.ts'

/** Larger archives need `conversations import`, which uses one transaction per batch. */
const CONVERSATIONS_MAX = 1_000_000
const CONVERSATIONS_AT_A_TIME = 500
const TOKEN_BYTES = 16

export type UntrustedDeps = {
  /** Connected as the owner of the tables. */
  readonly database: Database
  readonly blobs: BlobStore
  /** The service's own domains, which no project can claim. */
  readonly ownNames: readonly string[]
  readonly now: () => number
}

/** Options that the operator chooses. They replace the values in the archive. */
export type UntrustedImportOptions = {
  readonly organization: string
  readonly owner: string
  /** Replaces the slug in the archive. */
  readonly slug: string | undefined
}

export type UntrustedImport = {
  readonly project: ProjectRow
  readonly organization: OrganizationRow
  readonly hasSite: boolean
  readonly conversations: number
  /** Domains that still have to be verified. */
  readonly domains: readonly string[]
  /** The number of skipped rows, which can only be imported from a trusted export. */
  readonly skippedRows: number
}

export async function importUntrusted(
  deps: UntrustedDeps,
  folder: string,
  options: UntrustedImportOptions,
): Promise<UntrustedImport> {
  const archive = await openArchive(folder)
  await checkVersion(deps.database, archive.manifest)
  const described = await readProject(archive)
  const site = await storeSite(archive, deps)
  return deps.database.transaction(async (query) => {
    const database = joinTransaction(deps.database, query)
    const organization = await ensureOwner(database, options)
    const project = await createUntrusted(database, { organization, described, slug: options.slug })
    const tenant = tenantOf(project)
    await query(bindingOf(tenant))
    const bound = joinTransaction(deps.database.forProject(tenant), query)
    if (site !== undefined) await deploySite({ ...deps, bound }, site)
    const conversations = await importConversations(archive, bound)
    const domains = await claimDomains(archive, bound, deps.ownNames)
    const { files, exportedAt } = archive.manifest
    const skippedRows = TRUSTED_TABLES.reduce((sum, table) => sum + (files[table]?.rows ?? 0), 0)
    await insertAudit(query, {
      actor: 'operator',
      action: 'project.import',
      object: project.public_id,
      after: { exportedAt, untrusted: true, conversations },
    })
    await query('select announce_project()')
    return {
      project,
      organization,
      hasSite: site !== undefined,
      conversations,
      domains,
      skippedRows,
    }
  })
}

const Described = z.object({
  name: displayName('Expected a name.'),
  slug: Slug,
  protection: z.string(),
  retention_days: z.coerce.number().int().min(1),
})
type Described = z.infer<typeof Described>

async function readProject(archive: Archive): Promise<Described> {
  const rows: Row[] = []
  for await (const row of readRows(archive, 'project')) if (rows.push(row) > 1) break
  const parsed = Described.safeParse(rows[0])
  if (parsed.success && rows.length === 1) return parsed.data
  const issue = parsed.error?.issues[0]
  throw new UnusableExport(
    `project: ${issue === undefined ? 'expected one row' : `${issue.path.join('.')}: ${issue.message}`}`,
  )
}

/**
 * Returns the organization, after creating it with this owner if it does not exist. An import never
 * adds an owner to an existing organization.
 */
async function ensureOwner(
  database: Database,
  { organization: name, owner: email }: UntrustedImportOptions,
): Promise<OrganizationRow> {
  const found = await findOrganization(database, name)
  if (found === undefined) {
    const made = await insertOrganization(database, name)
    const [local = email] = email.split('@')
    await ensureMember(database, { email, name: local, role: 'owner' }, made.id)
    return made
  }
  const [owner] = await database.query(
    `select from membership m join app_user u on u.id = m.user_id
      where m.organization_id = $1 and m.project_id is null and m.role = 'owner'
        and u.email = lower($2) and u.disabled_at is null`,
    [found.id, email],
  )
  if (owner === undefined)
    throw new UnusableExport(
      `The organization "${name}" already exists, and ${email} is not one of its owners. Pass one of its owners with --owner, or the name of a new organization.`,
    )
  return found
}

type NewProject = {
  readonly organization: OrganizationRow
  readonly described: Described
  readonly slug: string | undefined
}

async function createUntrusted(
  database: Database,
  { organization, described, slug = described.slug }: NewProject,
): Promise<ProjectRow> {
  const projects = new ProjectStore(database)
  if ((await projects.find(slug)) !== undefined)
    throw new UnusableExport(
      `The slug "${slug}" belongs or once belonged to another project of this cell. Choose another slug with --project.`,
    )
  const { name, protection, retention_days: days } = described
  const project = await projects.insert({ organizationId: organization.id, name, slug })
  // Readers' passwords and sign-in providers are not imported, so only members can read a private
  // site at first.
  await database.query(
    `update project set protection = $2, retention_days = least(retention_days, $3::bigint)
      where id = $1`,
    [project.id, protection === 'public' ? 'public' : 'members', days],
  )
  return project
}

async function importConversations(archive: Archive, bound: ProjectDatabase): Promise<number> {
  const { rows = 0 } = archive.manifest.files.conversation ?? {}
  if (rows > CONVERSATIONS_MAX)
    throw new UnusableExport(
      `The export has ${rows} conversations; an untrusted export can have at most ${CONVERSATIONS_MAX}.`,
    )
  const store = new ConversationStore(bound)
  let count = 0
  for await (const batch of readBatches(archive, 'conversation', CONVERSATIONS_AT_A_TIME)) {
    const { problem, backfilled } = await store.importBatch(batch.map(conversationOf))
    if (problem !== null) throw new UnusableExport(`conversation: ${problem}`)
    count += backfilled
  }
  return count
}

/** Validates a row of `conversation` like a conversation from the API. */
function conversationOf(row: Row): ReturnType<typeof parseConversation> {
  const place = `conversation ${row.id?.slice(0, 100)}`
  try {
    return parseConversation(
      {
        id: row.id,
        timestamp: row.recorded_at?.replace(' ', 'T'),
        query: row.query,
        response: row.response,
        sources: JSON.parse(row.sources ?? ''),
        resolutionStatus: row.resolution_status,
        queryCategory: row.query_category ?? undefined,
        threadId: row.thread_id ?? undefined,
        pageUrl: row.page_url ?? undefined,
      },
      place,
    )
  } catch (error) {
    throw new UnusableExport(error instanceof SyntaxError ? `${place}: sources` : String(error))
  }
}

/** Adds the domains as the project's owner would: each one needs a new DNS record. */
async function claimDomains(
  archive: Archive,
  bound: ProjectDatabase,
  ownNames: readonly string[],
): Promise<readonly string[]> {
  const store = new DomainStore(bound)
  const claimed: string[] = []
  for await (const { name, state } of readRows(archive, 'domain_claim')) {
    if (state === 'removed' || claimed.length === DOMAINS_MAX) continue
    const parsed = parseDomain(name ?? '', ownNames)
    if (parsed.kind === 'refused') continue
    const token = randomBytes(TOKEN_BYTES).toString('hex')
    if ((await store.claim(parsed.name, token)) === 'claimed') claimed.push(parsed.name)
  }
  return claimed
}
