import type { Reader } from '@octavo/model'
import { LRUCache } from 'lru-cache'
import type { BlobCache } from './blob-cache.ts'
import { classOf, type SiteView, viewOf } from './find-file.ts'
import type { SitePointer } from './site-directory.ts'

export type SiteViewDeps = {
  readonly cache: BlobCache
  /** Returns the origin of a site in the browser. */
  readonly originOf: (slug: string) => string
}

const VIEWS_MAX = 20_000

/** Caches how readers see a deployment, with one view per class of readers. */
export class SiteViews {
  readonly #views = new LRUCache<string, SiteView>({ max: VIEWS_MAX })
  readonly #deps: SiteViewDeps

  constructor(deps: SiteViewDeps) {
    this.#deps = deps
  }

  async at(slug: string, pointer: SitePointer, reader: Reader): Promise<SiteView> {
    const { projectId, deploymentId, root: digest, protection, preview } = pointer
    const root = await this.#deps.cache.root(digest)
    const readerClass = classOf(root, reader)
    // No part of the key contains a space, so keys are unambiguous.
    const key = `${slug} ${projectId} ${deploymentId} ${digest} ${protection} ${preview?.runsScripts} ${readerClass.name}`
    const known = this.#views.get(key)
    if (known !== undefined) return known
    const origin = preview?.runsScripts === false ? this.#deps.originOf(slug) : undefined
    const view = viewOf(root, pointer, { ...readerClass, origin })
    this.#views.set(key, view)
    return view
  }
}
