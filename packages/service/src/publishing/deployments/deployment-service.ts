/** What can be done with the deployments of one project. A deployment is all of its tree or nothing. */
import { setTimeout as sleep } from 'node:timers/promises'
import type {
  CreatedDeployment,
  Deployment,
  DeploymentBody,
  DeploymentDiff,
  DeploymentList,
  FinishReply,
  Project,
  PublicationReply,
  PublishBody,
  UsageReply,
} from '@octavo/contract'
import type { ManifestEntry, ManifestRoot } from '@octavo/model'
import type { z } from 'zod'
import { type BlobStore, forEachLimited } from '../../platform/blobs/blob-store.ts'
import { readBlob } from '../../platform/blobs/read-blob.ts'
import type { Query } from '../../platform/database/database.ts'
import { Problem } from '../../platform/problem.ts'
import { compareDeployments } from './compare-deployments.ts'
import { loosenedPages } from './loosened-pages.ts'
import { openToEveryone } from './open-to-everyone.ts'
import { createPreviewName } from './preview-name.ts'
import { PREVIEWS_MAX, type PreviewOutcome, type PreviewStore } from './preview-store.ts'
import { reachableStore } from './reachable-store.ts'
import { DEPLOYMENT_LIMITS, digestOf, findBadEntries, readRoot, readRun } from './read-manifest.ts'
import type { DeploymentFilter, DeploymentRow, DeploymentStore, PublishOutcome } from './store.ts'
import { createUploads, onePiece } from './uploads.ts'

const UPLOAD_MS_MAX = 24 * 3_600_000
/** Pages that a refusal names. */
const LISTED_MAX = 200
const MISSING_MAX = 10_000
const POLL_MS = 500
const RUNS_AT_ONCE = 8
/** Errors in one reply. */
const ERRORS_MAX = 1_000

export type DeploymentDeps = {
  readonly store: DeploymentStore
  readonly previews: PreviewStore
  readonly blobs: BlobStore
  /** Where the site of a project is; nothing where no sites are served. */
  readonly siteUrlOf: (slug: string) => string | undefined
  /** Where a preview is; nothing where no previews are served. */
  readonly previewUrlOf: (name: string) => string | undefined
  /** Gives what queues the webhook, in the transaction that publishes; nothing without a webhook. */
  readonly prepareWebhook: () => Promise<((query: Query) => Promise<void>) | undefined>
  /** After a site or a preview shows another deployment. */
  readonly onReleased: () => Promise<void>
  readonly now: () => number
}

type Wish = z.output<typeof DeploymentBody> & {
  readonly by: string
  readonly idempotencyKey: string | undefined
  readonly build?: string
}

export type DeploymentService = ReturnType<typeof createDeploymentService>

export function createDeploymentService(deps: DeploymentDeps) {
  const { store, previews, siteUrlOf, previewUrlOf, prepareWebhook, now } = deps
  const blobs = reachableStore(deps.blobs)
  const uploads = createUploads(store, blobs)

  async function missingAmong(digests: readonly string[]): Promise<readonly string[]> {
    const known = await store.sizes(digests)
    return digests.filter((digest) => !known.has(digest))
  }

  async function find(id: string): Promise<DeploymentRow> {
    const row = await store.find(id)
    if (row === undefined) throw new Problem('not-found', 'This deployment does not exist.')
    return row
  }

  async function findOpen(id: string): Promise<DeploymentRow> {
    const row = await find(id)
    if (row.state !== 'uploading')
      throw new Problem('conflict', `This deployment is ${stateOf(row)}, not being uploaded.`)
    if (now() - row.created_at.getTime() > UPLOAD_MS_MAX)
      throw new Problem('gone', 'A deployment must be finished within 24 hours.')
    return row
  }

  async function findFinished(id: string): Promise<DeploymentRow> {
    const row = await find(id)
    if (row.state !== 'ready')
      throw new Problem(
        'conflict',
        `Deployment ${id} is ${stateOf(row)}, so it cannot be compared.`,
      )
    return row
  }

  async function rootOf(row: DeploymentRow): Promise<ManifestRoot> {
    const bytes = await readBlob(blobs, row.root.toString('hex'), DEPLOYMENT_LIMITS.manifestBytes)
    const parsed = bytes && readRoot(bytes.toString('utf8'))
    if (parsed?.kind === 'root') return parsed.root
    throw new Error('the root of a deployment is gone')
  }

  /** The entries of some runs; what is wrong with them is collected. */
  async function entriesOf({ root, indexes }: SomeRuns): Promise<readonly ManifestEntry[]> {
    const runs: (readonly ManifestEntry[])[] = []
    const errors: { path: string; reason: string }[] = []
    await forEachLimited(indexes, {
      atOnce: RUNS_AT_ONCE,
      call: async (index) => {
        const run = await readRun(blobs, root, index)
        if (run.kind === 'run') runs[index] = run.entries
        else errors.push({ path: root.runs[index]?.first ?? '', reason: run.reason })
      },
    })
    if (errors.length > 0) throw invalidManifest(errors)
    return runs.flat()
  }

  async function missingOf(root: ManifestRoot): Promise<readonly string[]> {
    const runs = await missingAmong(root.runs.map(({ sha256 }) => sha256))
    if (runs.length > 0) return runs.slice(0, MISSING_MAX)
    const entries = await entriesOf(allRuns(root))
    const digests = [...new Set(entries.map(({ sha256 }) => sha256))]
    return (await missingAmong(digests)).slice(0, MISSING_MAX)
  }

  /** A rollback must not let anybody read more than now without somebody wanting it. */
  async function refuseLooser(row: DeploymentRow, liveId: string): Promise<void> {
    const live = await store.find(liveId)
    const isOlder = live?.state === 'ready' && Number(row.number) < Number(live.number)
    if (!isOlder || row.state !== 'ready') return
    const [before, after] = [await rootOf(live), await rootOf(row)]
    const pages = loosenedPages(
      await entriesOf(without(before, after)),
      await entriesOf(without(after, before)),
      await store.isProtected(),
    )
    if (pages.length === 0) return
    const count = pages.length === 1 ? 'one page' : `${pages.length} pages`
    throw new Problem(
      'conflict',
      `After this rollback, more readers than now could read ${count}. To roll back all the same, set \`acceptLooser\` (\`--accept-looser\`).`,
      {
        param: 'acceptLooser',
        errors: pages
          .slice(0, LISTED_MAX)
          .map((path) => ({ path, reason: 'More readers could read it than now.' })),
      },
    )
  }

  const show = async (row: DeploymentRow): Promise<z.input<typeof Deployment>> => ({
    id: row.id,
    number: Number(row.number),
    state: stateOf(row),
    target: row.target,
    draft: row.is_draft,
    ...(row.branch !== null && { branch: row.branch }),
    ...(row.message !== null && { message: row.message }),
    ...(row.commit_sha !== null && { commit: row.commit_sha }),
    ...(row.file_count !== null && { files: row.file_count }),
    ...(row.byte_count !== null && { bytes: Number(row.byte_count) }),
    createdAt: row.created_at.toISOString(),
    ...(row.finished_at !== null && { finishedAt: row.finished_at.toISOString() }),
    ...(row.published_at !== null && { publishedAt: row.published_at.toISOString() }),
    url: await urlOf(row),
  })

  async function urlOf({ is_live, preview_name }: DeploymentRow): Promise<string | undefined> {
    if (is_live) return siteUrlOf((await store.project()).slug)
    return preview_name === null ? undefined : previewUrlOf(preview_name)
  }

  /** What a preview cannot be. */
  function checkPreview({ target, branch, draft }: Wish): void {
    if (target === 'production') return
    if (previewUrlOf('x') === undefined)
      throw new Problem(
        'conflict',
        'This service has no previews: OCTAVO_PREVIEWS_DOMAIN is not set.',
      )
    if (branch === undefined || branch === '')
      throw new Problem('invalid-request', 'A preview needs the name of its branch.', {
        param: 'branch',
      })
    if (draft)
      throw new Problem('invalid-request', 'A preview cannot be a draft.', { param: 'draft' })
  }

  /** A finished deployment goes where it was made for, unless something is against it. */
  async function release({
    id,
    is_draft,
    target,
    branch,
  }: DeploymentRow): Promise<PublishOutcome | PreviewOutcome | 'draft'> {
    if (is_draft) return 'draft'
    if (target === 'production')
      return (await store.publish(id, { automatic: true }, await prepareWebhook())).outcome
    const { slug } = await store.project()
    const promised = await store.promisedPreviewName(id)
    const outcome = await previews.publish(id, promised ?? createPreviewName(slug, branch ?? ''))
    if (outcome === 'too-many')
      throw new Problem(
        'conflict',
        `A project can have ${PREVIEWS_MAX} previews. Delete some and finish again.`,
      )
    return outcome
  }

  return {
    put: uploads.put,
    putMany: uploads.putMany,

    async create(wish: Wish): Promise<z.input<typeof CreatedDeployment>> {
      checkPreview(wish)
      const parsed = readRoot(wish.root)
      if (parsed.kind === 'malformed')
        throw invalidManifest([{ path: '_octavo/manifest.json', reason: parsed.reason }])
      const { root } = parsed
      if (root.asksForSignIn && wish.acceptPublic !== true && !(await store.isProtected()))
        throw openToEveryone()
      const count = root.runs.reduce((sum, run) => sum + run.count, 0)
      if (count > DEPLOYMENT_LIMITS.files)
        throw new Problem('unprocessable', `A site can have ${DEPLOYMENT_LIMITS.files} files.`)
      const bytes = Buffer.from(wish.root)
      const sha256 = digestOf(bytes)
      await uploads.put({ sha256, size: bytes.length }, onePiece(bytes))
      const row = await store.insert({
        root: Buffer.from(sha256, 'hex'),
        target: wish.target,
        isDraft: wish.draft,
        branch: wish.branch ?? null,
        message: wish.message ?? null,
        commit: wish.commit ?? root.commit ?? null,
        by: wish.by,
        idempotencyKey: wish.idempotencyKey ?? null,
        build: wish.build,
      })
      // A build that was interrupted after its upload.
      if (row.state === 'ready') return { ...(await show(row)), missing: [] }
      return { ...(await show(row)), missing: [...(await missingOf(root))] }
    },

    /** Runs first: what files there are is written in them. */
    async missing(id: string): Promise<readonly string[]> {
      return missingOf(await rootOf(await findOpen(id)))
    },

    async finish(id: string): Promise<z.input<typeof FinishReply>> {
      const row = await find(id)
      if (row.state !== 'ready') {
        const root = await rootOf(await findOpen(id))
        const missingRuns = await missingAmong(root.runs.map(({ sha256 }) => sha256))
        if (missingRuns.length > 0)
          throw new Problem('conflict', `${missingRuns.length} runs of the manifest are missing.`)
        const entries = await entriesOf(allRuns(root))
        const sizes = await store.sizes([...new Set(entries.map(({ sha256 }) => sha256))])
        const bad = findBadEntries(entries, sizes)
        if (bad.length > 0) throw invalidManifest(bad)
        const bytes = entries.reduce((sum, { size }) => sum + size, 0)
        if (bytes > DEPLOYMENT_LIMITS.bytes)
          throw new Problem('unprocessable', `A site can have ${DEPLOYMENT_LIMITS.bytes} bytes.`)
        await store.end(id, 'ready', { files: entries.length, bytes })
      }
      const outcome = await release(row)
      if (outcome === 'suspended') throw await uploads.suspended()
      if (outcome === 'published') await deps.onReleased()
      const done = await show(await find(id))
      return outcome === 'draft' || outcome === 'locked' || outcome === 'older'
        ? { ...done, notPublished: outcome }
        : done
    },

    async publish(
      id: string,
      { expectedLive: expected, acceptLooser }: z.infer<typeof PublishBody>,
    ): Promise<z.input<typeof PublicationReply>> {
      const row = await find(id)
      if (acceptLooser !== true && expected !== null) await refuseLooser(row, expected)
      const { outcome, live } = await store.publish(id, { expected }, await prepareWebhook())
      if (outcome === 'suspended') throw await uploads.suspended()
      if (outcome === 'not-ready')
        throw new Problem(
          'conflict',
          `This deployment is ${(await find(id)).state}, so it cannot be published.`,
        )
      if (outcome === 'live-changed')
        throw new Problem('conflict', `The live deployment is ${live ?? 'none'}.`, {
          param: 'expectedLive',
        })
      if (outcome === 'published') await deps.onReleased()
      return store.publication()
    },

    async cancel(id: string): Promise<z.input<typeof Deployment>> {
      await findOpen(id)
      await store.end(id, 'cancelled')
      return show(await find(id))
    },

    /** With the live deployment, or another one; runs that both have are not even read. */
    async diff(id: string, base: string | undefined): Promise<z.input<typeof DeploymentDiff>> {
      const row = await findFinished(id)
      const baseId = base ?? (await store.publication()).live
      const root = await rootOf(row)
      const other = baseId === null ? undefined : await rootOf(await findFinished(baseId))
      const before = other && (await entriesOf(without(other, root)))
      const after = await entriesOf(other === undefined ? allRuns(root) : without(root, other))
      return { base: baseId, ...compareDeployments(before ?? [], after) }
    },

    async lock(reason: string | null): Promise<z.input<typeof PublicationReply>> {
      await store.setLock(reason)
      return store.publication()
    },

    project: () => describeProject(store, siteUrlOf),

    async usage(): Promise<z.input<typeof UsageReply>> {
      const { stored, stored_max, requests, sent, deployments } = await store.usage()
      return {
        storage: {
          bytes: Number(stored),
          bytesMax: stored_max === null ? null : Number(stored_max),
        },
        readers: { requests: Number(requests), bytes: Number(sent) },
        deployments: Number(deployments),
      }
    },

    /** Waits for a change of its state, for so many seconds at most. */
    async get(id: string, waitSeconds: number): Promise<z.input<typeof Deployment>> {
      const end = now() + waitSeconds * 1_000
      const first = await find(id)
      let row = first
      while (stateOf(row) === stateOf(first) && now() < end) {
        await sleep(Math.min(POLL_MS, Math.max(1, end - now())))
        row = await find(id)
      }
      return show(row)
    },

    async list(
      before: string | undefined,
      limit: number,
      filter: DeploymentFilter = {},
    ): Promise<z.input<typeof DeploymentList>> {
      const rows = await store.list(before, limit + 1, filter)
      const shown = rows.slice(0, limit)
      const next = rows.length > limit ? shown.at(-1)?.id : await store.lastScanned(before, filter)
      return { deployments: await Promise.all(shown.map(show)), nextCursor: next ?? null }
    },
  }
}

type SomeRuns = { readonly root: ManifestRoot; readonly indexes: readonly number[] }

const allRuns = (root: ManifestRoot): SomeRuns => ({ root, indexes: [...root.runs.keys()] })

/** Runs of the one that the other does not have. */
function without(root: ManifestRoot, other: ManifestRoot): SomeRuns {
  const known = new Set(other.runs.map(({ sha256 }) => sha256))
  const indexes = [...root.runs.entries()]
    .filter(([, { sha256 }]) => !known.has(sha256))
    .map(([index]) => index)
  return { root, indexes }
}

/** `live` and `superseded` are told by the pointer, not by the deployment. */
function stateOf(row: DeploymentRow): z.input<typeof Deployment>['state'] {
  if (row.is_live) return 'live'
  if (row.state === 'ready' && row.published_at !== null) return 'superseded'
  return row.state as z.input<typeof Deployment>['state']
}

function invalidManifest(errors: readonly { path: string; reason: string }[]): Problem {
  const noun = errors.length === 1 ? 'problem' : 'problems'
  return new Problem('unprocessable', `The manifest has ${errors.length} ${noun}.`, {
    param: 'root',
    errors: errors.slice(0, ERRORS_MAX),
  })
}

/** Also for a service that stores no sites. */
export async function describeProject(
  store: DeploymentStore,
  siteUrlOf: (slug: string) => string | undefined,
): Promise<z.input<typeof Project>> {
  const { public_id, name, slug } = await store.project()
  const domain = await store.ownDomain()
  const url = domain === undefined ? siteUrlOf(slug) : `https://${domain}`
  const publication = await store.publication()
  return { id: public_id, name, slug, ...(url !== undefined && { url }), ...publication }
}
