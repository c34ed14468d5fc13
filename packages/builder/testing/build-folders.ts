/**
 * Builds folders one after the other and prints the results: `build-folders.ts <work> <folder>…`
 */
import { join } from 'node:path'
import { buildSite } from '../src/pipeline/build-site.ts'

const [work = '', ...folders] = process.argv.slice(2)
const results: unknown[] = []
for (const [index, folder] of folders.entries()) {
  const output = join(work, `out-${index}`)
  const cacheFolder = join(work, `cache-${index}`)
  const built = await buildSite({
    folder,
    output,
    cacheFolder,
    version: 'trap',
    workersMax: 1,
    // The site is trusted, so that the trap can also write its log from workers.
    isTrusted: true,
  })
  results.push({ pageCount: built.pageCount, diagnostics: built.diagnostics })
}
process.stdout.write(JSON.stringify(results))
