/** A test site that is built and served locally. */
import { join } from 'node:path'
import type { BuildOptions } from '../src/pipeline/build-site.ts'
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

  static async start(
    files: Files,
    hosting: Hosting = {},
    building: Partial<BuildOptions> = {},
  ): Promise<ServedSite> {
    const site = new TemporarySite(files)
    await site.build(building)
    return new ServedSite(site, await serveFolder(join(site.root, 'out'), hosting))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#served.close()
    this.site[Symbol.dispose]()
  }
}
