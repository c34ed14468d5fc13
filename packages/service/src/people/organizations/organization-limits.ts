/** Limits on what members of an organization can create. Operators are not limited. */
import type { Query } from '../../platform/database/database.ts'
import { Problem } from '../../platform/problem.ts'

export const ORGANIZATION_LIMITS = {
  /** Includes deleted projects that can be restored, since they keep their slugs. */
  projects: 500,
  projectsPerHour: 50,
  /** Open invitations. */
  invitations: 200,
  invitationsPerHour: 100,
  /** Invitations to the same address are limited because each one sends an e-mail. */
  invitationsPerHourOfAddress: 10,
} as const

type Used = { readonly all: number; readonly hour: number; readonly secondsLeft: number }

/**
 * Throws if the organization has reached a limit for projects. Locks the organization, so that
 * projects that are created at the same time are counted.
 */
export async function requireProjectQuota(query: Query): Promise<void> {
  await lockOrganization(query)
  const [used] = await query<Used>(
    `select count(*)::integer as "all",
            (count(*) filter (where created_at > now() - interval '1 hour'))::integer as hour,
            ${secondsLeft('created_at')} as "secondsLeft"
       from project where organization_id = current_organization()`,
  )
  const { projects, projectsPerHour } = ORGANIZATION_LIMITS
  if (used === undefined) throw new Error('the projects were not counted')
  if (used.all >= projects) throw tooManyProjects()
  if (used.hour >= projectsPerHour) throw tooFast(`${projectsPerHour} new projects`, used)
}

export function tooManyProjects(): Problem {
  return new Problem(
    'conflict',
    `An organization can have ${ORGANIZATION_LIMITS.projects} projects. Deleted ones count for 7 days.`,
  )
}

/**
 * Throws if the organization has reached a limit for invitations. The limits per hour also count
 * withdrawn invitations.
 */
export async function requireInvitationQuota(query: Query, email: string): Promise<void> {
  await lockOrganization(query)
  const [used] = await query<Used & { readonly address: number }>(
    `select (select count(*)::integer from invitation
              where organization_id = current_organization() and expires_at > now()) as "all",
            count(*)::integer as hour, (count(*) filter (where object = $1))::integer as address,
            ${secondsLeft('at')} as "secondsLeft"
       from audit_event
      where organization_id = current_organization() and at > now() - interval '1 hour'
        and action = 'member.invite'`,
    [email],
  )
  const { invitations, invitationsPerHour, invitationsPerHourOfAddress } = ORGANIZATION_LIMITS
  if (used === undefined) throw new Error('the invitations were not counted')
  if (used.all >= invitations)
    throw new Problem(
      'conflict',
      `An organization can have ${invitations} open invitations. Withdraw some of them, or wait until they expire.`,
    )
  if (used.hour >= invitationsPerHour) throw tooFast(`${invitationsPerHour} invitations`, used)
  if (used.address >= invitationsPerHourOfAddress)
    throw tooFast(`${invitationsPerHourOfAddress} invitations to one address`, used)
}

/** Blocks other changes to the organization until the transaction ends. */
export const lockOrganization = (query: Query) =>
  query('select from organization where id = current_organization() for no key update')

/** Returns SQL for the seconds until the oldest row of the last hour no longer counts. */
const secondsLeft = (column: 'created_at' | 'at') =>
  `coalesce(ceil(extract(epoch from min(${column}) filter (where ${column} > now() - interval '1 hour')
     + interval '1 hour' - now())), 0)::integer`

function tooFast(what: string, used: Used): Problem {
  return new Problem(
    'rate-limited',
    `An organization can make ${what} per hour. Try again later.`,
    { headers: { 'retry-after': String(Math.max(1, used.secondsLeft)) } },
  )
}
