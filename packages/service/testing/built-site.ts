/** Builds a site with the real builder, and returns it as blobs that can be deployed. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buildSite, openBuiltFiles } from '@octavo/builder'
import { parseManifestRoot, parseManifestRun } from '@octavo/model'
import type { TestSite } from './test-deployment.ts'

export async function builtSite(
  files: Readonly<Record<string, string>>,
  siteUrl?: string,
): Promise<TestSite> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-built-'))
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(folder, 'docs', dirname(path)), { recursive: true })
      writeFileSync(join(folder, 'docs', path), text)
    }
    const output = join(folder, 'out')
    await buildSite({
      folder: join(folder, 'docs'),
      output,
      cacheFolder: join(folder, 'cache'),
      version: 'test',
      workersMax: 1,
      isTrusted: true,
      ...(siteUrl !== undefined && { siteUrl }),
    })
    const built = openBuiltFiles(output)
    const parsed = parseManifestRoot(built.root)
    if (parsed.kind === 'malformed') throw new Error(parsed.reason)
    const digests = parsed.root.runs.flatMap(({ sha256 }, index) => {
      const run = parseManifestRun(built.read(sha256).toString(), parsed.root, index)
      if (run.kind === 'malformed') throw new Error(run.reason)
      return [sha256, ...run.entries.map((entry) => entry.sha256)]
    })
    return {
      root: built.root,
      blobs: new Map(digests.map((sha256) => [sha256, built.read(sha256)])),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
