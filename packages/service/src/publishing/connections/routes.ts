import {
  ConnectionBody,
  ConnectionChange,
  ConnectionReply,
  ConnectionTest,
  CreatedConnection,
  DeliveryList,
} from '@octavo/contract'
import { requesterOf } from '../../platform/audit/request-audit.ts'
import type { Database, ProjectDatabase, Tenant } from '../../platform/database/database.ts'
import type { Git } from '../../platform/git/git.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ProjectParams } from '../../platform/http/params.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import type { JobSender } from '../../platform/jobs/job-queue.ts'
import { Problem } from '../../platform/problem.ts'
import type { SecretSettings } from '../../platform/secrets/settings.ts'
import type { Connection } from '../providers/connection.ts'
import type { GitHubApp, GitHubAppSettings } from '../providers/github-app.ts'
import { explainFailure } from './explain-failure.ts'
import { createGitHubGrants } from './github-grant.ts'
import { addConnection, changeConnection, removeConnection } from './manage-connection.ts'
import {
  InvalidRepository,
  parseBranch,
  parseFolder,
  parseRepository,
  type RepositoryProblem,
} from './parse-repository.ts'
import { readRemote } from './read-remote.ts'
import { type ConnectionState, ConnectionStore } from './store.ts'
import { WEBHOOK_STEPS } from './webhook-steps.ts'

const TAG = 'Repository'
const PATH = '/v1/projects/:projectId/connection'
const CALLER = { kind: 'adminKey', scope: 'project:write' } as const
const DELIVERIES_MAX = 50
const BRANCHES_MAX = 100
const TEST_MS_MAX = 60_000
const TESTS_PER_HOUR = 60

export type ConnectionRouteDeps = {
  readonly database: Database
  readonly settings: SecretSettings & {
    readonly url: string | undefined
    readonly gitHubApp: GitHubAppSettings | undefined
    readonly allowPrivateHosts: readonly string[]
  }
  readonly gitHubApp: GitHubApp | undefined
  readonly now: () => number
  readonly jobSender: JobSender
  /** Undefined in a process that reads no repositories. */
  readonly git: Pick<Git, 'listRefs'> | undefined
}

export const connectionRoutes = (deps: ConnectionRouteDeps): readonly Route[] => [
  getConnection(deps),
  connectRepository(deps),
  changeRepository(deps),
  listDeliveries(deps),
  testRepository(deps),
  disconnectRepository(deps),
]

const getConnection = (deps: ConnectionRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: PATH,
    tag: TAG,
    summary: 'Get the repository',
    description: 'The Git repository that a project is built from, and what is wrong with it.',
    caller: CALLER,
    params: ProjectParams,
    reply: ConnectionReply,
    handle: async ({ caller }) =>
      showConnection(await findConnection(deps.database.forProject(caller.tenant))),
  })

const connectRepository = (deps: ConnectionRouteDeps) =>
  defineRoute({
    method: 'POST',
    path: PATH,
    tag: TAG,
    summary: 'Connect a repository',
    description:
      'Builds a project from a Git repository. The first build begins at once, unless a deploy key has to be added first. The secret of the webhook is only in this response.',
    caller: CALLER,
    params: ProjectParams,
    body: ConnectionBody,
    reply: CreatedConnection,
    status: 201,
    limit: { action: 'connection', perHour: TESTS_PER_HOUR },
    async handle({ caller, body, clientAddress }) {
      if (deps.settings.secretKeys.length === 0)
        throw new Problem(
          'conflict',
          'This service stores no secrets: OCTAVO_SECRET_KEYS is not set.',
        )
      const { previews, forks, token, grant, ...input } = body
      if ((input.credential === 'token') !== (token !== undefined))
        throw new Problem('invalid-request', 'A token and `credential: token` need each other.', {
          param: 'token',
        })
      const isApp = input.credential === 'github-app'
      const repository = parse(() =>
        parseRepository(
          { ...input, ...(isApp && { provider: 'github' }) },
          deps.settings.allowPrivateHosts,
        ),
      )
      const installationId = isApp
        ? await proveInstallation(deps, caller, { grant, url: repository.url })
        : null
      const bound = deps.database.forProject(caller.tenant)
      const added = await addConnection(
        manageDeps(deps, { caller, clientAddress }),
        { ...repository, previews, forks, token, installationId, refreshMinutes: null },
        // A deploy key has to be added to the repository first.
        input.credential === 'ssh-key' ? undefined : await queueCheck(deps, caller.tenant),
      )
      if (added === undefined)
        throw new Problem('conflict', 'The project has a repository already. Remove it first.')
      return {
        ...showConnection(await findConnection(bound)),
        webhook: showWebhook(deps, added.connection, added.secret),
        deployKey: added.deployKey,
      }
    },
  })

const changeRepository = (deps: ConnectionRouteDeps) =>
  defineRoute({
    method: 'PUT',
    path: PATH,
    tag: TAG,
    summary: 'Change how the repository is built',
    description:
      'Changes the branch, the folder and the previews of a connected repository, or replaces its token. The repository is then checked at once, and another branch or folder is built and published. To build from another repository, disconnect this one first.',
    caller: CALLER,
    params: ProjectParams,
    body: ConnectionChange,
    reply: ConnectionReply,
    problems: ['conflict'],
    limit: { action: 'connection', perHour: TESTS_PER_HOUR },
    async handle({ caller, body, clientAddress }) {
      const bound = deps.database.forProject(caller.tenant)
      const { credential } = await findConnection(bound)
      const { branch, folder, previews, forks, token } = body
      if (token !== undefined && credential !== 'token')
        throw new Problem(
          'invalid-request',
          'This repository is not read with a token. Disconnect it, and connect it again with one.',
          { param: 'token' },
        )
      await changeConnection(
        manageDeps(deps, { caller, clientAddress }),
        {
          ...(branch !== undefined && { branch: parse(() => parseBranch(branch ?? undefined)) }),
          ...(folder !== undefined && { folder: parse(() => parseFolder(folder)) }),
          ...(previews !== undefined && { previews }),
          ...(forks !== undefined && { forks }),
          token,
        },
        await queueCheck(deps, caller.tenant),
      )
      return showConnection(await findConnection(bound))
    },
  })

const listDeliveries = (deps: ConnectionRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: `${PATH}/deliveries`,
    tag: TAG,
    summary: 'List webhooks of the repository',
    description: `The last ${DELIVERIES_MAX} webhooks of the Git host, newest first, refused ones with the reason.`,
    caller: CALLER,
    params: ProjectParams,
    reply: DeliveryList,
    async handle({ caller }) {
      const bound = deps.database.forProject(caller.tenant)
      await findConnection(bound)
      const rows = await new ConnectionStore(bound).listDeliveries(DELIVERIES_MAX)
      return {
        deliveries: rows.map((row) => ({
          receivedAt: row.received_at.toISOString(),
          deliveryId: row.delivery_id ?? undefined,
          event: row.event ?? undefined,
          ref: row.ref ?? undefined,
          status: row.status,
          reason: row.reason ?? undefined,
        })),
      }
    },
  })

const testRepository = (deps: ConnectionRouteDeps) =>
  defineRoute({
    method: 'POST',
    path: `${PATH}/test`,
    tag: TAG,
    summary: 'Test the repository',
    description: 'Reads the branches of the repository now, and says what is wrong.',
    caller: CALLER,
    params: ProjectParams,
    reply: ConnectionTest,
    problems: ['conflict'],
    limit: { action: 'connection', perHour: TESTS_PER_HOUR },
    async handle({ caller }) {
      const bound = deps.database.forProject(caller.tenant)
      const connection = await findConnection(bound)
      const { git, gitHubApp, settings } = deps
      if (git === undefined)
        throw new Problem(
          'conflict',
          'This process reads no repositories. What the worker found is in `problem` of the connection.',
        )
      const signal = AbortSignal.timeout(TEST_MS_MAX)
      const remote = await readRemote(
        { secretKeys: settings.secretKeys, gitHubApp },
        bound,
        connection,
        signal,
      )
      const refs = 'kind' in remote ? remote : await git.listRefs(remote, signal)
      if (refs.kind === 'failed')
        return {
          isReadable: false,
          problem: explainFailure(connection, refs),
          branches: [],
        }
      const { defaultBranch, branches } = refs
      const branch = connection.branch ?? defaultBranch
      const commit = branch === undefined ? undefined : branches.get(branch)
      return {
        isReadable: true,
        defaultBranch,
        branches: [...branches.keys()].toSorted().slice(0, BRANCHES_MAX),
        ...(branch !== undefined && commit !== undefined
          ? { published: { branch, commit } }
          : { problem: `The branch ${branch ?? 'to publish'} does not exist.` }),
      }
    },
  })

const disconnectRepository = (deps: ConnectionRouteDeps) =>
  defineRoute({
    method: 'DELETE',
    path: PATH,
    tag: TAG,
    summary: 'Disconnect the repository',
    description:
      'Stops building from the repository and forgets its credentials. The site, its deployments and its builds stay. Delete the webhook and the token or deploy key at the Git host yourself.',
    caller: CALLER,
    params: ProjectParams,
    async handle({ caller, clientAddress }) {
      const isRemoved = await removeConnection(manageDeps(deps, { caller, clientAddress }))
      if (!isRemoved) throw new Problem('not-found', 'No repository is connected to this project.')
      return undefined
    },
  })

async function findConnection(bound: ProjectDatabase): Promise<ConnectionState> {
  const connection = await new ConnectionStore(bound).find()
  if (connection !== undefined) return connection
  throw new Problem('not-found', 'No repository is connected to this project.')
}

/** Dependencies for changing a connection, with the requesting person or key. */
const manageDeps = (
  { database, settings }: ConnectionRouteDeps,
  request: { readonly caller: Caller; readonly clientAddress: string | undefined },
) => ({
  database: database.forProject(request.caller.tenant),
  secretKeys: settings.secretKeys,
  requester: requesterOf(request),
  publicId: request.caller.projectPublicId,
})

async function queueCheck({ jobSender }: ConnectionRouteDeps, tenant: Tenant) {
  await jobSender.start()
  return (query: Parameters<JobSender['send']>[2]) => jobSender.send('check', tenant, query)
}

/** Returns the GitHub App installation of a repository, for a person who can use it. */
async function proveInstallation(
  { gitHubApp, settings: { pepper }, now }: ConnectionRouteDeps,
  caller: Caller,
  { grant, url }: { readonly grant: string | undefined; readonly url: string },
): Promise<string> {
  const name = gitHubApp?.nameOf(url)
  if (gitHubApp === undefined || name === undefined || grant === undefined)
    throw new Problem('invalid-request', ONLY_GRANTED, { param: 'credential' })
  const owner =
    caller.kind === 'member'
      ? { sessionId: caller.person.sessionId, projectPublicId: caller.projectPublicId }
      : undefined
  const granted = owner && createGitHubGrants({ pepper, now }).open(grant, owner, name)
  if (granted === undefined)
    throw new Problem('invalid-request', ONLY_GRANTED, { param: 'credential' })
  // The repository may have left the installation since.
  const proof = await gitHubApp.proveInstallation(url, AbortSignal.timeout(TEST_MS_MAX))
  if (proof.kind === 'failed') {
    const code = proof.retryAfterSeconds === undefined ? 'conflict' : 'upstream-failed'
    throw new Problem(code, proof.message)
  }
  if (proof.installationId === granted) return granted
  throw new Problem('invalid-request', ONLY_GRANTED, { param: 'credential' })
}

/** Returns the webhook to set up at the Git host; undefined if the GitHub App's webhook is used. */
function showWebhook(
  { settings }: ConnectionRouteDeps,
  { provider, credential, hookId }: Connection,
  secret: string,
) {
  if (credential === 'github-app' && settings.gitHubApp?.webhookSecret !== undefined)
    return undefined
  const path = `/v1/hooks/${hookId}`
  const url = settings.url === undefined ? path : new URL(path, settings.url).href
  return { url, secret, steps: [...WEBHOOK_STEPS[provider]] }
}

function parse<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof InvalidRepository)) throw error
    const { problem } = error
    const [param, detail] =
      problem.kind === 'invalid'
        ? [problem.field, problem.reason]
        : ['credential', MISFITS[problem.kind]]
    throw new Problem('invalid-request', capitalise(detail), { param })
  }
}

const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const ONLY_GRANTED =
  'A repository of the GitHub App is connected on the dashboard, by somebody whom GitHub lets push to it, or by the operator. Begin again there if it has been a while.'

const MISFITS: Readonly<Record<Exclude<RepositoryProblem['kind'], 'invalid'>, string>> = {
  'github-needed': 'A GitHub App reads repositories on GitHub only.',
  'ssh-url-needed':
    'A deploy key needs the SSH URL of the repository, such as git@github.com:owner/name.git.',
  'ssh-key-needed':
    'An SSH URL needs `ssh-key`. Use the https URL of the repository for a token or without one.',
  'https-needed': 'A token is not sent over http. Use the https URL of the repository.',
}

const showConnection = (state: ConnectionState): ConnectionReply => ({
  url: state.url,
  provider: state.provider,
  credential: state.credential,
  branch: state.branch,
  folder: state.folder,
  previews: state.previews,
  forks: state.forks,
  refreshMinutes: state.refreshMinutes,
  checkedAt: state.checkedAt?.toISOString() ?? null,
  problem: state.checkError,
})
