/**
 * Tools for the reviewers of a preview: the list of changed pages for the preview bar in
 * `host-script.ts`, and the live pages for comparison. Both only contain what the reader of the
 * preview may see.
 */
import { INERT_POLICY } from '@octavo/model'
import { LRUCache } from 'lru-cache'
import { decodePath } from '../../platform/http/reader-request.ts'
import { sendJson, sendText, sendUncached } from '../../platform/http/send-response.ts'
import {
  compareDeployments,
  type DeploymentChanges,
} from '../../publishing/deployments/compare-deployments.ts'
import { type BlobCache, CACHED_BLOB_BYTES_MAX } from './blob-cache.ts'
import { findFile } from './find-file.ts'
import { readableEntries } from './readable-entries.ts'
import { sentFileOf } from './sent-file.ts'
import type { SiteDirectory } from './site-directory.ts'
import { pathBelow, type SiteExchange } from './site-router.ts'
import type { SiteViews } from './site-views.ts'

export const LIVE_PATH = '/_octavo/live/'
export const CHANGES_PATH = '/_octavo/changes.json'
const COMPARED_MAX = 200

export type PreviewToolsDeps = {
  readonly directory: SiteDirectory
  readonly cache: BlobCache
  readonly views: SiteViews
}

export class PreviewTools {
  readonly #deps: PreviewToolsDeps
  readonly #compared = new LRUCache<string, DeploymentChanges>({ max: COMPARED_MAX })

  constructor(deps: PreviewToolsDeps) {
    this.#deps = deps
  }

  async sendChanges(exchange: SiteExchange): Promise<void> {
    sendJson(exchange.response, await this.#changesOf(exchange))
  }

  /** Serves a live page for comparison. Its scripts do not run, even if it is opened directly. */
  async serveLivePage(exchange: SiteExchange): Promise<void> {
    const { response } = exchange
    const { cache } = this.#deps
    const live = await this.#findLive(exchange)
    const name = decodePath(pathBelow(exchange, LIVE_PATH))
    const found = live && name !== undefined ? await findFile(cache, live.view, name) : undefined
    if (live === undefined || found?.kind !== 'file' || !found.entry.path.endsWith('.html')) {
      sendText(response, 404, 'The live site has no page at this address.')
      return
    }
    if (found.entry.size > CACHED_BLOB_BYTES_MAX) {
      sendText(response, 404, 'The live page is too large to compare.')
      return
    }
    const { bytes } = await cache.sent(sentFileOf(live.view, found.entry), undefined)
    const policy = { 'content-security-policy': INERT_POLICY }
    sendUncached(response, 200, { type: 'text/html', body: bytes }, policy)
  }

  /**
   * Returns the live site as the reader may see it. The reader of the view is not enough: readers
   * who see the same files of the preview may have different groups, which the live site may use.
   */
  async #findLive({ pointer: { preview }, reader }: SiteExchange) {
    const slug = preview?.liveSlug ?? ''
    const pointer = await this.#deps.directory.find(slug)
    return pointer && { pointer, view: await this.#deps.views.at(slug, pointer, reader) }
  }

  async #changesOf(exchange: SiteExchange): Promise<object> {
    const { pointer, view } = exchange
    const live = await this.#findLive(exchange)
    const facts = {
      branch: pointer.preview?.branch,
      deployment: pointer.deploymentId,
      number: pointer.preview?.number,
      runsScripts: pointer.preview?.runsScripts,
    }
    if (live === undefined) return { ...facts, base: null }
    const roots = `${pointer.root} ${view.name} ${live.pointer.root} ${live.view.name}`
    const key = `${pointer.projectId} ${roots}`
    let changes = this.#compared.get(key)
    if (changes === undefined) {
      const { cache } = this.#deps
      const before = await readableEntries(cache, { ...live.view, other: view.root })
      const after = await readableEntries(cache, { ...view, other: live.view.root })
      changes = compareDeployments(before, after)
      this.#compared.set(key, changes)
    }
    return { ...facts, base: live.pointer.deploymentId, pages: changes.pages }
  }
}
