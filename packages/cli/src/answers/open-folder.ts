/** Opens a folder that `octavo build` wrote as a searchable deployment. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { MANIFEST_LIMITS, parseManifestRoot } from '@octavo/model'
import { createDeploymentReader, type DeploymentReader } from '@octavo/search'

const MANIFEST = '_octavo/manifest.json'

/** Opens a built site; returns undefined if the folder has none. */
export async function openFolder(folder: string): Promise<DeploymentReader | undefined> {
  const manifest = join(folder, MANIFEST)
  const facts = await stat(manifest).catch(() => undefined)
  if (facts === undefined || !facts.isFile() || facts.size > MANIFEST_LIMITS.sizeMax)
    return undefined
  const parsed = parseManifestRoot(await readFile(manifest, 'utf8'))
  if (parsed.kind === 'malformed') throw new Error(parsed.reason)
  return createDeploymentReader(parsed.root, {
    readRun: ({ sha256 }) => readFile(join(folder, `_octavo/manifest/${sha256}.json`), 'utf8'),
    readFile: ({ path }) => readFile(join(folder, path)),
  })
}
