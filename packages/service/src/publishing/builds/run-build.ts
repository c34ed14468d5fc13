/**
 * Runs one build, from the commit to the deployment. Outcomes that an author or a repository can
 * cause are returned. Only outages are thrown, and then the build is restarted.
 */
import { formatCount } from '@octavo/model'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import type { Tenant } from '../../platform/database/database.ts'
import type { Checkout, Git, GitFailure, GitRemote } from '../../platform/git/git.ts'
import { Problem } from '../../platform/problem.ts'
import type { Isolation } from '../../platform/sandbox/isolation.ts'
import type { SandboxLimits } from '../../platform/sandbox/start-in-sandbox.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import type { DeploymentService } from '../deployments/deployment-service.ts'
import { ACCEPT_PUBLIC, notProtected } from '../deployments/open-to-everyone.ts'
import { restoreCache, saveCache } from './build-cache.ts'
import type { BuildLog } from './build-log.ts'
import { asStoredText, type FoundDiagnostic } from './build-protocol.ts'
import { findNoChange, findSkipMark, packUnread } from './find-skip.ts'
import { type Built, runBuildProcess } from './run-build-process.ts'
import { type SentDeployment, sendDeployment } from './send-deployment.ts'
import type { BuildEnd, BuildRow, BuildStore } from './store.ts'
import type { ProjectFolders, WorkFolder } from './work-folder.ts'

/** The source of a build's files. */
type BuildSource = {
  readonly kind: 'source'
  readonly remote: GitRemote
  /** The ref that Git fetches, such as `refs/heads/main`. */
  readonly gitRef: string
  /** The documentation folder; empty for the repository's root. */
  readonly folder: string
  /** The branch for edit links. */
  readonly editBranch: string
}

export type RunBuildDeps = {
  readonly git: Git
  /** Returns the source with its credentials; undefined if the project is no longer connected. */
  readonly sourceOf: (
    tenant: Tenant,
    build: BuildRow,
    signal: AbortSignal,
  ) => Promise<BuildSource | GitFailure | undefined>
  readonly deploymentsOf: (tenant: Tenant) => DeploymentService
  readonly blobs: BlobStore
  readonly isolation: Isolation
  readonly limits?: Partial<SandboxLimits> | undefined
  readonly work: WorkFolder
  /** The builder's version. */
  readonly version: string
  readonly allowPrivateHosts: readonly string[]
  readonly now: () => number
  readonly log: Log
}

export type RunningBuild = {
  readonly tenant: Tenant
  readonly build: BuildRow
  readonly store: BuildStore
  readonly log: BuildLog
  readonly signal: AbortSignal
}

/**
 * Thrown when the build has to stop because it was canceled or superseded, or because the worker
 * stops.
 */
export class BuildStopped extends Error {}
/** Thrown during an outage. The build is restarted, and the owner sees the message. */
export class BuildInterrupted extends Error {}

const MESSAGE_LENGTH_MAX = 1_000
const AUTHOR_LENGTH_MAX = 200
const WORKERS_MAX = 2

export async function runBuild(deps: RunBuildDeps, running: RunningBuild): Promise<BuildEnd> {
  const { build, tenant, log } = running
  const folders = deps.work.open(tenant.projectId, deps.now())
  try {
    const source = await deps.sourceOf(tenant, build, running.signal)
    if (source === undefined)
      return { state: 'failed', reason: 'The project is no longer connected to a repository.' }
    if (source.kind === 'failed') {
      log.write(source.message)
      if (!source.isFinal) throw new BuildInterrupted(source.message)
      return { state: 'failed', reason: source.message }
    }
    const checkout = await fetchCommit(deps, running, { source, folders })
    if (checkout.kind === 'failed')
      return {
        state: 'failed',
        reason: checkout.message,
        ...(checkout.code === 'no-such-folder' && { hasDocsJson: false }),
      }
    const skipped = await findSkip(deps, running, { source, folders, checkout })
    if (skipped !== undefined) {
      log.write(`Skipped. ${skipped}`)
      return { state: 'skipped', reason: skipped }
    }
    // A build of a fork must not leave files that builds of the repository itself would use.
    const own = build.is_fork ? undefined : folders
    const built = await buildCommit(deps, running, { source, checkout, own, folders })
    if (!('site' in built)) return built
    return await deploy(deps, running, { ...built, own })
  } finally {
    folders.clean()
  }
}

type Fetching = { readonly source: BuildSource; readonly folders: ProjectFolders }

async function fetchCommit(
  { git, now }: RunBuildDeps,
  { build, store, tenant, log, signal }: RunningBuild,
  { source, folders }: Fetching,
): Promise<Checkout | GitFailure> {
  log.write(`Fetching ${build.ref} at ${build.commit_sha.slice(0, 7)}.`)
  const began = now()
  const { remote, gitRef, folder } = source
  const checkout = await git.checkout(
    {
      remote,
      cacheKey: tenant.projectId,
      ref: gitRef,
      commit: build.commit_sha,
      folder,
      into: folders.source,
    },
    signal,
  )
  if (signal.aborted) throw new BuildStopped()
  if (checkout.kind === 'failed') {
    log.write(checkout.message)
    if (!checkout.isFinal) throw new BuildInterrupted(checkout.message)
    return checkout
  }
  for (const note of checkout.notes) log.write(note)
  log.write(`Fetched ${plural(checkout.fileCount, 'file')} in ${seconds(now() - began)}.`)
  const [subject] = asStoredText(checkout.message).slice(0, MESSAGE_LENGTH_MAX).split('\n')
  const author = asStoredText(checkout.author).slice(0, AUTHOR_LENGTH_MAX)
  await store.recordCommit(build, subject ?? '', author)
  return checkout
}

/**
 * Returns the reason to skip the build, if any. Only builds of pushes can be skipped: requested
 * builds and scheduled specification updates always run.
 */
async function findSkip(
  { git }: RunBuildDeps,
  { build, store, tenant }: RunningBuild,
  { source, folders, checkout }: Fetching & { readonly checkout: Checkout },
): Promise<string | undefined> {
  if (build.trigger !== 'webhook' && build.trigger !== 'check') return undefined
  const mark = findSkipMark(checkout.message)
  if (mark !== undefined) return mark
  const earlier = await store.earlier(build)
  if (earlier === undefined) return undefined
  const { projectId } = tenant
  const changedPaths = await git.changedPaths(projectId, earlier.commit, build.commit_sha)
  if (changedPaths === undefined) return undefined
  return findNoChange({ earlier, folder: source.folder, source: folders.source, changedPaths })
}

type Building = Fetching & {
  readonly checkout: Checkout
  /** The project's permanent folders; undefined for a fork. */
  readonly own: ProjectFolders | undefined
}

type BuiltSite = { readonly site: Built; readonly output: string }

async function buildCommit(
  deps: RunBuildDeps,
  running: RunningBuild,
  { source, checkout, own, folders }: Building,
): Promise<BuiltSite | BuildEnd> {
  const { build, store, tenant, log, signal } = running
  const { isolation, work, version, now } = deps
  if (!(await store.advance(build, 'building'))) throw new BuildStopped()
  if (await restoreCache({ store, blobs: deps.blobs }, folders))
    log.write('Restored the compile cache.')
  work.addSharedScripts(folders)
  const used = own ?? work.openCopy(folders)
  log.write(`Building in ${isolation.description}.`)
  const began = now()
  const { url, failOn } = await deps.deploymentsOf(tenant).project()
  const outcome = await runBuildProcess({
    isolation,
    order: {
      folder: used.source,
      output: used.output,
      cacheFolder: used.cache,
      version,
      siteUrl: url,
      failOn,
      changedAt: [...checkout.changedAt],
      repository: {
        remote: source.remote.url,
        prefix: source.folder === '' ? '' : `${source.folder}/`,
        branch: source.editBranch,
      },
      workersMax: WORKERS_MAX,
      nowMs: now(),
    },
    temporaryFolder: used.temporary,
    codeFolder: work.code,
    allowPrivateHosts: deps.allowPrivateHosts,
    ...(deps.limits && { limits: deps.limits }),
    onProgress: (done, total) => log.write(`${formatCount(done)} of ${plural(total, 'page')}`),
    signal,
  })
  if (signal.aborted) throw new BuildStopped()
  if (outcome.kind === 'failed') {
    deps.log.error('a build process failed', { build: build.id, detail: outcome.detail })
    return { state: 'failed', reason: outcome.message }
  }
  await store.recordFindings(build, {
    errors: outcome.counts.error,
    warnings: outcome.counts.warning,
    diagnostics: JSON.stringify(outcome.diagnostics),
    unread: outcome.unread && packUnread(source.folder, outcome.unread),
  })
  for (const found of outcome.diagnostics) {
    if (found.severity === 'error') log.write(printError(found))
  }
  const { compiledCount, pageCount, counts, knownCount } = outcome
  log.write(
    `${plural(compiledCount, 'page')} compiled, ${formatCount(pageCount - compiledCount)} unchanged, ${plural(counts.error, 'error')}, ${plural(counts.warning, 'warning')}${knownCount === 0 ? '' : `, ${formatCount(knownCount)} known`}, ${seconds(now() - began)}.`,
  )
  return explainStop(outcome, log) ?? { site: outcome, output: used.output }
}

/** Returns undefined if the site can be published. */
function explainStop(outcome: Built, log: BuildLog): BuildEnd | undefined {
  const { stoppingCount, diagnostics } = outcome
  const hasDocsJson = !diagnostics.some(({ code }) => code === 'config/not-found')
  if (!outcome.hasSite)
    return {
      state: 'failed',
      reason: `${diagnostics[0]?.message ?? 'There is no site.'}`,
      hasDocsJson,
    }
  if (stoppingCount > 0) {
    log.write(STOPPED_HINT)
    return {
      state: 'failed',
      reason: `${plural(stoppingCount, 'problem')} ${stoppingCount === 1 ? 'stops' : 'stop'} the deployment.`,
      hasDocsJson,
    }
  }
  return undefined
}

/**
 * Uploads the site and creates the deployment. The build can no longer be canceled: the upload
 * takes only a moment, and half of it would be useless.
 */
async function deploy(
  deps: RunBuildDeps,
  running: RunningBuild,
  { site, output, own }: BuiltSite & Pick<Building, 'own'>,
): Promise<BuildEnd> {
  const { build, store, tenant, log } = running
  if (!(await store.advance(build, 'uploading'))) throw new BuildStopped()
  const began = deps.now()
  const deployments = deps.deploymentsOf(tenant)
  const current = (await store.find(build.id)) ?? build
  const sent = await sendDeployment(deployments, {
    build: current,
    output,
    liveRoot: await store.liveRoot(),
  }).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code === 'unavailable') throw error
    const [first] = error.errors ?? []
    const detail = first === undefined ? '' : ` ${first.path}: ${first.reason}`
    return { kind: 'refused', reason: `${error.message}${detail}`, param: error.param } as const
  })
  if (sent.kind === 'refused' && sent.param === ACCEPT_PUBLIC) {
    const found = notProtected(site.diagnostics)
    await store.addError(build, found)
    log.write(printError(found))
    return { state: 'failed', reason: found.message }
  }
  if (sent.kind === 'refused') {
    log.write(sent.reason)
    return { state: 'failed', reason: sent.reason }
  }
  const reason = describe(sent, build)
  log.write(`${reason} (${seconds(deps.now() - began)})`)
  if (own !== undefined && build.target === 'production')
    await saveCache({ store, blobs: deps.blobs, deployments }, own, site).catch(
      (error: unknown) => {
        // The site is live anyway; another worker will build without this cache.
        deps.log.error('a compile cache was not saved', { build: build.id, error })
      },
    )
  const made = sent.kind === 'sent' && { deployment: sent.deployment }
  return { state: 'finished', reason, hasDocsJson: true, ...made }
}

const STOPPED_HINT =
  'Fix the problems, accept the current problems with `octavo check --write-baseline`, or change which problems stop a deployment: `deploy.failOn` in docs.json, or the settings of the project.'

const printError = ({ code, message, place }: FoundDiagnostic) =>
  `error  ${place.file}:${place.line}:${place.column}  ${code}  ${message}`

function describe(sent: SentDeployment, { target, ref }: BuildRow): string {
  if (sent.kind === 'same') return 'Nothing changed: the live site has the same files.'
  const files = `${formatCount(sent.sentFiles)} of ${plural(sent.files, 'file')} were new.`
  const at = sent.url === undefined ? '' : `: ${sent.url}`
  if (target === 'preview')
    return sent.deployment.notPublished === undefined
      ? `The preview of ${ref} is live${at}. ${files}`
      : `The preview of ${ref} shows a newer deployment. ${files}`
  switch (sent.deployment.notPublished) {
    case 'locked':
      return `Deployment ready. The project is locked, so it is not published. ${files}`
    case 'older':
      return `Deployment ready. A newer deployment is live, so it is not published. ${files}`
    default:
      return `The site is live${at}. ${files}`
  }
}

const plural = (count: number, noun: string) =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
