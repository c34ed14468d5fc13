/** Builds the sample site twice: as it is, and without its newest sections. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BuiltFiles, buildSite, openBuiltFiles } from '@octavo/builder'
import { VERSION } from '@octavo/model'
import { demoSiteFolder } from '../../../platform/own-files.ts'

export type DemoBuilds = { readonly earlier: BuiltFiles; readonly current: BuiltFiles }

/**
 * The older version of this page lacks its newest sections. Sample readers asked about them before
 * they existed, so the demo shows closed gaps.
 */
const EXTENDED_PAGE = 'guides/webhooks.mdx'
const NEW_SECTIONS = '\n## Verify signatures'

export async function buildDemoSite(folder: string, siteUrl: string): Promise<DemoBuilds> {
  const source = join(folder, 'site')
  cpSync(demoSiteFolder(), source, { recursive: true })
  const page = join(source, EXTENDED_PAGE)
  const text = readFileSync(page, 'utf8')
  writeFileSync(page, `${text.slice(0, text.indexOf(NEW_SECTIONS))}\n`)
  const earlier = await build(join(folder, 'earlier'))
  writeFileSync(page, text)
  return { earlier, current: await build(join(folder, 'current')) }

  async function build(output: string): Promise<BuiltFiles> {
    const { diagnostics } = await buildSite({
      folder: source,
      output,
      cacheFolder: join(folder, 'cache'),
      version: VERSION,
      siteUrl,
      workersMax: 1,
      // The sample pages are part of Octavo.
      isTrusted: true,
    })
    const wrong = diagnostics.find(({ severity }) => severity === 'error')
    if (wrong !== undefined) throw new Error(`The sample site has an error: ${wrong.message}`)
    return openBuiltFiles(output)
  }
}
