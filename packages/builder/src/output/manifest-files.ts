/**
 * Writes the manifest of a site: `_octavo/manifest.json` and the runs of entries to which it
 * refers.
 */
import { type ManifestFacts, mediaType, printManifest } from '@octavo/model'
import { OWN_FOLDER } from '../plan/own-folder.ts'
import { hashFile } from '../source/hash-bytes.ts'
import type { OutputEntry, SiteOutput } from './site-output.ts'

export const MANIFEST_FILE = `${OWN_FOLDER}/manifest.json`
export const MANIFEST_FOLDER = `${OWN_FOLDER}/manifest/`

/**
 * Writes a manifest that lists all files written so far. Files that it must not list are written
 * later.
 */
export function writeManifest(
  output: SiteOutput,
  facts: ManifestFacts,
  listed: readonly OutputEntry[] = output.entries(),
): void {
  const entries = listed.map((entry) => ({ ...entry, type: mediaType(entry.path) }))
  const { root, runs } = printManifest(facts, entries, hashFile)
  // Hosts read the manifest but must not serve it, because it names every page.
  const access: readonly string[] = []
  for (const { sha256, text } of runs) {
    output.write(`${MANIFEST_FOLDER}${sha256}.json`, text, { access })
  }
  output.write(MANIFEST_FILE, root, { access })
}
