import {
  ConnectionBody,
  ConnectionChange,
  ConnectionReply,
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
import { awaitCheck } from './check-now.ts'
import { publicKeyOf } from './create-ssh-key.ts'
import { createGitHubGrants } from './github-grant.ts'
import {
  addConnection,
  changeConnection,
  deployKeyName,
  needsNewCheck,
  removeConnection,
} from './manage-connection.ts'
import {
  InvalidRepository,
  parseChange,
  parseRepository,
  type RepositoryProblem,
} from './parse-repository.ts'
import { openRemote, readGitSecret } from './read-remote.ts'
import { showConnection } from './show-connection.ts'
import { type ConnectionState, ConnectionStore, type Verified } from './store.ts'
import { type Candidate, verifyRepository } from './verify-repository.ts'
import { WEBHOOK_STEPS } from './webhook-steps.ts'

const TAG = 'Repository'
const PATH = '/v1/projects/:projectId/connection'
const CALLER = { kind: 'adminKey', scope: 'project:write' } as const
const DELIVERIES_MAX = 50
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
  /** Reads repositories; undefined in a process that reads none. */
  readonly git: Pick<Git, 'listRefs' | 'findFiles'> | undefined
}

export const connectionRoutes = (deps: ConnectionRouteDeps): readonly Route[] => [
  getConnection(deps),
  connectRepository(deps),
  changeRepository(deps),
  listDeliveries(deps),
  checkConnection(deps),
  disconnectRepository(deps),
]

const getConnection = (deps: ConnectionRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: PATH,
    tag: TAG,
    summary: 'Get the repository',
    description: 'The Git repository that a project is built from, and its problems.',
    caller: CALLER,
    params: ProjectParams,
    reply: ConnectionReply,
    handle: ({ caller }) => replyOf(deps, caller),
  })

const connectRepository = (deps: ConnectionRouteDeps) =>
  defineRoute({
    method: 'POST',
    path: PATH,
    tag: TAG,
    summary: 'Connect a repository',
    description:
      'Builds a project from a Git repository. The repository is read first. If it does not exist, refuses access, has no such branch, or has no docs.json in the folder, the response is 422 with the message from Git. Otherwise, the first build begins immediately. With a deploy key, add the key to the repository and then check the connection. The secret of the webhook is only in this response.',
    caller: CALLER,
    params: ProjectParams,
    body: ConnectionBody,
    reply: CreatedConnection,
    status: 201,
    problems: ['unprocessable'],
    limit: { action: 'connection', perHour: TESTS_PER_HOUR },
    async handle({ caller, body, clientAddress }) {
      if (deps.settings.secretKeys.length === 0)
        throw new Problem(
          'conflict',
          'This service stores no secrets: OCTAVO_SECRET_KEYS is not set.',
        )
      const { previews, forks, token, grant, ...input } = body
      if ((input.credential === 'token') !== (token !== undefined))
        throw new Problem(
          'invalid-request',
          'A token needs `credential: token`, and `credential: token` needs a token.',
          {
            param: 'token',
          },
        )
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
      if ((await new ConnectionStore(bound).find()) !== undefined) throw connectedAlready()
      const candidate = { ...repository, installationId }
      const added = await addConnection(
        manageDeps(deps, { caller, clientAddress }),
        {
          ...candidate,
          previews,
          forks,
          token,
          refreshMinutes: null,
          verified: await verify(deps, candidate, token),
        },
        // A deploy key has to be added to the repository before it can be read.
        input.credential === 'ssh-key' ? undefined : await queueCheck(deps, caller.tenant),
      )
      if (added === undefined) throw connectedAlready()
      return {
        ...(await replyOf(deps, caller)),
        webhook: showWebhook(deps, added.connection, added.secret),
      }
    },
  })

const changeRepository = (deps: ConnectionRouteDeps) =>
  defineRoute({
    method: 'PUT',
    path: PATH,
    tag: TAG,
    summary: 'Change the repository',
    description:
      'Changes the URL, the branch, the folder and the previews of a connected repository, or its token. The webhook and its secret stay the same. The repository is read with the new settings before they are saved, as for a new connection, and is then built and published immediately.',
    caller: CALLER,
    params: ProjectParams,
    body: ConnectionChange,
    reply: ConnectionReply,
    problems: ['conflict', 'unprocessable'],
    limit: { action: 'connection', perHour: TESTS_PER_HOUR },
    async handle({ caller, body: { token, ...body }, clientAddress }) {
      const before = await findConnection(deps.database.forProject(caller.tenant))
      const change = parse(() => parseChange(before, body, { token, ...deps.settings }))
      const after = { ...before, ...change }
      await changeConnection(
        manageDeps(deps, { caller, clientAddress }),
        {
          ...change,
          token,
          verified: needsNewCheck({ before, after, token })
            ? await verify(deps, after, token ?? (await readSecret(deps, caller, after)))
            : undefined,
        },
        await queueCheck(deps, caller.tenant),
      )
      return replyOf(deps, caller)
    },
  })

const listDeliveries = (deps: ConnectionRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: `${PATH}/deliveries`,
    tag: TAG,
    summary: 'List webhooks from the repository',
    description: `The last ${DELIVERIES_MAX} webhooks from the Git host, newest first. Refused webhooks have a reason.`,
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

const checkConnection = (deps: ConnectionRouteDeps) =>
  defineRoute({
    method: 'POST',
    path: `${PATH}/check`,
    tag: TAG,
    summary: 'Check the repository now',
    description:
      'Reads the repository like the scheduled check, builds new commits, and returns the connection with the result. Returns 503 if no worker read the repository in time.',
    caller: CALLER,
    params: ProjectParams,
    reply: ConnectionReply,
    limit: { action: 'connection', perHour: TESTS_PER_HOUR },
    async handle({ caller }) {
      const { jobSender, now } = deps
      const database = deps.database.forProject(caller.tenant)
      await findConnection(database)
      await awaitCheck({ database, jobSender, now }, undefined)
      return replyOf(deps, caller)
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

const connectedAlready = () =>
  new Problem('conflict', 'The project already has a repository. Remove it first.')

async function replyOf(deps: ConnectionRouteDeps, caller: Caller): Promise<ConnectionReply> {
  const bound = deps.database.forProject(caller.tenant)
  const state = await findConnection(bound)
  const store = new ConnectionStore(bound)
  const key = state.credential === 'ssh-key' ? await readSecret(deps, caller, state) : undefined
  return showConnection(state, {
    publishedBranch: await store.productionBranch(),
    isHookAccepted: await store.isHookAccepted(),
    deployKey: key && publicKeyOf(key, deployKeyName(caller.projectPublicId)),
  })
}

/** Returns the saved token or private key of a connection. */
async function readSecret(
  { database, settings }: ConnectionRouteDeps,
  caller: Caller,
  connection: Pick<Connection, 'credential'>,
): Promise<string | undefined> {
  const bound = database.forProject(caller.tenant)
  return readGitSecret(settings, bound, connection)
}

/**
 * Reads a repository before its connection is saved. Returns undefined if this process reads no
 * repositories, or if a new deploy key has to be added first: then the next check reports problems.
 */
async function verify(
  { git, gitHubApp }: ConnectionRouteDeps,
  candidate: Candidate & Pick<Connection, 'provider' | 'installationId'>,
  secret: string | undefined,
): Promise<Verified | undefined> {
  if (git === undefined) return undefined
  if (candidate.credential === 'ssh-key' && secret === undefined) return undefined
  const remoteOf = (signal: AbortSignal) =>
    openRemote({ gitHubApp }, { ...candidate, secret }, signal)
  return verifyRepository({ git, remoteOf }, candidate)
}

/** Returns the dependencies for changing a connection, including who requested the change. */
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

/**
 * Returns the GitHub App installation of a repository, after checking that the person can use it.
 */
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
  // The repository may have been removed from the installation since the grant was created.
  const proof = await gitHubApp.proveInstallation(url, AbortSignal.timeout(TEST_MS_MAX))
  if (proof.kind === 'failed') {
    const code = proof.retryAfterSeconds === undefined ? 'conflict' : 'upstream-failed'
    throw new Problem(code, proof.message)
  }
  if (proof.installationId === granted) return granted
  throw new Problem('invalid-request', ONLY_GRANTED, { param: 'credential' })
}

/**
 * Returns the webhook to add at the Git host; undefined if the webhook of the GitHub App is used
 * instead.
 */
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
        : ['credential', FIELD_CONFLICTS[problem.kind]]
    throw new Problem('invalid-request', capitalize(detail), { param })
  }
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const ONLY_GRANTED =
  'A repository of the GitHub App must be connected on the dashboard, by a person who can push to it on GitHub, or by the operator. If you started on the dashboard more than a few minutes ago, start again.'

const FIELD_CONFLICTS: Readonly<Record<Exclude<RepositoryProblem['kind'], 'invalid'>, string>> = {
  'github-needed': 'A GitHub App reads repositories on GitHub only.',
  'ssh-url-needed':
    'A deploy key needs the SSH URL of the repository, such as git@github.com:owner/name.git.',
  'ssh-key-needed':
    'An SSH URL needs `ssh-key`. Otherwise, use the https URL of the repository, with or without a token.',
  'https-needed': 'A token is not sent over http. Use the https URL of the repository.',
}
