/** Operations on the deployments of one project. Readers never see an incomplete deployment. */
import { setTimeout as sleep } from 'node:timers/promises'
import type {
  BlobsReply,
  CreatedDeployment,
  Deployment,
  DeploymentBody,
  DeploymentDiff,
  DeploymentList,
  DocsSettingsReply,
  FinishReply,
  Project,
  PublicationReply,
  PublishBody,
} from '@octavo/contract'
import { QUESTIONS_PATH } from '@octavo/model'
import type { z } from 'zod'
import type { BlobName, BlobStore, PutOutcome } from '../../platform/blobs/blob-store.ts'
import type { Query } from '../../platform/database/database.ts'
import { Problem } from '../../platform/problem.ts'
import { compareDeployments } from './compare-deployments.ts'
import { describeProject } from './describe-project.ts'
import { readDocsSettings } from './docs-settings.ts'
import { LiveDeltas } from './live-deltas.ts'
import { publicSiteProblem } from './open-to-everyone.ts'
import { pagesWithWiderAccess } from './pages-with-wider-access.ts'
import { createPreviewName } from './preview-name.ts'
import { PREVIEWS_MAX, type PreviewOutcome, type PreviewStore } from './preview-store.ts'
import { retryableStore } from './reachable-store.ts'
import {
  DEPLOYMENT_LIMITS,
  digestOf,
  findBadEntries,
  findEntry,
  readRoot,
} from './read-manifest.ts'
import type { DeploymentFilter, DeploymentRow, DeploymentStore, PublishOutcome } from './store.ts'
import { invalidManifest, StoredManifests } from './stored-manifests.ts'
import { singleChunk, Uploads } from './uploads.ts'

const UPLOAD_MS_MAX = 24 * 3_600_000
/** The maximum number of pages that an error response lists. */
const LISTED_MAX = 200
const POLL_MS = 500

export type DeploymentDeps = {
  readonly store: DeploymentStore
  readonly previews: PreviewStore
  readonly blobs: BlobStore
  /** Returns the URL of a project's site; undefined if the service does not host sites. */
  readonly siteUrlOf: (slug: string) => string | undefined
  /** Returns the URL of a preview; undefined if the service does not host previews. */
  readonly previewUrlOf: (name: string) => string | undefined
  /**
   * Returns a function that queues the project's webhook in the transaction that publishes;
   * undefined if the project has no webhook.
   */
  readonly prepareWebhook: () => Promise<((query: Query) => Promise<void>) | undefined>
  /** Returns a function that queues the comparison of a finished deployment's specifications. */
  readonly prepareComparison?: () => Promise<(query: Query) => Promise<void>>
  /** Called after a site or a preview has changed to another deployment. */
  readonly onReleased: () => Promise<void>
  readonly now: () => number
}

type DeploymentInput = z.output<typeof DeploymentBody> & {
  readonly by: string
  readonly idempotencyKey: string | undefined
  readonly build?: string
}

export class DeploymentService {
  readonly deltas: LiveDeltas
  readonly #deps: DeploymentDeps
  readonly #store: DeploymentStore
  readonly #blobs: BlobStore
  readonly #manifests: StoredManifests
  readonly #uploads: Uploads

  constructor(deps: DeploymentDeps) {
    const blobs = retryableStore(deps.blobs)
    this.#deps = deps
    this.#store = deps.store
    this.#blobs = blobs
    this.#manifests = new StoredManifests(deps.store, blobs)
    this.#uploads = new Uploads(deps.store, blobs)
    const [store, manifests, uploads] = [deps.store, this.#manifests, this.#uploads]
    this.deltas = new LiveDeltas({ store, blobs, manifests, uploads })
  }

  put(blob: BlobName, body: AsyncIterable<Uint8Array>): Promise<PutOutcome> {
    return this.#uploads.put(blob, body)
  }

  putMany(body: AsyncIterable<Uint8Array>, length: number): Promise<z.input<typeof BlobsReply>> {
    return this.#uploads.putMany(body, length)
  }

  async create(input: DeploymentInput): Promise<z.input<typeof CreatedDeployment>> {
    this.#checkPreview(input)
    const parsed = readRoot(input.root)
    if (parsed.kind === 'malformed')
      throw invalidManifest([{ path: '_octavo/manifest.json', reason: parsed.reason }])
    const { root } = parsed
    if (root.asksForSignIn && input.acceptPublic !== true && !(await this.#store.isProtected()))
      throw publicSiteProblem()
    const count = root.runs.reduce((sum, run) => sum + run.count, 0)
    if (count > DEPLOYMENT_LIMITS.files)
      throw new Problem(
        'unprocessable',
        `A site can have at most ${DEPLOYMENT_LIMITS.files} files.`,
      )
    const bytes = Buffer.from(input.root)
    const sha256 = digestOf(bytes)
    await this.#uploads.put({ sha256, size: bytes.length }, singleChunk(bytes))
    const row = await this.#store.insert({
      root: Buffer.from(sha256, 'hex'),
      target: input.target,
      isDraft: input.draft,
      branch: input.branch ?? null,
      message: input.message ?? null,
      commit: input.commit ?? root.commit ?? null,
      by: input.by,
      idempotencyKey: input.idempotencyKey ?? null,
      build: input.build,
    })
    // An earlier attempt at this build was interrupted after it had uploaded everything.
    if (row.state === 'ready') return { ...(await this.#show(row)), missing: [] }
    return { ...(await this.#show(row)), missing: [...(await this.#manifests.missingOf(root))] }
  }

  /** Returns the digests of missing blobs. Runs come first, since they list the files. */
  async missing(id: string): Promise<readonly string[]> {
    return this.#manifests.missingOf(await this.#manifests.rootOf(await this.#findOpen(id)))
  }

  async finish(id: string): Promise<z.input<typeof FinishReply>> {
    const row = await this.#find(id)
    if (row.state !== 'ready') await this.#checkAndEnd(await this.#findOpen(id))
    const outcome = await this.#release(row)
    if (outcome === 'suspended') throw await this.#uploads.suspended()
    if (outcome === 'published') await this.#deps.onReleased()
    const done = await this.#show(await this.#find(id))
    return outcome === 'draft' || outcome === 'locked' || outcome === 'older'
      ? { ...done, notPublished: outcome }
      : done
  }

  async publish(
    id: string,
    { expectedLive: expected, acceptLooser }: z.infer<typeof PublishBody>,
  ): Promise<z.input<typeof PublicationReply>> {
    const row = await this.#find(id)
    if (acceptLooser !== true && expected !== null)
      await this.#assertAccessNotWidened(row, expected)
    const { outcome, live } = await this.#store.publish(
      id,
      { expected },
      await this.#deps.prepareWebhook(),
    )
    if (outcome === 'suspended') throw await this.#uploads.suspended()
    if (outcome === 'not-ready')
      throw new Problem(
        'conflict',
        `Deployment #${row.number} is ${(await this.#find(id)).state}, so it cannot be published.`,
      )
    if (outcome === 'live-changed')
      throw new Problem('conflict', await this.#describeLive(live), { param: 'expectedLive' })
    if (outcome === 'published') await this.#deps.onReleased()
    return this.#store.publication()
  }

  async cancel(id: string): Promise<z.input<typeof Deployment>> {
    await this.#findOpen(id)
    await this.#store.end(id, 'cancelled')
    return this.#show(await this.#find(id))
  }

  /**
   * Compares a deployment with `base`, or by default with the live deployment. Runs that both
   * deployments share are not read.
   */
  async diff(id: string, base: string | undefined): Promise<z.input<typeof DeploymentDiff>> {
    const row = await this.#findFinished(id)
    const baseId = base ?? (await this.#store.publication()).live
    const root = await this.#manifests.rootOf(row)
    const baseRow = baseId === null ? undefined : await this.#findFinished(baseId)
    const other = baseRow && (await this.#manifests.rootOf(baseRow))
    const before = other && (await this.#manifests.entriesOf(other, root))
    const after = await this.#manifests.entriesOf(root, other)
    const number = Number(row.number)
    const baseNumber = baseRow === undefined ? null : Number(baseRow.number)
    return { base: baseId, number, baseNumber, ...compareDeployments(before ?? [], after) }
  }

  async lock(reason: string | null): Promise<z.input<typeof PublicationReply>> {
    await this.#store.setLock(reason)
    return this.#store.publication()
  }

  project(): Promise<z.input<typeof Project>> {
    return describeProject(this.#store, this.#deps.siteUrlOf)
  }

  /** Returns the settings that the live deployment's docs.json determines. */
  async docsSettings(): Promise<DocsSettingsReply> {
    const { live } = await this.#store.publication()
    if (live === null) return { deployment: null, settings: [] }
    const row = await this.#find(live)
    return {
      deployment: live,
      ...(row.commit_sha !== null && { commit: row.commit_sha }),
      ...(row.branch !== null && { branch: row.branch }),
      settings: await readDocsSettings(this.#blobs, await this.#manifests.rootOf(row)),
    }
  }

  /** Returns the deployment, after waiting up to `waitSeconds` for its state to change. */
  async get(id: string, waitSeconds: number): Promise<z.input<typeof Deployment>> {
    const { now } = this.#deps
    const end = now() + waitSeconds * 1_000
    const first = await this.#find(id)
    let row = first
    while (stateOf(row) === stateOf(first) && now() < end) {
      await sleep(Math.min(POLL_MS, Math.max(1, end - now())))
      row = await this.#find(id)
    }
    return this.#show(row)
  }

  async list(
    before: string | undefined,
    limit: number,
    filter: DeploymentFilter = {},
  ): Promise<z.input<typeof DeploymentList>> {
    const rows = await this.#store.list(before, limit + 1, filter)
    const shown = rows.slice(0, limit)
    const next =
      rows.length > limit ? shown.at(-1)?.id : await this.#store.lastScanned(before, filter)
    return {
      deployments: await Promise.all(shown.map((row) => this.#show(row))),
      nextCursor: next ?? null,
    }
  }

  async #find(id: string): Promise<DeploymentRow> {
    const row = await this.#store.find(id)
    if (row === undefined) throw new Problem('not-found', 'This deployment does not exist.')
    return row
  }

  async #findOpen(id: string): Promise<DeploymentRow> {
    const row = await this.#find(id)
    if (row.state !== 'uploading')
      throw new Problem(
        'conflict',
        `Deployment #${row.number} is ${stateOf(row)}, not being uploaded.`,
      )
    if (this.#deps.now() - row.created_at.getTime() > UPLOAD_MS_MAX)
      throw new Problem('gone', 'A deployment must be finished within 24 hours.')
    return row
  }

  async #findFinished(id: string): Promise<DeploymentRow> {
    const row = await this.#find(id)
    if (row.state !== 'ready')
      throw new Problem(
        'conflict',
        `Deployment #${row.number} is ${stateOf(row)}, so it cannot be compared.`,
      )
    return row
  }

  /** Marks an upload as finished, after checking that it is complete and valid. */
  async #checkAndEnd(row: DeploymentRow): Promise<void> {
    const root = await this.#manifests.rootOf(row)
    const missingRuns = await this.#manifests.missingRuns(root)
    if (missingRuns.length > 0)
      throw new Problem('conflict', `${missingRuns.length} runs of the manifest are missing.`)
    const entries = await this.#manifests.entriesOf(root)
    const sizes = await this.#store.sizes([...new Set(entries.map(({ sha256 }) => sha256))])
    const bad = findBadEntries(entries, sizes)
    if (bad.length > 0) throw invalidManifest(bad)
    const bytes = entries.reduce((sum, { size }) => sum + size, 0)
    if (bytes > DEPLOYMENT_LIMITS.bytes)
      throw new Problem(
        'unprocessable',
        `A site can have at most ${DEPLOYMENT_LIMITS.bytes} bytes.`,
      )
    const size = { files: entries.length, bytes }
    await this.#store.end(row.id, 'ready', size, await this.#deps.prepareComparison?.())
  }

  /** Throws a problem if a rollback would make a page readable by more readers than now. */
  async #assertAccessNotWidened(row: DeploymentRow, liveId: string): Promise<void> {
    const live = await this.#store.find(liveId)
    const isOlder = live?.state === 'ready' && Number(row.number) < Number(live.number)
    if (!isOlder || row.state !== 'ready') return
    const [before, after] = [await this.#manifests.rootOf(live), await this.#manifests.rootOf(row)]
    const pages = pagesWithWiderAccess(
      await this.#manifests.entriesOf(before, after),
      await this.#manifests.entriesOf(after, before),
      await this.#store.isProtected(),
    )
    if (pages.length === 0) return
    const count = pages.length === 1 ? 'one page' : `${pages.length} pages`
    throw new Problem(
      'conflict',
      `After this rollback, more readers than today could read ${count}. To roll back anyway, set \`acceptLooser\` (\`--accept-looser\`).`,
      {
        param: 'acceptLooser',
        errors: pages
          .slice(0, LISTED_MAX)
          .map((path) => ({ path, reason: 'More readers than now could read this page.' })),
      },
    )
  }

  /** Throws a problem for options that previews do not support. */
  #checkPreview({ target, branch, draft }: DeploymentInput): void {
    if (target === 'production') return
    if (this.#deps.previewUrlOf('x') === undefined)
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

  /**
   * Publishes a finished deployment as the site or as a preview, unless the deployment is a draft
   * or outdated, or the project is locked.
   */
  async #release(row: DeploymentRow): Promise<PublishOutcome | PreviewOutcome | 'draft'> {
    const { id, is_draft, target, branch } = row
    if (is_draft) return 'draft'
    if (target === 'production')
      return (await this.#store.publish(id, { automatic: true }, await this.#deps.prepareWebhook()))
        .outcome
    const { slug } = await this.#store.project()
    const promised = await this.#store.promisedPreviewName(id)
    const name = promised ?? createPreviewName(slug, branch ?? '')
    const root = await this.#manifests.rootOf(row)
    const hasQuestions = (await findEntry(this.#blobs, root, QUESTIONS_PATH)) !== undefined
    const outcome = await this.#deps.previews.publish(id, name, hasQuestions)
    if (outcome === 'too-many')
      throw new Problem(
        'conflict',
        `A project can have ${PREVIEWS_MAX} previews. Delete some and finish again.`,
      )
    return outcome
  }

  async #describeLive(id: string | null): Promise<string> {
    if (id === null) return 'No deployment is live now.'
    return `Deployment #${(await this.#find(id)).number} is live now.`
  }

  async #show(row: DeploymentRow): Promise<z.input<typeof Deployment>> {
    return {
      id: row.id,
      number: Number(row.number),
      state: stateOf(row),
      target: row.target,
      draft: row.is_draft,
      ...(row.branch !== null && { branch: row.branch }),
      ...(row.message !== null && { message: row.message }),
      ...(row.commit_sha !== null && { commit: row.commit_sha }),
      ...(row.author !== null && { author: row.author }),
      ...(row.file_count !== null && { files: row.file_count }),
      ...(row.byte_count !== null && { bytes: Number(row.byte_count) }),
      createdAt: row.created_at.toISOString(),
      ...(row.finished_at !== null && { finishedAt: row.finished_at.toISOString() }),
      ...(row.published_at !== null && { publishedAt: row.published_at.toISOString() }),
      url: await this.#urlOf(row),
    }
  }

  async #urlOf({ is_live, preview_name }: DeploymentRow): Promise<string | undefined> {
    if (is_live) return this.#deps.siteUrlOf((await this.#store.project()).slug)
    return preview_name === null ? undefined : this.#deps.previewUrlOf(preview_name)
  }
}

/**
 * Returns the state that the API shows. Whether a deployment is `live` or `superseded` depends on
 * the project's pointer.
 */
function stateOf(row: DeploymentRow): z.input<typeof Deployment>['state'] {
  if (row.is_live) return 'live'
  if (row.state === 'ready' && row.published_at !== null) return 'superseded'
  return row.state as z.input<typeof Deployment>['state']
}
