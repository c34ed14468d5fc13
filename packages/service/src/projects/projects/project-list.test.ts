import type { ProjectList } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addProjects } from '../../../testing/many-projects.ts'
import { createTestBuilds } from '../../../testing/test-builds.ts'
import { createPerson, type TestPerson } from '../../../testing/test-people.ts'
import {
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'

let service: TestService
let own: TestProject
let foreign: TestProject
let owner: TestPerson

beforeAll(async () => {
  service = await startTestService({ sitesDomain: 'sites.localhost', url: 'http://127.0.0.1:8080' })
  own = await service.createProject()
  foreign = await service.createProject()
  await addProjects(service, own, 99)
  owner = await createPerson(service, own, 'owner')
})
afterAll(() => service.stop())

async function list(search = '', person: TestPerson | undefined = owner) {
  const response = await fetch(`${service.url}/v1/projects${search}`, {
    headers: person === undefined ? {} : { authorization: `Bearer ${person.token}` },
  })
  return { status: response.status, body: (await response.json()) as ProjectList }
}

const statesOf = ({ projects }: ProjectList) => projects.map(({ state }) => state)

/** Reads all pages of a list. */
async function allOf(search: string) {
  const projects: ProjectList['projects'] = []
  const firsts: number[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from: string = cursor === '' ? '' : `&cursor=${cursor}`
    const { body } = await list(`?${search}${from}`)
    projects.push(...body.projects)
    firsts.push(body.first)
    cursor = body.nextCursor
  }
  return { projects, firsts }
}

describe('the list of projects', () => {
  test('a page of the project list has 20 projects, and those that need attention come first', async () => {
    const { body } = await list()
    expect(body).toMatchObject({ total: 100, first: 1 })
    expect(body.projects).toHaveLength(20)
    expect(statesOf(body).slice(0, 16)).toEqual([
      ...Array.from({ length: 5 }, () => 'failed'),
      ...Array.from({ length: 5 }, () => 'building'),
      ...Array.from({ length: 5 }, () => 'locked'),
      'live',
    ])
    expect(body.counts).toEqual({
      all: 100,
      openGaps: 66,
      failed: 5,
      suspended: 0,
      building: 5,
      locked: 5,
      offline: 0,
      live: 69,
      never: 11,
      archived: 5,
    })
  })

  test('a failed build is listed with the deployment that is still live', async () => {
    const { body } = await list('?state=failed')
    expect(body.total).toBe(5)
    expect(body.projects[0]).toEqual({
      id: 'prj_0000000000000001',
      name: 'Project 001',
      slug: 'many-1',
      url: 'http://many-1.sites.localhost:8080',
      organization: { id: expect.stringMatching(/^org_/), name: 'Test' },
      role: 'owner',
      access: 'public',
      state: 'failed',
      building: false,
      live: {
        id: expect.any(String),
        number: 1,
        message: 'Deploy 1',
        author: 'Mei Tanaka',
        publishedAt: expect.any(String),
      },
      failedBuild: {
        id: expect.any(String),
        number: 2,
        branch: 'main',
        message: 'Commit 2',
        author: 'Mei Tanaka',
        errors: 2,
        finishedAt: expect.any(String),
      },
      openGaps: 1,
    })
  })

  test.each(['attention', 'name', 'deployed', 'gaps'])(
    'in the order %s, the pages of the project list contain each project once',
    async (sort) => {
      const { projects, firsts } = await allOf(`sort=${sort}`)
      expect(new Set(projects.map(({ id }) => id)).size).toBe(100)
      expect(projects).toHaveLength(100)
      expect(firsts).toEqual([1, 21, 41, 61, 81])
    },
  )

  test('the project list can be ordered by name, last deployment or open gaps', async () => {
    const { projects: named } = await allOf('sort=name&limit=50')
    const names = named.map(({ name }) => name)
    expect(names).toEqual(names.toSorted())
    const { body: deployed } = await list('?sort=deployed')
    expect(deployed.projects.slice(0, 3).map(({ name }) => name)).toEqual([
      'Project 001',
      'Project 002',
      'Project 003',
    ])
    const { body: gaps } = await list('?sort=gaps&limit=100')
    const counts = gaps.projects.map(({ openGaps }) => openGaps)
    expect(counts).toEqual(counts.toSorted((a, b) => b - a))
  })

  test('the project list can be filtered by text, access, gaps and organization', async () => {
    const totalOf = async (search: string) => (await list(search)).body.total
    expect(await totalOf('?q=PROJECT+04')).toBe(10)
    expect(await totalOf('?q=many-7')).toBe(11)
    expect(await totalOf('?q=%25')).toBe(0)
    expect(await totalOf('?access=members')).toBe(9)
    expect(await totalOf('?gaps=open')).toBe(66)
    expect(await totalOf('?gaps=open&state=failed&access=public')).toBe(3)
    const { body } = await list('?limit=1')
    expect(await totalOf(`?organization=${body.projects[0]?.organization.id}`)).toBe(100)
    expect(await totalOf('?organization=org_other')).toBe(0)
  })

  test.each(['cursor=x', 'cursor=WzEsMl0', 'sort=size', 'state=open', 'gaps=all', 'q=%00'])(
    'the project list rejects the query %s',
    async (search) => {
      expect((await list(`?${search}`)).status).toBe(400)
    },
  )
})

describe('who sees which projects', () => {
  test('a person sees no project of another organization', async () => {
    const outsider = await createPerson(service, foreign, 'owner')
    const { body } = await list('?limit=100', outsider)
    expect(body.projects.map(({ id }) => id)).toEqual([foreign.publicId])
    expect(body.counts.all).toBe(1)
  })

  test('a person with a role in one project sees only that project', async () => {
    const guest = await createPerson(service, own, 'viewer', 'project')
    const { body } = await list('', guest)
    expect(body.projects).toMatchObject([{ id: own.publicId, role: 'viewer', state: 'never' }])
  })

  test('the project list needs a signed-in person', async () => {
    expect((await fetch(`${service.url}/v1/projects`)).status).toBe(401)
    const key = { authorization: `Bearer ${own.token}` }
    expect((await fetch(`${service.url}/v1/projects`, { headers: key })).status).toBe(403)
  })
})

describe('the state of a project after a failed build', () => {
  async function newProject() {
    const project = await service.createProject()
    const person = await createPerson(service, project, 'owner')
    const builds = createTestBuilds(service, project, [])
    const finished_at = new Date()
    const state = async () => (await list('', person)).body.projects[0]?.state
    return {
      project,
      state,
      connect: () => builds.connect({ provider: 'git', url: 'https://git.example/x' }),
      add: (build: Parameters<typeof builds.add>[0]) => builds.add({ finished_at, ...build }),
    }
  }

  test('a failed build sets the state `failed` until a newer build of the live branch succeeds', async () => {
    const { connect, add, state } = await newProject()
    await connect()
    await add({ state: 'failed' })
    expect(await state()).toBe('failed')
    await add({ state: 'finished', target: 'preview', ref: 'next' })
    await add({ state: 'cancelled' })
    await add({ state: 'superseded' })
    expect(await state()).toBe('failed')
    await add({ state: 'queued' })
    expect(await state()).toBe('failed')
    await add({ state: 'finished' })
    expect(await state()).toBe('building')
  })

  test('a project whose only deployments are drafts is offline', async () => {
    const { state, project } = await newProject()
    await service.owner.query(
      `insert into deployment (project_id, id, number, root, created_by, state, is_draft)
       values ($1, 'D', 1, $2, 'test', 'ready', true)`,
      [project.id, Buffer.alloc(32)],
    )
    expect(await state()).toBe('offline')
  })

  test('a failed preview build does not change the state of the project to `failed`', async () => {
    const { connect, add, state } = await newProject()
    await connect()
    await add({ state: 'failed', target: 'preview', ref: 'next' })
    expect(await state()).toBe('never')
  })

  test('a failed build does not affect the state of the project after the repository was disconnected', async () => {
    const { add, state } = await newProject()
    await add({ state: 'failed' })
    expect(await state()).toBe('never')
  })

  test('a failed build does not affect the state of the project if a newer deployment is live', async () => {
    const { connect, add, state, project } = await newProject()
    await connect()
    await add({ state: 'failed' })
    await service.owner.query(
      `insert into deployment (project_id, id, number, root, created_by, state, published_at)
       values ($1, 'D', 1000000, $2, 'test', 'ready', now())`,
      [project.id, Buffer.alloc(32)],
    )
    await service.owner.query(
      `insert into publication (project_id, deployment_id) values ($1, 'D')`,
      [project.id],
    )
    expect(await state()).toBe('live')
  })
})

test('a page of 100 projects needs one query besides the query for the session', async () => {
  const { pool } = service.service.database
  let taken = 0
  const count = () => {
    taken += 1
  }
  pool.on('acquire', count)
  const counts: number[] = []
  // The service also runs its own queries, so the minimum of three visits counts.
  for (const _ of [1, 2, 3]) {
    taken = 0
    await list()
    counts.push(taken)
  }
  pool.off('acquire', count)
  expect(Math.min(...counts)).toBe(2)
})
