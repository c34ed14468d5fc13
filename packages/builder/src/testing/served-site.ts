/** A site that a test wrote, built and served. */
import { join } from 'node:path'
import { type Hosting, type ServedFolder, serveFolder } from './serve-folder.ts'
import { type Files, TemporarySite } from './temporary-site.ts'

export class ServedSite implements AsyncDisposable {
  readonly site: TemporarySite
  readonly origin: string
  readonly #served: ServedFolder

  private constructor(site: TemporarySite, served: ServedFolder) {
    this.site = site
    this.origin = served.origin
    this.#served = served
  }

  static async start(files: Files, hosting: Hosting = {}): Promise<ServedSite> {
    const site = new TemporarySite(files)
    await site.build()
    return new ServedSite(site, await serveFolder(join(site.root, 'out'), hosting))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#served.close()
    this.site[Symbol.dispose]()
  }
}
