/**
 * Builds a small site of our own on each worker, before the first untrusted one. Node then has our
 * code in its compile cache, for build processes and their page workers, and the page scripts are
 * compiled. Later builds only read both, so no build can affect another project.
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

/** Does nothing if it was done before. */
export async function warmBuilder(
  work: Pick<WorkFolder, 'warm' | 'code'>,
  options: { readonly version: string; readonly signal: AbortSignal },
): Promise<void> {
  if (existsSync(work.warm)) return
  // Another process may do the same: the first to finish wins.
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
