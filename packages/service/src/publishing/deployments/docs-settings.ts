/** Reads the settings that a deployment's docs.json determines, as the build recorded them. */
import { DocsSetting, type DocsSettingsReply } from '@octavo/contract'
import { DOCS_SETTINGS_PATH, type ManifestRoot } from '@octavo/model'
import { z } from 'zod'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { readBlob } from '../../platform/blobs/read-blob.ts'
import { findEntry } from './read-manifest.ts'

const BYTES_MAX = 64 * 1024
const SETTINGS_MAX = 50
const DocsSettings = z.array(DocsSetting).max(SETTINGS_MAX)

/**
 * Returns an empty list if the file is missing, as in deployments of earlier versions, or invalid.
 */
export async function readDocsSettings(
  blobs: BlobStore,
  root: ManifestRoot,
): Promise<DocsSettingsReply['settings']> {
  const entry = await findEntry(blobs, root, DOCS_SETTINGS_PATH)
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
