import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  copyFetcher,
  type OperationSamples,
  openSite,
  readFolder,
  readSiteSamples,
} from '@octavo/builder'

/** Returns the operations, with their samples, of a site that shows one specification. */
export async function operationsOf(
  text: string,
  { extension, languages }: { readonly extension: string; readonly languages: readonly string[] },
): Promise<readonly OperationSamples[]> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-samples-run-'))
  try {
    const file = `specification${extension}`
    const navigation = { groups: [{ group: 'API', openapi: file }] }
    const config = { name: 'Samples', navigation, api: { examples: { languages } } }
    writeFileSync(join(folder, 'docs.json'), JSON.stringify(config))
    writeFileSync(join(folder, file), text)
    const { site } = await openSite(readFolder(folder), copyFetcher(folder))
    return site === undefined ? [] : readSiteSamples(site)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
