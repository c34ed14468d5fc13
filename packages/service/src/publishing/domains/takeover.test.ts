/** Tries to take over domains of other projects, step by step and with real DNS. */

import type { Domain } from '@octavo/contract'
import { afterAll, describe, expect, test } from 'vitest'
import { callerOf } from '../../../testing/call-project.ts'
import { startDomainBench } from '../../../testing/domain-bench.ts'
import { createPerson } from '../../../testing/test-people.ts'
import type { TestProject } from '../../../testing/test-service.ts'
import { ensureMember } from '../../people/users/operator-store.ts'
import { OPERATOR } from '../../platform/audit/request-audit.ts'
import { ProjectLifecycleStore } from '../../projects/projects/lifecycle-store.ts'
import { ProjectStore, tenantOf } from '../../projects/projects/store.ts'

const bench = await startDomainBench([])
const { service, dns } = bench
const { owner } = service
afterAll(() => bench.stop())

/**
 * The title, the steps and the expected holder of the domain.
 * `a` and `b` are projects of two organizations, `c` is another project of `a`'s organization.
 * - `a add`, `a check`, `a remove`: API calls that must succeed; `a add?` must be rejected
 * - `a txt`, `a gone`: the DNS record of a claim is added or removed
 * - `wait 8`: eight days pass without a check
 * - `a archive`, `a delete`, `a to b`: a project is archived, deleted or transferred
 */
const CASES: readonly (readonly [title: string, steps: string, holder: string | undefined])[] = [
  ['a claim alone does not get the name', 'a add; a check', undefined],
  ['a claimant with a record gets the name', 'a add; a txt; a check', 'a'],
  ['a record alone does nothing before the check', 'a add; a txt', undefined],
  ['the record of another claimant is not a proof', 'a add; b add; b txt; a check', undefined],
  [
    'a second claimant without a record does not get the name',
    'a add; a txt; a check; b add; b check',
    'a',
  ],
  [
    'a second claimant with a record does not get the name while the holder has one',
    'a add; a txt; a check; b add; b txt; b check; a check',
    'a',
  ],
  [
    'a second claimant with a record gets the name if the holder has none',
    'a add; a txt; a check; b add; b txt; a gone; b check',
    'b',
  ],
  [
    'a former holder does not regain the name by a check',
    'a add; a txt; a check; b add; b txt; a gone; b check; a check',
    'b',
  ],
  [
    'a former holder does not regain the name while the new holder has a record',
    'a add; a txt; a check; b add; b txt; a gone; b check; a txt; a check',
    'b',
  ],
  [
    'a former holder with a record regains the name if the new holder has none',
    'a add; a txt; a check; b add; b txt; a gone; b check; a txt; b gone; a check',
    'a',
  ],
  ['a waiting claim does not block another claimant', 'a add; b add; b txt; b check', 'b'],
  [
    'the first of two claimants with records to check gets the name',
    'a add; a txt; b add; b txt; b check; a check',
    'b',
  ],
  [
    'a name is kept for 6 days without a record',
    'a add; a txt; a check; a gone; a check; wait 6; a check',
    'a',
  ],
  [
    'a name is lost after 8 days without a record',
    'a add; a txt; a check; a gone; a check; wait 8; a check',
    undefined,
  ],
  [
    'a name without a record is not served after 7 days, even without a check',
    'a add; a txt; a check; a gone; a check; wait 8',
    undefined,
  ],
  [
    'a dangling name cannot be taken over by a claim alone',
    'a add; a txt; a check; a gone; a check; wait 8; b add; b check',
    undefined,
  ],
  [
    'a record that returns within the grace period keeps the name',
    'a add; a txt; a check; a gone; a check; wait 6; a txt; a check; wait 3',
    'a',
  ],
  [
    'the grace period restarts each time',
    'a add; a txt; a check; a gone; a check; wait 6; a txt; a check; a gone; a check; wait 6; a check',
    'a',
  ],
  [
    'the same record restores the name during the quarantine',
    'a add; a txt; a check; a gone; a check; wait 8; a check; wait 20; a txt; a check',
    'a',
  ],
  [
    'another claimant with a record gets the name during the quarantine',
    'a add; a txt; a check; a gone; a check; wait 8; a check; b add; b txt; b check',
    'b',
  ],
  [
    'the old record is not a proof after the quarantine',
    'a add; a txt; a check; a remove; wait 31; a add; a check',
    undefined,
  ],
  ['a removed name is not served', 'a add; a txt; a check; a remove', undefined],
  [
    'a name that is removed and added again is proven by the old record',
    'a add; a txt; a check; a remove; a add; a check',
    'a',
  ],
  [
    'the old record of a removed name does not prove a foreign claim',
    'a add; a txt; a check; a remove; b add; b check',
    undefined,
  ],
  [
    'a removed name can be proven by another organization',
    'a add; a txt; a check; a remove; b add; b txt; b check',
    'b',
  ],
  [
    'a removed name that another organization has proven cannot be taken back',
    'a add; a txt; a check; a remove; b add; b txt; b check; a add; a check',
    'b',
  ],
  [
    'a removed name can move to another project of the organization by the same record',
    'a add; a txt; a check; a remove; c add; c check',
    'c',
  ],
  ['a project of the same organization cannot take the name', 'a add; a txt; a check; c add?', 'a'],
  [
    'the record of a claim that was never proven cannot be reused',
    'a add; a txt; a remove; c add; c check',
    undefined,
  ],
  ['a project cannot add the same name twice', 'a add; a add?', undefined],
  [
    'an archived project keeps the name without serving it',
    'a add; a txt; a check; a archive; b add; b txt; b check',
    undefined,
  ],
  [
    'a deleted project loses the name to a claimant with a record',
    'a add; a txt; a check; a delete; b add; b txt; b check',
    'b',
  ],
  ['a deleted project does not serve the name', 'a add; a txt; a check; a delete', undefined],
  [
    'a project that moves to another organization keeps the name',
    'a add; a txt; a check; a to b; a check',
    'a',
  ],
  [
    'the old organization needs a new record after a transfer',
    'a add; a txt; a check; a to b; c add; c check',
    'a',
  ],
  [
    'failing DNS counts as a missing record with the same grace period',
    'a add; a txt; a check; dns fails; a check; wait 6',
    'a',
  ],
  [
    'the holder stays the same while DNS fails',
    'a add; a txt; a check; b add; b txt; dns fails; b check',
    'a',
  ],
]

let count = 0
async function createPlayers() {
  count += 1
  const [a, b] = [
    await service.createProject(['project:write']),
    await service.createProject(['project:write']),
  ]
  const { organizationId } = a.tenant
  const row = await new ProjectStore(owner).insert({
    organizationId,
    name: 'C',
    slug: `c-${count}`,
  })
  const tenant = tenantOf(row)
  const token = await service.createKey({ tenant }, { scopes: ['project:write'] })
  const c: TestProject = { id: row.id, tenant, publicId: row.public_id, token }
  return { a, b, c }
}

type Players = Awaited<ReturnType<typeof createPlayers>>

async function play(players: Players, name: string, step: string): Promise<void> {
  const [who = '', verb = '', to = ''] = step.split(' ')
  if (who === 'wait') return passDays(Number(verb))
  if (who === 'dns') return dns.fail(true)
  const project = players[who as keyof Players]
  const call = callerOf(service.url, project)
  const record = `_octavo-challenge.${name}`
  const life = new ProjectLifecycleStore(service.owner.forProject(project.tenant))
  switch (verb) {
    case 'add':
    case 'add?': {
      const { status } = await call('POST', '/domains', { body: { name } })
      expect([step, status]).toEqual([step, verb === 'add' ? 201 : 409])
      return
    }
    case 'check':
      expect((await call('POST', `/domains/${name}/check`)).status).toBe(200)
      return
    case 'remove':
      expect((await call('DELETE', `/domains/${name}`)).status).toBe(204)
      return
    case 'txt':
    case 'gone': {
      const { body } = await call<Domain>('GET', `/domains/${name}`)
      const others = (txt.get(name) ?? []).filter((value) => value !== body.record.value)
      txt.set(name, verb === 'txt' ? [...others, body.record.value] : others)
      dns.set('TXT', record, txt.get(name) ?? [])
      return
    }
    case 'archive':
      expect(await life.archive(OPERATOR)).toBe(true)
      return
    case 'delete':
      expect(await life.removeAsOperator()).toHaveProperty('erasedAt')
      return
    case 'to': {
      const { tenant } = players[to as keyof Players]
      const person = await createPerson(service, { tenant }, 'owner')
      const { email } = person
      const role = { email, name: email, role: 'owner' } as const
      await ensureMember(owner, role, project.tenant.organizationId)
      const { organizationId } = tenant
      const target = {
        userId: person.id,
        organizationId,
        publicId: 'org',
        endConnection: undefined,
      }
      const from = { publicId: 'org', project: project.publicId }
      expect(await life.transfer(target, from, OPERATOR)).toBeUndefined()
      return
    }
    default:
      throw new Error(`unknown step: ${step}`)
  }
}

const txt = new Map<string, readonly string[]>()

async function passDays(days: number): Promise<void> {
  await owner.query(
    `update domain_claim set created_at = created_at - make_interval(days => $1),
            seen_at = seen_at - make_interval(days => $1), ended_at = ended_at - make_interval(days => $1),
            missing_since = missing_since - make_interval(days => $1)`,
    [days],
  )
}

async function findHolder(players: Players, name: string): Promise<string | undefined> {
  const [row] = await service.service.database.query<{ slug: string }>(
    'select slug from find_served_domains() where name = $1',
    [name],
  )
  if (row === undefined) return undefined
  const [project] = await owner.query<{ id: string }>('select id from project where slug = $1', [
    row.slug,
  ])
  return Object.entries(players).find(([, { id }]) => id === project?.id)?.[0]
}

describe('domain ownership', () => {
  test('at least 30 takeover cases are tested', () =>
    expect(CASES.length).toBeGreaterThanOrEqual(30))

  test.each(CASES)('%s', async (_, steps, holder) => {
    const players = await createPlayers()
    const name = `case-${count}.example.com`
    try {
      for (const step of steps.split('; ')) await play(players, name, step)
      expect(await findHolder(players, name)).toBe(holder)
    } finally {
      dns.fail(false)
    }
  })

  test('losing a domain is recorded in the audit log of its former organization', async () => {
    const players = await createPlayers()
    const name = 'audited.example.com'
    const steps = 'a add; a txt; a check; b add; b txt; a gone; b check'
    for (const step of steps.split('; ')) await play(players, name, step)
    const events = await owner.query(
      `select action, object from audit_event where project_id = $1 and action like 'domain.%' order by at`,
      [players.a.id],
    )
    expect(events).toEqual([
      { action: 'domain.add', object: name },
      { action: 'domain.active', object: name },
      { action: 'domain.lost', object: name },
    ])
    const { body } = await callerOf(service.url, players.a)<Domain>(
      'POST',
      `/domains/${name}/check`,
    )
    expect(body).toMatchObject({ state: 'lost', checks: { claimed: { state: 'problem' } } })
    expect(body.checks.claimed.hint).toContain('Another organization proved')
  })

  test('only one of two concurrent proofs gets the domain', async () => {
    const players = await createPlayers()
    const name = 'race.example.com'
    for (const step of ['a add', 'a txt', 'b add', 'b txt']) await play(players, name, step)
    await Promise.all([play(players, name, 'a check'), play(players, name, 'b check')])
    const rows = await owner.query(
      `select from domain_claim where name = $1 and state = 'active'`,
      [name],
    )
    expect(rows).toHaveLength(1)
  })

  test('a claim does not reveal that another project has claimed the domain', async () => {
    const players = await createPlayers()
    const name = 'quiet.example.com'
    for (const step of ['a add', 'a txt', 'a check']) await play(players, name, step)
    const call = callerOf(service.url, players.b)
    const { status, body } = await call<Domain>('POST', '/domains', { body: { name } })
    expect(status).toBe(201)
    expect(JSON.stringify(body)).not.toContain(players.a.publicId)
    expect(body).toMatchObject({ state: 'waiting' })
  })
})
