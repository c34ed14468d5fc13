import { parseManifestRoot, parseManifestRun, printManifest } from '@octavo/model'
import { digest, type TestSite } from './test-deployment.ts'

/** Returns a copy of the site with some files changed or added. */
export function changedSite(
  site: TestSite,
  change: (files: Map<string, Buffer>) => void,
): TestSite {
  const parsed = parseManifestRoot(site.root)
  if (parsed.kind === 'malformed') throw new Error(parsed.reason)
  const { root } = parsed
  const { runs, labels: _, ...facts } = root
  const entries = runs.flatMap(({ sha256 }, index) => {
    const run = parseManifestRun(String(site.blobs.get(sha256)), root, index)
    if (run.kind === 'malformed') throw new Error(run.reason)
    return run.entries
  })
  const files = new Map(
    entries.map(({ path, sha256 }) => [path, site.blobs.get(sha256) ?? Buffer.of()]),
  )
  change(files)
  const known = new Map(entries.map((entry) => [entry.path, entry]))
  const blobs = new Map<string, Buffer>()
  const changed = [...files].map(([path, bytes]) => {
    const sha256 = digest(bytes)
    blobs.set(sha256, bytes)
    const plain = { path, type: 'application/octet-stream', access: 'default' as const }
    return { ...plain, ...known.get(path), sha256, size: bytes.length }
  })
  const printed = printManifest(facts, changed, digest)
  for (const { sha256, text } of printed.runs) blobs.set(sha256, Buffer.from(text))
  return { root: printed.root, blobs }
}
