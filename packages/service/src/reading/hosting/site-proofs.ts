/** Serves which request samples of a page ran, to readers who may read the page. */
import { type PageProof, PROOF_FOLDER } from '@octavo/model'
import { LRUCache } from 'lru-cache'
import type { Database } from '../../platform/database/database.ts'
import { decodePath, READ } from '../../platform/http/reader-request.ts'
import { sendJson, sendText, sendUncached } from '../../platform/http/send-response.ts'
import { ProofStore } from '../../publishing/deployments/proof-store.ts'
import type { BlobCache } from './blob-cache.ts'
import { findFile } from './find-file.ts'
import { pathBelow, type SiteExchange, type SiteRoute } from './site-router.ts'

const KNOWN_MAX = 20_000
/** A proof that is sent after its deployment went live is shown after this time. */
const KNOWN_MS = 15_000
const PATH = `/${PROOF_FOLDER}`

export type SiteProofsDeps = {
  readonly database: Database
  readonly cache: BlobCache
  readonly onError: (error: unknown) => void
}

export class SiteProofs {
  readonly #deps: SiteProofsDeps
  readonly #shown = new LRUCache<string, boolean>({ max: KNOWN_MAX, ttl: KNOWN_MS })
  readonly #pages = new LRUCache<string, { readonly proof: PageProof | undefined }>({
    max: KNOWN_MAX,
    ttl: KNOWN_MS,
  })

  constructor(deps: SiteProofsDeps) {
    this.#deps = deps
  }

  /**
   * Returns true if pages of a site ask for its proof. Also returns false if the database cannot be
   * reached.
   */
  async isShown({ pointer, view }: Pick<SiteExchange, 'pointer' | 'view'>): Promise<boolean> {
    // Pages of a sandboxed preview cannot send requests to the site.
    if (view.isSandboxed) return false
    const { database, onError } = this.#deps
    const key = `${pointer.projectId} ${pointer.deploymentId}`
    const before = this.#shown.get(key)
    if (before !== undefined) return before
    try {
      const proofs = new ProofStore(database.forProject(pointer))
      const isShown = await proofs.isShown(pointer.deploymentId)
      this.#shown.set(key, isShown)
      return isShown
    } catch (error) {
      onError(error)
      return false
    }
  }

  readonly route: SiteRoute = {
    paths: [PATH],
    after: 'base',
    methods: READ,
    bodyBytesMax: 0,
    metric: 'site',
    handle: (exchange) => this.#send(exchange),
  }

  /** Whether a page has a proof is no more secret than the page itself. */
  async #send(exchange: SiteExchange): Promise<void> {
    const { response, view } = exchange
    const page = /^(.+)\.json$/.exec(decodePath(pathBelow(exchange, PATH)) ?? '')?.[1]
    const file = page === 'index' ? 'index.html' : `${page}/index.html`
    const found = page === undefined ? undefined : await findFile(this.#deps.cache, view, file)
    if (page === undefined || found?.kind !== 'file') {
      sendText(response, 404, 'There is no page at this address.')
      return
    }
    const proof = await this.#proofOf(exchange, page)
    if (proof === undefined) sendUncached(response, 204, { type: 'text/plain', body: '' })
    else sendJson(response, proof)
  }

  async #proofOf({ pointer }: SiteExchange, page: string): Promise<PageProof | undefined> {
    const key = `${pointer.projectId} ${pointer.deploymentId} ${page}`
    const known = this.#pages.get(key)
    if (known !== undefined) return known.proof
    const proofs = new ProofStore(this.#deps.database.forProject(pointer))
    const proof = await proofs.ofPage(pointer.deploymentId, page)
    this.#pages.set(key, { proof })
    return proof
  }
}
