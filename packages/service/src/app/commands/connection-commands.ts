import { OPERATOR } from '../../platform/audit/request-audit.ts'
import type { Tenant } from '../../platform/database/database.ts'
import type { GitFailure, GitRefs } from '../../platform/git/git.ts'
import { createJobSender } from '../../platform/jobs/job-queue.ts'
import { createLog } from '../../platform/telemetry/log.ts'
import { tenantOf } from '../../projects/projects/store.ts'
import { BuildStore } from '../../publishing/builds/store.ts'
import {
  chooseBranch,
  explainBranch,
  printBranches,
} from '../../publishing/connections/choose-branch.ts'
import { addConnection, removeConnection } from '../../publishing/connections/manage-connection.ts'
import { readRemote } from '../../publishing/connections/read-remote.ts'
import { ConnectionStore, listConnections } from '../../publishing/connections/store.ts'
import { untilTimeout } from '../../publishing/connections/verify-repository.ts'
import type { Connection } from '../../publishing/providers/connection.ts'
import { GitHubApp } from '../../publishing/providers/github-app.ts'
import {
  type CommandInput,
  type CommandTable,
  type Lines,
  needSecretKeys,
  ofProject,
  type ProjectInput,
  UsageError,
} from './arguments.ts'
import { parseConnection, readToken } from './connection-options.ts'
import { printFailure, printHookSetup } from './connection-texts.ts'

const DELIVERIES_MAX = 50
const TEST_MS_MAX = 60_000
/** How long `connection add` waits for the repository. The connection is saved in any case. */
const ADD_MS_MAX = 10_000

export const CONNECTION_COMMANDS: CommandTable = {
  async *'connection add'(input) {
    needSecretKeys(input, 'the secrets of a connection')
    yield* ofProject(connectRepository)(input)
  },
  'connection list': printConnections,
  'connection test': ofProject(testConnection),

  /** Lists webhook deliveries, newest first. */
  'connection deliveries': ofProject(async function* ({ project }) {
    const store = new ConnectionStore(project.database)
    if ((await store.find()) === undefined) throw noConnection(project)
    const rows = await store.listDeliveries(DELIVERIES_MAX)
    if (rows.length === 0) yield 'No webhook has been received yet.'
    for (const row of rows) {
      const columns = [row.received_at.toISOString().slice(0, 19), row.status, row.event ?? '-']
      yield [...columns, row.ref ?? '-', row.delivery_id ?? '-'].join('  ')
      if (row.reason !== null) yield `  ${row.reason}`
    }
  }),

  'connection remove': ofProject(async function* (input) {
    const { project } = input
    if (!(await removeConnection(depsOf(input)))) throw noConnection(input.project)
    yield `Project ${project.public_id} is no longer built from a repository. The site stays as it is.`
    yield 'Delete the webhook and the token or deploy key in the settings of the repository.'
  }),
}

const depsOf = ({ project, settings: { secretKeys } }: ProjectInput) => ({
  database: project.database,
  secretKeys,
  requester: OPERATOR,
  publicId: project.public_id,
})

const noConnection = ({ public_id }: ProjectInput['project']) =>
  new UsageError(`Project ${public_id} has no repository. Run \`connection add\` to connect one.`)

/** `connection add`: the secret is only shown once. */
async function* connectRepository(input: ProjectInput): Lines {
  const { settings, project } = input
  const candidate = parseConnection(input)
  const installationId = await proveInstallation(input, candidate)
  const token = candidate.credential === 'token' ? await readToken(input) : undefined
  const added = await addConnection(depsOf(input), { ...candidate, installationId, token })
  if (added === undefined)
    throw new UsageError(
      `Project ${project.public_id} already has a repository. Run \`connection remove\` first.`,
    )
  const { connection, secret, deployKey } = added
  yield `Project ${project.public_id} is built from ${connection.url} (${connection.provider}).`
  if (deployKey === undefined) {
    await queueCheck(input, tenantOf(project))
    yield await describeStart(input, connection)
  } else {
    yield 'Add this deploy key to the repository, with read-only access:'
    yield deployKey
  }
  if (connection.credential === 'github-app' && settings.gitHubApp?.webhookSecret !== undefined) {
    yield 'Pushes are built immediately: the GitHub App reports them.'
    return
  }
  yield* printHookSetup(connection, settings.url)
  yield secret
}

/**
 * Reads the repository now, so that a mistake in the URL is reported at once and not later in a
 * log.
 */
async function describeStart(input: ProjectInput, connection: Connection): Promise<string> {
  if (input.git === undefined)
    return 'The repository is being checked. The first build then starts.'
  const refs = await readRefs(input, connection, ADD_MS_MAX)
  if (refs.kind === 'refs') return 'The repository can be read. The first build starts now.'
  return `The repository has not been built yet. ${printFailure(connection, refs)}`
}

async function readRefs(
  { settings, git, project, ...input }: ProjectInput,
  connection: Connection,
  msMax: number,
): Promise<GitRefs | GitFailure> {
  if (git === undefined) throw new Error('This command needs the git program, which is not set up.')
  const signal = AbortSignal.timeout(msMax)
  const { secretKeys } = settings
  const gitHubApp = openGitHubApp({ settings, ...input })
  const remote = await readRemote({ secretKeys, gitHubApp }, project.database, connection, signal)
  return 'kind' in remote ? remote : untilTimeout(git.listRefs(remote, signal), signal)
}

/** Queues a check now, so that the first build does not wait for the next scheduled check. */
async function queueCheck({ database, print, now }: CommandInput, tenant: Tenant): Promise<void> {
  const sender = createJobSender({ database, log: createLog(print, now) })
  try {
    await sender.send('check', tenant, database.query)
  } finally {
    await sender.stop()
  }
}

/**
 * Asks GitHub for the repository's installation, so that another owner's installation cannot be
 * used.
 */
async function proveInstallation(
  input: CommandInput,
  { credential, installationId: expected, url }: Omit<Connection, 'hookId'>,
): Promise<string | null> {
  if (credential !== 'github-app') return null
  const gitHubApp = openGitHubApp(input)
  if (gitHubApp === undefined)
    throw new UsageError(
      'This service has no GitHub App: OCTAVO_GITHUB_APP_ID is not set. Run `octavo-service github-app create`.',
    )
  const proof = await gitHubApp.proveInstallation(url, AbortSignal.timeout(TEST_MS_MAX))
  if (proof.kind === 'failed') throw new UsageError(proof.message)
  if (expected !== null && expected !== proof.installationId)
    throw new UsageError(
      `The repository is not in installation ${expected} of the GitHub App. Check --installation, or omit it.`,
    )
  return proof.installationId
}

const openGitHubApp = ({
  settings: { gitHubApp, allowPrivateHosts },
  now,
}: Pick<CommandInput, 'settings' | 'now'>) =>
  gitHubApp && new GitHubApp(gitHubApp, { allowPrivateHosts, now })

async function* printConnections({ database }: CommandInput): Lines {
  const connections = await listConnections(database)
  if (connections.length === 0) yield 'No repository is connected.'
  for (const {
    publicId,
    slug,
    provider,
    url,
    branch,
    folder,
    checkedAt,
    checkError,
  } of connections) {
    const place = `${branch ?? 'default branch'}${folder === '' ? '' : `, ${folder}`}`
    const checked =
      checkedAt === null ? 'never checked' : `checked ${checkedAt.toISOString().slice(0, 16)}`
    yield `${publicId}  ${slug}  ${provider}  ${url}  (${place})  ${checked}`
    if (checkError !== null) yield `  ${checkError}`
  }
}

/** `connection test`: reads the repository like a scheduled check. */
async function* testConnection(input: ProjectInput): Lines {
  const { database } = input.project
  const connection = await new ConnectionStore(database).find()
  if (connection === undefined) throw noConnection(input.project)
  const refs = await readRefs(input, connection, TEST_MS_MAX)
  if (refs.kind === 'failed') throw new Error(printFailure(connection, refs))
  const { defaultBranch, branches } = refs
  yield `✓ ${connection.url} can be read.`
  yield `  Default branch: ${defaultBranch ?? 'the server does not say'}`
  yield `  Branches: ${printBranches(refs)}`
  const published = await new ConnectionStore(database).productionBranch()
  const production = chooseBranch(refs, { branch: connection.branch, published })
  const missing = explainBranch(refs, production)
  if (production === undefined || missing !== undefined) throw new Error(missing)
  const folder = connection.folder === '' ? 'the root of the repository' : connection.folder
  yield `  Published: ${production} at ${branches.get(production)?.slice(0, 12)}`
  yield `  The first build checks whether docs.json is in ${folder}.`
  // Print the worker's last result too, since its network or clock may differ from this machine's.
  const { checkedAt, checkError } = connection
  if (checkError !== null) yield `  Last check of the worker: ${checkError}`
  else if (checkedAt === null) yield '  The worker has not checked the repository yet.'
  const newestOnly = { before: undefined, ref: undefined, state: undefined, limit: 1 }
  const [newest] = await new BuildStore(database, async () => {}).list(newestOnly)
  if (newest !== undefined && newest.report_error !== null)
    yield `  The status could not be reported to the Git host for build ${newest.id}: ${newest.report_error}`
}
