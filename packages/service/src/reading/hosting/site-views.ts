import type { Reader } from '@octavo/model'
import { LRUCache } from 'lru-cache'
import type { BlobCache } from './blob-cache.ts'
import { classOf, type SiteView, viewOf } from './find-file.ts'
import type { SitePointer } from './site-directory.ts'

export type SiteViewDeps = {
  readonly cache: BlobCache
  /** The origin of a site, as browsers know it. */
  readonly originOf: (slug: string) => string
}

const VIEWS_MAX = 20_000

/** Deployments as their readers see them, one for all readers who see the same. */
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
    // None of the parts has a space in it, so no two keys are the same by accident.
    const key = `${slug} ${projectId} ${deploymentId} ${digest} ${protection} ${preview?.runsScripts} ${readerClass.name}`
    const known = this.#views.get(key)
    if (known !== undefined) return known
    const origin = preview?.runsScripts === false ? this.#deps.originOf(slug) : undefined
    const view = viewOf(root, pointer, { ...readerClass, origin })
    this.#views.set(key, view)
    return view
  }
}
