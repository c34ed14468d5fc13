/** Reads the files of a deployment that may be specifications. They are untrusted. */
import type { ManifestEntry } from '@octavo/model'
import { SPECIFICATION_FILE } from '@octavo/openapi'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { readBlob } from '../../platform/blobs/read-blob.ts'
import { plural } from '../../projects/notifications/print-status.ts'

/** Limits for the specifications of one deployment, with the files that they refer to. */
const SPECIFICATION_LIMITS = { files: 200, bytes: 32 * 1024 * 1024 } as const

/** Returns the files that may be specifications, or that specifications may refer to. */
export function specificationEntries(entries: readonly ManifestEntry[]): readonly ManifestEntry[] {
  return entries.filter(({ path }) => SPECIFICATION_FILE.test(path) && !path.startsWith('_octavo/'))
}

/** Returns why the files are too many or too large; undefined if they are not. */
export function findExcess(entries: readonly ManifestEntry[]): string | undefined {
  const { files, bytes } = SPECIFICATION_LIMITS
  const size = entries.reduce((sum, entry) => sum + entry.size, 0)
  if (entries.length > files)
    return `The deployment has ${plural(entries.length, 'JSON or YAML file')}; at most ${files} are compared.`
  if (size > bytes)
    return `The JSON and YAML files of the deployment have ${size} bytes; at most ${bytes} are compared.`
  return undefined
}

/** Returns the texts of files by their path. */
export async function readTexts(
  blobs: BlobStore,
  entries: readonly ManifestEntry[],
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  for (const { path, sha256, size } of entries) {
    const bytes = await readBlob(blobs, sha256, size)
    if (bytes === undefined) throw new Error(`The blob ${sha256} is missing.`)
    texts.set(path, bytes.toString('utf8'))
  }
  return texts
}
