import { hash } from 'node:crypto'
import {
  type ManifestEntry,
  type ManifestRoot,
  parseManifestRoot,
  parseManifestRun,
} from '@octavo/model'
import type { TemporarySite } from './temporary-site.ts'

export type BuiltManifest = {
  readonly root: ManifestRoot
  readonly entries: readonly ManifestEntry[]
}

/** Reads the manifest of a built site as a host does. */
export function builtManifest(site: TemporarySite): BuiltManifest {
  const parsed = parseManifestRoot(site.read('_octavo/manifest.json'))
  if (parsed.kind === 'malformed') throw new Error(parsed.reason)
  const { root } = parsed
  const entries = root.runs.flatMap(({ sha256 }, index) => {
    const text = site.read(`_octavo/manifest/${sha256}.json`)
    if (hash('sha256', text) !== sha256) throw new Error(`${sha256} is the hash of another text`)
    const run = parseManifestRun(text, root, index)
    if (run.kind === 'malformed') throw new Error(run.reason)
    return run.entries
  })
  return { root, entries }
}
