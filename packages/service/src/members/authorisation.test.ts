/**
 * Every route × every role × own and foreign organisation and project, generated from the routes
 * themselves: what is let in is exactly the table of roles (docs/dashboard/members.mdx prints it).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasScope, SCOPES } from '../api-keys/caller.ts'
import type { Route } from '../http/route.ts'
import { createPerson, type TestPerson } from '../testing/test-people.ts'
import { startTestService, type TestProject } from '../testing/test-service.ts'
import { mayGrant, ROLE_SCOPES, ROLES, type Role } from './roles.ts'

const service = await startTestService({ url: 'http://localhost:8080' })
let own: TestProject
let foreign: TestProject
const people = new Map<string, TestPerson>()
beforeAll(async () => {
  own = await service.createProject()
  foreign = await service.createProject()
  for (const role of ROLES)
    for (const place of ['organisation', 'project'] as const)
      people.set(`${role} ${place}`, await createPerson(service, own, role, place))
})
afterAll(() => service.stop())

const personOf = (role: Role, place: 'organisation' | 'project') => {
  const person = people.get(`${role} ${place}`)
  if (person === undefined) throw new Error('no such person')
  return person
}

async function organisationOf({ tenant }: TestProject): Promise<string> {
  const [row] = await service.owner.query<{ public_id: string }>(
    'select public_id from organisation where id = $1',
    [tenant.organisationId],
  )
  return row?.public_id ?? ''
}

/** With a path that is right but for ids of things, and a body that is wrong: the role comes first. */
async function send(route: Route, project: TestProject, token: string | undefined) {
  const organisation = await organisationOf(project)
  const path = route.path.replaceAll(/:(\w+)/g, (_, kind: string) => {
    if (kind === 'projectId') return project.publicId
    return kind === 'organisationId' ? organisation : '01ARZ3NDEKTSV4RRFFQ69G5FAV'
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
  .filter(({ caller, path }) => 'scope' in caller && /:(?:projectId|organisationId)\b/.test(path))
  .map((route) => [`${route.method} ${route.path}`, route] as const)

test('there are routes, and each names a scope', () => {
  expect(routes.length).toBeGreaterThan(30)
})

describe.each(routes)('%s', (_, route) => {
  if (!('scope' in route.caller)) throw new Error('a route without a scope')
  const { scope, kind } = route.caller
  const places =
    kind === 'organisation' ? (['organisation'] as const) : (['organisation', 'project'] as const)

  test.each(ROLES)('as %s', async (role) => {
    for (const place of places) {
      const person = personOf(role, place)
      const reply = await send(route, own, person.token)
      const text = await reply.text()
      const refusal = `The role \`${role}\` does not have the scope \`${scope}\`.`
      if (hasScope(ROLE_SCOPES[role], scope)) {
        expect(reply.status).not.toBe(401)
        expect(text).not.toContain('does not have the scope')
      } else {
        expect(reply.status).toBe(403)
        expect(JSON.parse(text)).toMatchObject({ detail: refusal })
      }
      expect((await send(route, foreign, person.token)).status).toBe(404)
    }
  })

  test('nobody without a session, and no session of a browser in a header', async () => {
    expect((await send(route, own, undefined)).status).toBe(401)
    const browser = personOf('owner', 'organisation').cookie.replace(/^[^=]+=/, '')
    expect((await send(route, own, browser)).status).toBe(401)
  })

  if (kind === 'organisation')
    test('a role in one project is none in the organisation', async () => {
      expect((await send(route, own, personOf('owner', 'project').token)).status).toBe(404)
    })
})

test('nobody gives more than they have', () => {
  expect(mayGrant('owner', 'owner')).toBe(true)
  expect(mayGrant('admin', 'admin')).toBe(true)
  expect(mayGrant('admin', 'owner')).toBe(false)
  expect(mayGrant('editor', 'viewer')).toBe(false)
})

test('the docs print the table of roles', () => {
  const page = readFileSync(
    join(import.meta.dirname, '../../../../docs/dashboard/members.mdx'),
    'utf8',
  )
  const rows = page.matchAll(/^\| [^|]+ \| `([\w:]+)` \|(.+)\|$/gm)
  const printed = new Map(
    [...rows].map(([, scope, cells]) => [scope, cells?.split('|').map((cell) => cell.trim())]),
  )
  expect([...printed.keys()].toSorted()).toEqual(SCOPES.toSorted())
  for (const scope of SCOPES)
    expect(printed.get(scope), scope).toEqual(
      ROLES.map((role) => (ROLE_SCOPES[role].includes(scope) ? 'yes' : 'no')),
    )
})
