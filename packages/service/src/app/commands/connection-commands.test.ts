import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectProject, octavo, SECRET_KEYS } from '../../../testing/test-connection.ts'
import {
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import type { Git, GitFailure, GitRefs } from '../../platform/git/git.ts'
import { readRemote } from '../../publishing/connections/read-remote.ts'
import { ConnectionStore } from '../../publishing/connections/store.ts'
import { NotifyStore } from '../../publishing/providers/notify-store.ts'

const CANARY = 'canary-token-0123456789'
let service: TestService
let folder: string
beforeAll(async () => {
  service = await startTestService({
    secretKeys: SECRET_KEYS,
    url: 'https://octavo.example.com',
    allowPrivateHosts: ['git.internal'],
  })
  folder = mkdtempSync(join(tmpdir(), 'octavo-connections-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await service.stop()
})

const add = (options: readonly string[], input = '') => connectProject(service, options, { input })
const GITHUB = ['--url', 'https://github.com/o/n.git']

/** Returns the remote with the credentials that Git would use. */
async function remoteOf({ tenant }: TestProject) {
  const database = service.service.database.forProject(tenant)
  const connection = await new ConnectionStore(database).find()
  if (connection === undefined) throw new Error('no connection')
  return readRemote({ secretKeys: SECRET_KEYS }, database, connection, new AbortController().signal)
}

async function queuedChecks({ projectId }: TestProject['tenant']): Promise<number> {
  const rows = await service.owner.query(
    `select id from jobs.job where name = 'check' and data->>'projectId' = $1`,
    [projectId],
  )
  return rows.length
}

describe('connection add', () => {
  test('`connection add` prints the setup steps, with the secret in the last line', async () => {
    const { lines, publicId, secret } = await add([
      ...GITHUB,
      '--folder',
      './docs/',
      '--branch',
      'v2',
    ])
    const text = lines.join('\n')
    expect(lines[0]).toBe(`Project ${publicId} is built from https://github.com/o/n.git (github).`)
    expect(text).toMatch(/URL: https:\/\/octavo\.example\.com\/v1\/hooks\/[\w-]{24}\n/)
    expect(text).toContain('"Pushes" and "Pull requests"')
    expect(text).toContain('application/json')
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
    const [row] = await service.owner.query(
      'select branch, folder, provider, credential from connection c join project p on p.id = c.project_id where p.public_id = $1',
      [publicId],
    )
    expect(row).toEqual({ branch: 'v2', folder: 'docs', provider: 'github', credential: 'none' })
  })

  test('`connection add` queues the first build at once', async () => {
    const { lines, tenant } = await add(GITHUB)
    expect(lines).toContain('The repository is being checked. The first build then starts.')
    expect(await queuedChecks(tenant)).toBe(1)
  })

  test('`connection add` with a deploy key queues no build, since the key has to be added first', async () => {
    const { lines, tenant } = await add(['--url', 'git@github.com:o/n.git', '--ssh-key'])
    expect(lines).not.toContain('The repository is being checked. The first build then starts.')
    expect(await queuedChecks(tenant)).toBe(0)
  })

  test.each([
    ['github', 'x-access-token', CANARY, CANARY],
    ['gitlab', 'oauth2', CANARY, CANARY],
    ['gitea', 'oauth2', CANARY, CANARY],
    ['git', 'git', CANARY, CANARY],
    ['git', 'ada', `ada:${CANARY}`, CANARY],
  ])(
    'for the provider %s, Git uses the token with the user name %s',
    async (provider, username, input, token) => {
      const project = await add(
        ['--url', 'https://git.example.com/o/n', '--provider', provider, '--token-file', '-'],
        `${input}\n`,
      )
      expect(project.lines.join('\n')).not.toContain(CANARY)
      expect(await remoteOf(project)).toEqual({
        url: 'https://git.example.com/o/n',
        credential: { kind: 'token', username, token },
      })
    },
  )

  test('a token can be read from a file, and is not in the database in plain text', async () => {
    const file = join(folder, 'token')
    writeFileSync(file, CANARY)
    const project = await add([...GITHUB, '--token-file', file])
    expect(await remoteOf(project)).toMatchObject({ credential: { token: CANARY } })
    for (const table of ['connection', 'secret', 'audit_event']) {
      const rows = await service.owner.query<{ text: string }>(
        `select t::text as text from ${table} t`,
      )
      const all = rows.map(({ text }) => text).join('\n')
      expect(all).not.toContain(CANARY)
      expect(all).not.toContain(Buffer.from(CANARY).toString('hex'))
      expect(all).not.toContain(project.secret)
    }
  })

  test('`connection add --ssh-key` prints the public key and stores the private key', async () => {
    const project = await add(['--url', 'git@github.com:o/n.git', '--ssh-key'])
    const text = project.lines.join('\n')
    expect(text).toMatch(/^ssh-ed25519 [\w+/]{68} octavo prj_\w+$/m)
    expect(text).not.toContain('PRIVATE')
    expect(await remoteOf(project)).toMatchObject({
      credential: {
        kind: 'ssh-key',
        privateKey: expect.stringMatching(/^-----BEGIN OPENSSH PRIVATE KEY-----\n/),
      },
    })
  })

  test('`connection add --github-app` fails if the service has no GitHub App', async () => {
    await expect(add([...GITHUB, '--github-app'])).rejects.toThrow('This service has no GitHub App')
  })

  test('a token over http is only sent to allowed private hosts', async () => {
    const options = (host: string) => ['--url', `http://${host}/o/n`, '--token-file', '-']
    await expect(add(options('example.com'), CANARY)).rejects.toThrow('not sent over http')
    await add(options('git.internal'), CANARY)
  })

  test('a second repository is rejected, and the first one keeps its secrets', async () => {
    const project = await add([...GITHUB, '--token-file', '-'], CANARY)
    await expect(
      octavo(service, ['connection', 'add', project.publicId, ...GITHUB]),
    ).rejects.toThrow('already has a repository')
    expect(await remoteOf(project)).toMatchObject({ credential: { token: CANARY } })
  })

  test.each([
    [[], 'Missing --url'],
    [['--url', 'file:///etc'], 'scheme file:'],
    [['--url', 'https://a:b@github.com/o/n'], 'user name or a password'],
    [[...GITHUB, '--provider', 'svn'], 'Invalid --provider'],
    [[...GITHUB, '--branch=-x'], 'Invalid --branch'],
    [[...GITHUB, '--branch', 'a..b'], 'Invalid --branch'],
    [[...GITHUB, '--branch', 'pull/7'], 'Invalid --branch'],
    [[...GITHUB, '--folder', '../x'], 'Invalid --folder'],
    [[...GITHUB, '--folder', 'a/../b'], 'Invalid --folder'],
    [[...GITHUB, '--folder', '.git'], 'Invalid --folder'],
    [[...GITHUB, '--refresh', '4'], 'Invalid --refresh'],
    [[...GITHUB, '--refresh', '1e9'], 'Invalid --refresh'],
    [[...GITHUB, '--installation', 'x'], 'Invalid --installation'],
    [[...GITHUB, '--ssh-key'], 'needs the SSH URL'],
    [['--url', 'git@github.com:o/n.git'], 'needs --ssh-key'],
    [[...GITHUB, '--token-file', '-', '--installation', '1'], 'only one of'],
    [[...GITHUB, '--token-file', '/nonexistent'], 'cannot be read'],
    [[...GITHUB, '--token-file', '-'], 'expected one token'],
    [['--url', 'https://gitlab.com/o/n', '--installation', '1'], '--provider github'],
  ])('`connection add` rejects the options %j', async (options, message) => {
    await expect(add(options)).rejects.toThrow(message)
  })

  test('`connection add` needs OCTAVO_SECRET_KEYS', async () => {
    const { settings } = service
    const keyless = { ...service, settings: { ...settings, secretKeys: [] } }
    await expect(connectProject(keyless, GITHUB)).rejects.toThrow('OCTAVO_SECRET_KEYS is not set')
  })
})

describe('connection test', () => {
  const refs: GitRefs = {
    kind: 'refs',
    defaultBranch: 'main',
    branches: new Map(
      [...Array(12).keys()].map((n) => [n === 0 ? 'main' : `b${n}`, 'a'.repeat(40)]),
    ),
  }
  const testWith = (project: TestProject, answer: GitRefs | GitFailure) => {
    const git: Pick<Git, 'listRefs'> = { listRefs: async () => answer }
    return octavo(service, ['connection', 'test', project.publicId], { git })
  }

  test('`connection test` prints the branches and the published commit', async () => {
    const lines = await testWith(await add([...GITHUB, '--folder', 'docs']), refs)
    expect(lines).toEqual([
      '✓ https://github.com/o/n.git can be read.',
      '  Default branch: main',
      expect.stringMatching(/^ {2}Branches: b1, .* and 2 more$/),
      '  Published: main at aaaaaaaaaaaa',
      '  The first build checks whether docs.json is in docs.',
      '  The worker has not checked the repository yet.',
    ])
  })

  test('`connection test` prints the last check error and failed status updates', async () => {
    const project = await add(GITHUB)
    const bound = service.service.database.forProject(project.tenant)
    const failure = { step: 'access', message: 'Pull requests could not be listed.' } as const
    await new ConnectionStore(bound).recordFailure(failure, new Date())
    const id = await service.service.acceptBuild(project.tenant, {
      target: 'production',
      ref: 'main',
      commit: 'a'.repeat(40),
      trigger: 'check',
      pullRequest: undefined,
      isFork: false,
    })
    const build = { id, state: 'queued', reportedState: null } as const
    await new NotifyStore(bound).markReported(build, 'The token may not write statuses.')
    expect((await testWith(project, refs)).slice(-2)).toEqual([
      '  Last check of the worker: Pull requests could not be listed.',
      `  The status could not be reported to the Git host for build ${id}: The token may not write statuses.`,
    ])
    const list = await octavo(service, ['connection', 'list'])
    expect(list).toContain('  Pull requests could not be listed.')
    const key = await service.createKey(project, { scopes: ['deploy:read'] })
    const reply = await fetch(`${service.url}/v1/projects/${project.publicId}/builds/${id}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(await reply.json()).toMatchObject({ notifyError: 'The token may not write statuses.' })
  })

  test.each<[readonly string[], GitFailure['code'], string]>([
    [GITHUB, 'credentials', 'The repository is private'],
    [GITHUB, 'not-found', 'If the repository is private'],
    [[...GITHUB, '--token-file', '-'], 'credentials', 'The token is wrong'],
    [[...GITHUB, '--token-file', '-'], 'not-found', 'token may read this repository'],
    [['--url', 'git@github.com:o/n', '--ssh-key'], 'credentials', 'Add the deploy key'],
    [GITHUB, 'refused', 'OCTAVO_ALLOW_PRIVATE_HOSTS'],
    [GITHUB, 'unreachable', 'Check the host'],
    [GITHUB, 'empty', 'Push a first commit'],
  ])(
    'for a connection added with %j, the hint for the error %s contains "%s"',
    async (options, code, hint) => {
      const project = await add(options, CANARY)
      const failure: GitFailure = { kind: 'failed', code, message: 'The reason.', isFinal: true }
      const said = testWith(project, failure).catch((error: Error) => error.message)
      expect(await said).toMatch('cannot be read: The reason.\nHint: ')
      expect(await said).toContain(hint)
      expect(await said).not.toContain(CANARY)
    },
  )

  test('`connection test` reports a missing branch', async () => {
    const project = await add([...GITHUB, '--branch', 'gone'])
    await expect(testWith(project, refs)).rejects.toThrow('The branch "gone" does not exist')
  })

  test('the connection commands suggest `connection add` if the project has no repository', async () => {
    const project = await service.createProject()
    for (const verb of ['test', 'remove', 'deliveries'])
      await expect(octavo(service, ['connection', verb, project.publicId])).rejects.toThrow(
        'Run `connection add`',
      )
  })
})

test('`connection list` shows a connection until `connection remove` deletes it with its secrets', async () => {
  const project = await add([...GITHUB, '--token-file', '-'], CANARY)
  const list = (await octavo(service, ['connection', 'list'])).join('\n')
  expect(list).toMatch(
    new RegExp(`${project.publicId} .* https://github.com/o/n.git .* never checked`),
  )
  await octavo(service, ['connection', 'remove', project.publicId])
  expect((await octavo(service, ['connection', 'list'])).join('\n')).not.toContain(project.publicId)
  const secrets = await service.owner.query('select from secret where project_id = $1', [
    project.id,
  ])
  expect(secrets).toEqual([])
  const actions = await service.owner.query<{ action: string }>(
    `select action from audit_event where project_id = $1 and action like 'connection.%' order by id`,
    [project.id],
  )
  expect(new Set(actions.map(({ action }) => action))).toEqual(
    new Set(['connection.add', 'connection.remove']),
  )
})
