/**
 * What a reviewer finds in a preview beside its pages: the pages that changed, for the bar that
 * `host-script.ts` adds, and the live pages to compare with. All of it as the reader of the preview may see it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { INERT_POLICY, type ManifestEntry, type ManifestRoot, type Reader } from '@octavo/model'
import { LRUCache } from 'lru-cache'
import { decodePath } from '../../platform/http/reader-request.ts'
import { sendJson, sendText, sendWhole } from '../../platform/http/send-reply.ts'
import {
  compareDeployments,
  type DeploymentChanges,
} from '../../publishing/deployments/compare-deployments.ts'
import { type BlobCache, HELD_BYTES_MAX } from './blob-cache.ts'
import { findFile, type SiteView } from './find-file.ts'
import { sentFileOf } from './sent-file.ts'
import type { SiteDirectory, SitePointer } from './site-directory.ts'

const LIVE_PATH = '/_octavo/live/'
const CHANGES_PATH = '/_octavo/changes.json'
const COMPARED_MAX = 200

type Deps = {
  readonly directory: SiteDirectory
  readonly cache: BlobCache
  readonly viewAt: (slug: string, pointer: SitePointer, reader: Reader) => Promise<SiteView>
}

type Asked = {
  readonly pointer: SitePointer
  readonly view: SiteView
  readonly pathname: string
}

export type PreviewTools = {
  /** False for a path that is a page or a file of the preview. */
  readonly answer: (
    request: IncomingMessage,
    response: ServerResponse,
    asked: Asked,
  ) => Promise<boolean>
}

export function createPreviewTools({ directory, cache, viewAt }: Deps): PreviewTools {
  const compared = new LRUCache<string, DeploymentChanges>({ max: COMPARED_MAX })

  /** The live site, for the reader of the preview. */
  async function findLive({ preview }: SitePointer, { reader }: SiteView) {
    const slug = preview?.liveSlug ?? ''
    const pointer = await directory.find(slug)
    return pointer && { pointer, view: await viewAt(slug, pointer, reader) }
  }

  async function readableEntries(view: SiteView, other: ManifestRoot | undefined) {
    const shared = new Set(other?.runs.map(({ sha256 }) => sha256))
    const entries: ManifestEntry[] = []
    for (const [index, { sha256 }] of view.root.runs.entries()) {
      if (shared.has(sha256)) continue
      const run = await cache.run(view.root, index)
      for (const entry of run.values()) if (view.isReadable(entry.access)) entries.push(entry)
    }
    return entries
  }

  async function changesOf({ pointer, view }: Asked): Promise<object> {
    const live = await findLive(pointer, view)
    const facts = {
      branch: pointer.preview?.branch,
      deployment: pointer.deploymentId,
      runsScripts: pointer.preview?.runsScripts,
    }
    if (live === undefined) return { ...facts, base: null }
    const roots = `${pointer.root} ${view.name} ${live.pointer.root} ${live.view.name}`
    const key = `${pointer.projectId} ${roots}`
    let changes = compared.get(key)
    if (changes === undefined) {
      const before = await readableEntries(live.view, view.root)
      const after = await readableEntries(view, live.view.root)
      changes = compareDeployments(before, after)
      compared.set(key, changes)
    }
    return { ...facts, base: live.pointer.deploymentId, pages: changes.pages }
  }

  /** Only to be compared: opened on its own, it is a text. */
  async function giveLivePage(response: ServerResponse, { pointer, view }: Asked, path: string) {
    const live = await findLive(pointer, view)
    const name = decodePath(path)
    const found = live && name !== undefined ? await findFile(cache, live.view, name) : undefined
    if (live === undefined || found?.kind !== 'file' || !found.entry.path.endsWith('.html')) {
      sendText(response, 404, 'The live site has no page at this address.')
      return
    }
    if (found.entry.size > HELD_BYTES_MAX) {
      sendText(response, 404, 'The live page is too large to be compared.')
      return
    }
    const { bytes } = await cache.sent(sentFileOf(live.view, found.entry), undefined)
    const policy = { 'content-security-policy': INERT_POLICY }
    sendWhole(response, 200, { type: 'text/html', body: bytes }, policy)
  }

  return {
    async answer(_request, response, asked) {
      const { view, pathname } = asked
      const path = pathname.startsWith(view.basePath) ? pathname.slice(view.basePath.length) : ''
      if (path === CHANGES_PATH) sendJson(response, await changesOf(asked))
      else if (path.startsWith(LIVE_PATH))
        await giveLivePage(response, asked, path.slice(LIVE_PATH.length))
      else return false
      return true
    },
  }
}
