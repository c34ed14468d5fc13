/** What docs.json of a deployment decides, as its build wrote it. */
import { DocsSetting, type DocsSettingsReply } from '@octavo/contract'
import { DOCS_SETTINGS_PATH, type ManifestRoot, runIndexOf } from '@octavo/model'
import { z } from 'zod'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { readBlob } from '../../platform/blobs/read-blob.ts'
import { readRun } from './read-manifest.ts'

const BYTES_MAX = 64 * 1024
const SETTINGS_MAX = 50
const DocsSettings = z.array(DocsSetting).max(SETTINGS_MAX)

/** Deployments of earlier versions have no such file, and others may have a wrong one. */
export async function readDocsSettings(
  blobs: BlobStore,
  root: ManifestRoot,
): Promise<DocsSettingsReply['settings']> {
  const index = runIndexOf(root, DOCS_SETTINGS_PATH)
  const run = index < 0 ? undefined : await readRun(blobs, root, index)
  if (run?.kind !== 'run') return []
  const entry = run.entries.find(({ path }) => path === DOCS_SETTINGS_PATH)
  if (entry === undefined || entry.size > BYTES_MAX) return []
  const bytes = await readBlob(blobs, entry.sha256, BYTES_MAX)
  return bytes === undefined ? [] : parseDocsSettings(bytes.toString('utf8'))
}

function parseDocsSettings(text: string): DocsSettingsReply['settings'] {
  try {
    return DocsSettings.parse(JSON.parse(text))
  } catch {
    return []
  }
}
