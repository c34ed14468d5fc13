/** Checks real repositories, and tests that pushes, deletions and pull requests become builds. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ConnectedProject,
  connectProject,
  octavo,
  SECRET_KEYS,
} from '../../../testing/test-connection.ts'
import {
  createTestRepository,
  localGit,
  type TestRepository,
} from '../../../testing/test-repository.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import type { Tenant } from '../../platform/database/database.ts'
import type { Git, GitFailure } from '../../platform/git/git.ts'
import { createLog } from '../../platform/telemetry/log.ts'
import type { NewBuild } from '../builds/build.ts'
import { BuildStore } from '../builds/store.ts'
import { PreviewStore } from '../deployments/preview-store.ts'
import { DeploymentStore } from '../deployments/store.ts'
import type { Provider, ProviderFailure, PullRequest } from '../providers/provider.ts'
import { type CheckDeps, checkRepository, queueDueChecks } from './check-repository.ts'
import { REF_LIMITS } from './compare-refs.ts'
import { insertDelivery } from './store.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ secretKeys: SECRET_KEYS })
})
afterAll(() => service.stop())

type Accepted = NewBuild & { readonly projectId: string }
type Pulls = readonly PullRequest[] | ProviderFailure | undefined

/**
 * Creates a project with its own repository. `state.pulls` is what the API of its Git host returns.
 */
async function newProject(options: readonly string[] = []) {
  const repository = createTestRepository()
  const project = await connectProject(service, [
    ...['--url', 'https://git.example.com/o/n', '--provider', 'github'],
    ...options,
  ])
  const accepted: Accepted[] = []
  const cancelled: string[] = []
  const state = { pulls: undefined as Pulls, failure: undefined as GitFailure | undefined }
  const git: Pick<Git, 'listRefs'> = {
    listRefs: async () => state.failure ?? localGit.listRefs(repository.folder),
  }
  const deps: CheckDeps = {
    database: service.service.database,
    secretKeys: SECRET_KEYS,
    git,
    acceptBuild: async (query, { projectId }, build) => {
      // Fails outside of the check's transaction, in which a build has to be accepted.
      await query('select current_project()')
      accepted.push({ ...build, projectId })
    },
    cancelBuilds: async (_, __, refs) => {
      cancelled.push(...refs)
    },
    providerOf: async () =>
      state.pulls === undefined
        ? undefined
        : ({ openPullRequests: async () => state.pulls } as Partial<Provider> as Provider),
    servesPreviews: true,
    log: createLog((line) => service.log.push(line), Date.now),
  }
  async function check(change: Partial<CheckDeps> = {}): Promise<readonly string[]> {
    accepted.length = 0
    await checkRepository({ ...deps, ...change }, project.tenant, new AbortController().signal)
    return accepted.map(printBuild)
  }
  return { ...project, repository, accepted, cancelled, state, check, deps }
}

/** Prints a build on one line, such as `production main` or `preview pull/3 #3 fork`. */
const printBuild = ({ target, ref, pullRequest, isFork, trigger }: NewBuild) =>
  [target, ref, pullRequest === undefined ? '' : `#${pullRequest}`, isFork ? 'fork' : '', trigger]
    .filter((part) => part !== '' && part !== 'check')
    .join(' ')

const refsOf = async ({ id }: ConnectedProject) =>
  Object.fromEntries(
    (
      await service.owner.query<{ name: string; commit_sha: string; built_sha: string | null }>(
        'select name, commit_sha, built_sha from git_ref where project_id = $1 order by name',
        [id],
      )
    ).map(({ name, commit_sha, built_sha }) => [name, { commit_sha, built_sha }]),
  )

const connectionOf = async ({ id }: ConnectedProject) => {
  const [row] = await service.owner.query<Record<string, unknown>>(
    `select *, extract(epoch from next_check_at - now())::float as "secondsToNext"
       from connection where project_id = $1`,
    [id],
  )
  return row ?? {}
}

const pull = (number: number, change: Partial<PullRequest>): PullRequest => ({
  number,
  url: `https://github.com/o/n/pull/${number}`,
  headCommit: String(number % 10).repeat(40),
  headBranch: 'topic',
  baseBranch: 'main',
  isFork: false,
  ...change,
})

/** Publishes a preview of a branch, as a build does. */
async function publishPreview(tenant: Tenant, branch: string): Promise<void> {
  const bound = service.service.database.forProject(tenant)
  const deployments = new DeploymentStore(bound)
  const { id } = await deployments.insert({
    root: Buffer.alloc(32),
    target: 'preview',
    isDraft: false,
    branch,
    message: null,
    commit: null,
    by: 'test',
    idempotencyKey: null,
  })
  await deployments.end(id, 'ready')
  await new PreviewStore(bound).publish(id, `p-${branch.replaceAll('/', '-')}-${tenant.projectId}`)
}
const previewsOf = async ({ tenant }: ConnectedProject) =>
  (await new PreviewStore(service.service.database.forProject(tenant)).list()).map(
    ({ branch }) => branch,
  )

function prepared(repository: TestRepository, ...branches: readonly string[]): void {
  for (const branch of branches) repository.commit(branch)
}

describe('the first check', () => {
  test('the first check builds the production branch and records other branches as seen', async () => {
    const project = await newProject()
    prepared(project.repository, 'main', 'old-1', 'old-2')
    expect(await project.check()).toEqual(['production main'])
    const refs = await refsOf(project)
    expect(Object.keys(refs)).toEqual(['main', 'old-1', 'old-2'])
    expect(refs.main?.built_sha).toBeNull()
    expect(refs['old-1']?.built_sha).toBe(refs['old-1']?.commit_sha)
    expect(await project.check()).toEqual([])
    project.repository.commit('old-1')
    expect(await project.check()).toEqual(['preview old-1'])
  })

  test('the first check builds the newest open pull requests', async () => {
    const project = await newProject()
    prepared(project.repository, 'main', 'topic')
    project.state.pulls = [
      pull(1, { headBranch: 'topic' }),
      ...Array.from({ length: 30 }, (_, index) => pull(index + 2, { isFork: true })),
    ]
    const builds = await project.check()
    expect(builds).toHaveLength(1 + REF_LIMITS.firstPullsMax)
    expect(builds).toContain('preview pull/31 #31 fork')
    expect(builds).not.toContain('preview pull/2 #2 fork')
    expect(await project.check()).toEqual([])
  })

  test('pull requests that cannot be listed in the first check are built later', async () => {
    const project = await newProject()
    prepared(project.repository, 'main', 'topic')
    project.state.pulls = {
      kind: 'failed',
      message: 'The API answered with status 500.',
      retryAfterSeconds: 1,
    }
    expect(await project.check()).toEqual(['production main'])
    expect((await connectionOf(project)).check_error).toBe(
      'Pull requests could not be listed: The API answered with status 500.',
    )
    project.state.pulls = Array.from({ length: 30 }, (_, n) => pull(n + 1, { isFork: true }))
    expect(await project.check()).toHaveLength(REF_LIMITS.firstPullsMax)
    expect((await connectionOf(project)).check_error).toBeNull()
  })
})

describe('changes since the last check', () => {
  test('a check builds new commits, force-pushed branches and new branches', async () => {
    const project = await newProject()
    const { repository } = project
    const first = repository.commit('main')
    await project.check()
    const second = repository.commit('main')
    expect(await project.check()).toEqual(['production main'])
    expect(project.accepted).toMatchObject([{ commit: second }])
    repository.reset('main', first)
    expect(await project.check()).toEqual(['production main'])
    expect(project.accepted).toMatchObject([{ commit: first }])
    repository.commit('topic/new')
    expect(await project.check()).toEqual(['preview topic/new'])
    expect(await project.check()).toEqual([])
  })

  test('deleting a branch ends its preview and cancels its builds', async () => {
    const project = await newProject()
    prepared(project.repository, 'main', 'topic', 'other')
    await project.check()
    await publishPreview(project.tenant, 'topic')
    await publishPreview(project.tenant, 'other')
    project.repository.remove('topic')
    expect(await project.check()).toEqual([])
    expect(Object.keys(await refsOf(project))).toEqual(['main', 'other'])
    expect(await previewsOf(project)).toEqual(['other'])
    expect(project.cancelled).toEqual(['topic'])
  })

  test('a renamed default branch is published', async () => {
    const project = await newProject()
    const { repository } = project
    prepared(repository, 'main')
    await project.check()
    repository.rename('main', 'trunk')
    repository.setDefault('trunk')
    expect(await project.check()).toEqual(['production trunk'])
    expect(Object.keys(await refsOf(project))).toEqual(['trunk'])
  })

  test('a preview branch that becomes the default branch is published', async () => {
    const project = await newProject()
    const { repository } = project
    prepared(repository, 'main', 'next')
    await project.check()
    await publishPreview(project.tenant, 'next')
    repository.setDefault('next')
    expect(await project.check()).toEqual(['production next'])
    expect(await previewsOf(project)).toEqual([])
    expect(await project.check()).toEqual([])
    repository.commit('main')
    expect(await project.check()).toEqual(['preview main'])
  })

  test('the branch that the owner chose is published instead of the default branch', async () => {
    const project = await newProject(['--branch', 'docs'])
    const { repository } = project
    prepared(repository, 'main')
    expect(await project.check()).toEqual([])
    expect((await connectionOf(project)).check_error).toMatch('The branch "docs" does not exist')
    prepared(repository, 'docs')
    expect(await project.check()).toEqual(['production docs'])
    expect((await connectionOf(project)).check_error).toBeNull()
  })

  test('many new branches are built over several checks that follow each other immediately', async () => {
    const project = await newProject()
    prepared(project.repository, 'main')
    await project.check()
    project.repository.branchMany('main', 120)
    expect(await project.check()).toHaveLength(REF_LIMITS.buildsPerCheck)
    expect((await connectionOf(project)).secondsToNext).toBeLessThanOrEqual(0)
    expect(await project.check()).toHaveLength(REF_LIMITS.buildsPerCheck)
    expect(await project.check()).toHaveLength(120 - 2 * REF_LIMITS.buildsPerCheck)
    expect(await project.check()).toEqual([])
  })
})

describe('access to previews', () => {
  test("preview access follows the repository's visibility unless the owner has decided", async () => {
    const { id, repository, check } = await newProject()
    repository.commit('main')
    const protection = async () => {
      const [row] = await service.owner.query<{ is: string }>(
        'select preview_protection(p) as is from project p where id = $1',
        [id],
      )
      return row?.is
    }
    await check()
    const before = await protection()
    await check({ isPrivate: () => true })
    expect(await protection()).toBe('members')
    // The Git host did not report the visibility, so the access stays as it is.
    await check({ isPrivate: () => undefined })
    expect(await protection()).toBe('members')
    await check({ isPrivate: () => false })
    expect(await protection()).toBe('public')
    await service.owner.query(
      `insert into site_access (project_id, previews) values ($1, 'members')`,
      [id],
    )
    expect(await protection()).toBe('members')
    expect(before).toBe('public')
  })
})

describe('commits whose builds were interrupted too often', () => {
  const ATTEMPTS = 4

  async function giveUp({ tenant, accepted }: Awaited<ReturnType<typeof newProject>>) {
    const bound = service.service.database.forProject(tenant)
    const builds = new BuildStore(bound, async () => {})
    const [newBuild] = accepted
    if (newBuild === undefined) throw new Error('nothing was accepted')
    const { id } = await bound.transaction((query) => builds.accept(query, newBuild))
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) await builds.take()
    expect((await builds.find(id))?.state).toBe('failed')
  }
  const wait = ({ id }: ConnectedProject, minutes: number) =>
    service.owner.query(
      `update build set finished_at = finished_at - $2 * interval '1 minute' where project_id = $1`,
      [id, minutes],
    )

  test('a commit whose builds were interrupted is retried a few times with growing delays', async () => {
    const project = await newProject()
    prepared(project.repository, 'main')
    await project.check()
    await giveUp(project)
    expect(await project.check()).toEqual(['production main'])
    for (const minutes of [10, 20, 30, 40]) {
      await giveUp(project)
      await wait(project, minutes - 1)
      expect(await project.check()).toEqual([])
      await wait(project, 1)
      expect(await project.check()).toEqual(['production main'])
    }
    await giveUp(project)
    await wait(project, 1_000)
    expect(await project.check()).toEqual([])
  })

  test('a commit with a finished or canceled build is not retried', async () => {
    const project = await newProject()
    const commit = project.repository.commit('main')
    await project.check()
    await giveUp(project)
    await service.owner.query('update git_ref set built_sha = $2 where project_id = $1', [
      project.id,
      commit,
    ])
    expect(await project.check()).toEqual([])
    await service.owner.query('update git_ref set built_sha = null where project_id = $1', [
      project.id,
    ])
    expect(await project.check()).toEqual(['production main'])
    const bound = service.service.database.forProject(project.tenant)
    const builds = new BuildStore(bound, async () => {})
    const [newBuild] = project.accepted
    await bound.transaction(async (query) => {
      if (newBuild === undefined) throw new Error('nothing was accepted')
      const { id } = await builds.accept(query, newBuild)
      await builds.cancel(query, id, 'The owner asked for it.')
    })
    expect(await project.check()).toEqual([])
  })
})

describe('pull requests', () => {
  test('a branch and its pull request in the same repository share one build', async () => {
    const project = await newProject()
    const { repository, state } = project
    prepared(repository, 'main')
    state.pulls = []
    await project.check()
    const commit = repository.commit('topic')
    state.pulls = [pull(7, { headCommit: commit })]
    expect(await project.check()).toEqual(['preview topic #7'])
    expect(await project.check()).toEqual([])
    repository.commit('topic')
    expect(await project.check()).toEqual(['preview topic #7'])
    // Closing a pull request removes neither its branch nor the preview.
    await publishPreview(project.tenant, 'topic')
    state.pulls = []
    expect(await project.check()).toEqual([])
    expect(await previewsOf(project)).toEqual(['topic'])
  })

  test('opening a pull request for a branch that is already built starts another build', async () => {
    const project = await newProject()
    const { repository, state } = project
    prepared(repository, 'main')
    state.pulls = []
    await project.check()
    repository.commit('topic')
    expect(await project.check()).toEqual(['preview topic'])
    state.pulls = [pull(9, { baseBranch: 'next' }), pull(7, {}), pull(6, { baseBranch: 'next' })]
    expect(await project.check()).toEqual(['preview topic #7'])
    const [row] = await service.owner.query(
      `select pull_request, pull_url from git_ref where project_id = $1 and name = 'topic'`,
      [project.id],
    )
    expect(row).toEqual({ pull_request: 7, pull_url: 'https://github.com/o/n/pull/7' })
  })

  test("a fork's pull request gets a preview until it is closed", async () => {
    const project = await newProject()
    const { state } = project
    prepared(project.repository, 'main')
    state.pulls = []
    await project.check()
    state.pulls = [pull(3, { isFork: true, headBranch: 'main' })]
    expect(await project.check()).toEqual(['preview pull/3 #3 fork'])
    expect(await project.check()).toEqual([])
    state.pulls = [pull(3, { isFork: true, headBranch: 'main', headCommit: 'a'.repeat(40) })]
    expect(await project.check()).toEqual(['preview pull/3 #3 fork'])
    await publishPreview(project.tenant, 'pull/3')
    state.pulls = []
    expect(await project.check()).toEqual([])
    expect(await previewsOf(project)).toEqual([])
    expect(Object.keys(await refsOf(project))).toEqual(['main'])
  })

  test('pull requests stay unchanged while the API of the Git host fails, and branches are still built', async () => {
    const project = await newProject()
    const { repository, state } = project
    prepared(repository, 'main', 'topic')
    state.pulls = [pull(3, { isFork: true }), pull(7, {})]
    await project.check()
    repository.commit('main')
    state.pulls = { kind: 'failed', message: 'Rate limit.', retryAfterSeconds: 60 }
    expect(await project.check()).toEqual(['production main'])
    repository.commit('main')
    const providerOf = async () => {
      throw new Error('broken')
    }
    expect(await project.check({ providerOf })).toEqual(['production main'])
    expect(Object.keys(await refsOf(project))).toEqual(['main', 'pull/3', 'topic'])
    repository.commit('topic')
    expect(await project.check({ providerOf })).toEqual(['preview topic #7'])
  })

  test('a pull request that cannot be stored is skipped', async () => {
    const project = await newProject()
    prepared(project.repository, 'main')
    project.state.pulls = []
    await project.check()
    project.state.pulls = [
      pull(1, { isFork: true, headCommit: '' }),
      pull(2, { isFork: true, headCommit: 'HEAD' }),
      pull(2 ** 31, { isFork: true }),
      pull(-1, { isFork: true }),
      pull(4, { isFork: true, url: `https://${'a'.repeat(2_000)}` }),
      pull(5, { isFork: true }),
    ]
    expect(await project.check()).toEqual(['preview pull/5 #5 fork'])
  })

  test.each([
    ['--no-forks', ['preview topic #7']],
    ['--no-previews', []],
  ])('a connection created with %s builds only the allowed previews', async (option, expected) => {
    const project = await newProject([option])
    prepared(project.repository, 'main')
    project.state.pulls = []
    await project.check()
    project.repository.commit('topic')
    project.state.pulls = [pull(3, { isFork: true }), pull(7, {})]
    expect(await project.check()).toEqual(expected)
  })

  test('branches get no preview if the service has no previews domain', async () => {
    const project = await newProject()
    prepared(project.repository, 'main')
    await project.check()
    project.repository.commit('topic')
    expect(await project.check({ servesPreviews: false })).toEqual([])
  })

  test('a branch that is named like a pull request is not treated as one', async () => {
    const project = await newProject()
    prepared(project.repository, 'main')
    project.state.pulls = []
    await project.check()
    project.repository.commit('pull/3')
    expect(await project.check()).toEqual([])
    project.state.pulls = [pull(3, { isFork: true })]
    expect(await project.check()).toEqual(['preview pull/3 #3 fork'])
    expect(project.accepted).toMatchObject([{ commit: '3'.repeat(40) }])
  })
})

describe('failed checks', () => {
  test('a failed check changes nothing, stores the reason, and backs off up to an hour', async () => {
    const project = await newProject()
    prepared(project.repository, 'main', 'topic')
    await project.check()
    await publishPreview(project.tenant, 'topic')
    const before = await refsOf(project)
    project.state.failure = {
      kind: 'failed',
      code: 'credentials',
      message: 'The token was refused.',
      isFinal: true,
    }
    const pauses: number[] = []
    for (let count = 0; count < 7; count += 1) {
      expect(await project.check()).toEqual([])
      pauses.push(Number((await connectionOf(project)).secondsToNext) / 60)
    }
    const bounds = [5, 10, 20, 40, 60, 60, 60]
    for (const [index, minutes] of pauses.entries()) {
      expect(minutes).toBeGreaterThanOrEqual((bounds[index] ?? 0) * 0.79)
      expect(minutes).toBeLessThanOrEqual((bounds[index] ?? 0) * 1.21)
    }
    expect(await refsOf(project)).toEqual(before)
    expect(await previewsOf(project)).toEqual(['topic'])
    expect((await connectionOf(project)).check_error).toBe('The token was refused.')
    const list = await octavo(service, ['connection', 'list'])
    expect(list).toContain('  The token was refused.')
    project.state.failure = undefined
    project.repository.commit('main')
    expect(await project.check()).toEqual(['production main'])
    expect(await connectionOf(project)).toMatchObject({ check_error: null, check_failures: 0 })
  })

  test('a failed check is not recorded if a later check has already succeeded', async () => {
    const project = await newProject()
    prepared(project.repository, 'main')
    const listRefs = async () => {
      await sleep(10)
      await project.check()
      const message = 'The token was refused.'
      return { kind: 'failed', code: 'credentials', message, isFinal: true } as const
    }
    await project.check({ git: { listRefs } })
    expect(await connectionOf(project)).toMatchObject({ check_error: null, check_failures: 0 })
  })

  test('a check that finds no branches fails', async () => {
    const project = await newProject()
    expect(await project.check()).toEqual([])
    expect((await connectionOf(project)).check_error).toBe(
      'The repository has no branches yet. Push a first commit.',
    )
    prepared(project.repository, 'main')
    expect(await project.check()).toEqual(['production main'])
    project.repository.remove('main')
    expect(await project.check()).toEqual([])
    expect(Object.keys(await refsOf(project))).toEqual(['main'])
  })

  test('a check that cannot queue a build does not record the commit as seen', async () => {
    const project = await newProject()
    prepared(project.repository, 'main')
    const acceptBuild = async () => {
      throw new Error('no queue')
    }
    await expect(project.check({ acceptBuild })).rejects.toThrow('no queue')
    expect(await refsOf(project)).toEqual({})
    expect(await project.check()).toEqual(['production main'])
  })
})

describe('accepted builds', () => {
  test('a build records whether a webhook triggered it', async () => {
    const project = await newProject()
    const { repository } = project
    prepared(repository, 'main')
    await project.check()
    const hear = (ref: string | null, deliveryId: string) =>
      service.service.database
        .forProject(project.tenant)
        .transaction((query) =>
          insertDelivery(query, { deliveryId, event: 'push', ref, headers: {}, body: '' }),
        )
    prepared(repository, 'a', 'b')
    await hear('a', '1')
    // A delivery without a ref is not a hint about a branch.
    await hear(null, '2')
    expect(await project.check()).toEqual(['preview a webhook', 'preview b'])
    prepared(repository, 'a')
    expect(await project.check()).toEqual(['preview a'])
  })

  test('a scheduled build that updates hosted specifications is accepted once when it is due', async () => {
    const project = await newProject(['--refresh', '60'])
    const commit = project.repository.commit('main')
    expect(await project.check()).toEqual(['production main'])
    expect(await project.check()).toEqual([])
    const wait = (minutes: number) =>
      service.owner.query(
        `update connection set refreshed_at = now() - $2 * interval '1 minute' where project_id = $1`,
        [project.id, minutes],
      )
    await wait(59)
    expect(await project.check()).toEqual([])
    expect(Number((await connectionOf(project)).secondsToNext)).toBeLessThanOrEqual(60)
    await wait(60)
    expect(await project.check()).toEqual(['production main schedule'])
    expect(project.accepted).toMatchObject([{ commit }])
    expect(await project.check()).toEqual([])
    // Hosted specifications are also updated by a push.
    await wait(60)
    project.repository.commit('main')
    expect(await project.check()).toEqual(['production main'])
    expect(await project.check()).toEqual([])
  })
})

describe('checks that are due', () => {
  const queued: string[] = []
  const jobs = {
    send: async (_: string, { projectId = '' }: { projectId?: string }) => {
      queued.push(projectId)
    },
  }
  const queueDue = async () => {
    queued.length = 0
    await queueDueChecks(service.service.database, jobs)
    return [...queued]
  }

  test('a check that is due is queued once, and again about five minutes later', async () => {
    const project = await newProject()
    expect(await queueDue()).toContain(project.id)
    expect(await queueDue()).toEqual([])
    const seconds = Number((await connectionOf(project)).secondsToNext)
    expect(seconds).toBeGreaterThanOrEqual(4 * 60 - 1)
    expect(seconds).toBeLessThanOrEqual(6 * 60)
    const pause = await service.owner.query<{ s: number }>(
      'select extract(epoch from check_pause(0))::float as s from generate_series(1, 50)',
    )
    expect(new Set(pause.map(({ s }) => Math.round(s))).size).toBeGreaterThan(10)
  })

  test('repositories of suspended projects are not checked', async () => {
    const project = await newProject()
    prepared(project.repository, 'main')
    await octavo(service, ['project', 'suspend', project.publicId, '--reason', 'Phishing'])
    expect(await queueDue()).not.toContain(project.id)
    expect(await project.check()).toEqual([])
    await octavo(service, ['project', 'resume', project.publicId])
    expect(await project.check()).toEqual(['production main'])
  })

  test('a check of a removed connection does nothing', async () => {
    const project = await newProject()
    prepared(project.repository, 'main')
    await project.check()
    await octavo(service, ['connection', 'remove', project.publicId])
    expect(await project.check()).toEqual([])
    expect(await refsOf(project)).toEqual({})
  })
})
