/**
 * Calls every route with every role, both in the caller's own organization and project and in
 * foreign ones. Access must exactly match the table of roles, which is also in
 * docs/dashboard/members.mdx.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  hasScope,
  mayGrant,
  ROLE_SCOPES,
  ROLES,
  type Role,
  SCOPES,
  scopesInProject,
} from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPerson, type TestPerson } from '../../../testing/test-people.ts'
import { startTestService, type TestProject } from '../../../testing/test-service.ts'
import type { Route } from '../../platform/http/route.ts'

const service = await startTestService({ url: 'http://localhost:8080' })
let own: TestProject
let foreign: TestProject
const people = new Map<string, TestPerson>()
beforeAll(async () => {
  own = await service.createProject()
  foreign = await service.createProject()
  for (const role of ROLES)
    for (const place of ['organization', 'project'] as const)
      people.set(`${role} ${place}`, await createPerson(service, own, role, place))
})
afterAll(() => service.stop())

const personOf = (role: Role, place: 'organization' | 'project') => {
  const person = people.get(`${role} ${place}`)
  if (person === undefined) throw new Error('no such person')
  return person
}

async function organizationOf({ tenant }: TestProject): Promise<string> {
  const [row] = await service.owner.query<{ public_id: string }>(
    'select public_id from organization where id = $1',
    [tenant.organizationId],
  )
  return row?.public_id ?? ''
}

/**
 * Sends a request with a valid path, nonexistent object ids and an invalid body, since the role
 * must be checked before all of these.
 */
async function send(route: Route, project: TestProject, token: string | undefined) {
  const organization = await organizationOf(project)
  const path = route.path.replaceAll(/:(\w+)/g, (_, kind: string) => {
    if (kind === 'projectId') return project.publicId
    return kind === 'organizationId' ? organization : '01ARZ3NDEKTSV4RRFFQ69G5FAV'
  })
  return fetch(service.url + path, {
    method: route.method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(route.method !== 'GET' && { 'content-type': 'application/json' }),
    },
    ...(route.method !== 'GET' && route.method !== 'DELETE' && { body: '"wrong"' }),
  })
}

const routes = service.service.routes
  .filter(({ caller, path }) => 'scope' in caller && /:(?:projectId|organizationId)\b/.test(path))
  .map((route) => [`${route.method} ${route.path}`, route] as const)

test('there are more than 30 routes with a scope', () => {
  expect(routes.length).toBeGreaterThan(30)
})

describe.each(routes)('%s', (_, route) => {
  if (!('scope' in route.caller)) throw new Error('a route without a scope')
  const { scope, kind } = route.caller
  const places =
    kind === 'organization' ? (['organization'] as const) : (['organization', 'project'] as const)

  test.each(ROLES)('the role %s has access if and only if it has the scope', async (role) => {
    for (const place of places) {
      const person = personOf(role, place)
      const reply = await send(route, own, person.token)
      const text = await reply.text()
      const refusal = hasScope(ROLE_SCOPES[role], scope)
        ? `You have the role \`${role}\` only in this project. The scope \`${scope}\` requires that role in the organization: ask one of its owners.`
        : `The role \`${role}\` does not have the scope \`${scope}\`.`
      if (hasScope(scopesInProject(role, place === 'organization' ? role : null), scope)) {
        expect(reply.status).not.toBe(401)
        expect(text).not.toContain('the scope')
      } else {
        expect(reply.status).toBe(403)
        expect(JSON.parse(text)).toMatchObject({ detail: refusal })
      }
      expect((await send(route, foreign, person.token)).status).toBe(404)
    }
  })

  test('a request without a session, or with a browser session as bearer token, gets 401', async () => {
    expect((await send(route, own, undefined)).status).toBe(401)
    const browser = personOf('owner', 'organization').cookie.replace(/^[^=]+=/, '')
    expect((await send(route, own, browser)).status).toBe(401)
  })

  if (kind === 'organization')
    test('a person with only a project role gets 404 from routes of the organization', async () => {
      expect((await send(route, own, personOf('owner', 'project').token)).status).toBe(404)
    })
})

test('only owners of the organization can delete or transfer a project', () => {
  expect(scopesInProject('owner', 'owner')).toContain('project:delete')
  for (const organizationRole of [null, 'viewer', 'admin'] as const)
    expect(scopesInProject('owner', organizationRole)).toEqual(ROLE_SCOPES.admin)
})

test('a role cannot grant a higher role than its own', () => {
  expect(mayGrant('owner', 'owner')).toBe(true)
  expect(mayGrant('admin', 'admin')).toBe(true)
  expect(mayGrant('admin', 'owner')).toBe(false)
  expect(mayGrant('editor', 'viewer')).toBe(false)
})

test('the documentation contains the table of roles', () => {
  const page = readFileSync(
    join(import.meta.dirname, '../../../../../docs/dashboard/members.mdx'),
    'utf8',
  )
  const rows = page.matchAll(/^\| [^|]+ \| `([\w:]+)` \|(.+)\|$/gm)
  const printed = new Map(
    [...rows].map(([, scope, cells]) => [scope, cells?.split('|').map((cell) => cell.trim())]),
  )
  expect([...printed.keys()].toSorted()).toEqual(SCOPES.toSorted())
  const columns = [
    ROLE_SCOPES.owner,
    scopesInProject('owner', null),
    ...ROLES.filter((role) => role !== 'owner').map((role) => ROLE_SCOPES[role]),
  ]
  for (const scope of SCOPES)
    expect(printed.get(scope), scope).toEqual(
      columns.map((scopes) => (scopes.includes(scope) ? 'yes' : 'no')),
    )
})
