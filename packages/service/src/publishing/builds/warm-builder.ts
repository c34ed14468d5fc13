/**
 * Builds a small trusted site on each worker before the first untrusted one. This fills Node's
 * compile cache with the service's code, for build processes and their page workers, and compiles
 * the scripts of pages. Later builds only read the cache and the scripts, so no build can affect
 * another project.
 */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PLAIN_ISOLATION } from '../../platform/sandbox/isolation.ts'
import { runBuildProcess } from './run-build-process.ts'
import type { WorkFolder } from './work-folder.ts'

const PAGE = `---
title: Start
---

## Heading

<Card title="Card">Text with \`code\` and a [link](/index).</Card>

\`\`\`js
const answer = 42
\`\`\`
`

/** Prepares the builder once; later calls return immediately. */
export async function warmBuilder(
  work: Pick<WorkFolder, 'warm' | 'code'>,
  options: { readonly version: string; readonly signal: AbortSignal },
): Promise<void> {
  if (existsSync(work.warm)) return
  // Another process may prepare the builder at the same time: the first to finish wins.
  const own = `${work.warm}.${process.pid}`
  const folder = join(own, 'site')
  const parts = { output: join(own, 'output'), cacheFolder: join(own, 'cache') }
  const codeFolder = join(own, 'code')
  const temporaryFolder = join(own, 'tmp')
  for (const path of [folder, codeFolder, temporaryFolder, ...Object.values(parts)])
    mkdirSync(path, { recursive: true })
  writeFileSync(join(folder, 'docs.json'), '{"name":"Site","navigation":{"pages":["index"]}}')
  writeFileSync(join(folder, 'index.mdx'), PAGE)
  await runBuildProcess({
    isolation: PLAIN_ISOLATION,
    order: {
      ...parts,
      folder,
      version: options.version,
      siteUrl: undefined,
      failOn: undefined,
      changedAt: [],
      repository: { remote: '', prefix: '', branch: 'main' },
      workersMax: 1,
      nowMs: 0,
    },
    temporaryFolder,
    codeFolder,
    isCodeWritable: true,
    allowPrivateHosts: [],
    onProgress: () => {},
    signal: options.signal,
  })
  for (const path of [folder, temporaryFolder, parts.output]) rmSync(path, { recursive: true })
  try {
    renameSync(own, work.warm)
  } catch (error) {
    rmSync(own, { recursive: true, force: true })
    if (!existsSync(work.warm)) throw error
  }
}
