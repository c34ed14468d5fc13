/** Builds sites of the corpus into a temporary folder for the duration of the work. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configFolders, withCorpus } from '../../parts/corpus-folder.ts'

export async function withBuiltSites(
  corpus: string,
  sites: readonly string[],
  work: (built: string) => Promise<void>,
): Promise<void> {
  if (sites.every((site) => existsSync(join(corpus, site, '_octavo/search')))) return work(corpus)
  const built = mkdtempSync(join(tmpdir(), 'octavo-built-'))
  try {
    await withCorpus(
      corpus,
      async (folder) => {
        for (const site of sites) build(join(folder, 'sites'), site, join(built, site))
        await work(built)
      },
      sites,
    )
  } finally {
    rmSync(built, { recursive: true, force: true })
  }
}

/** Builds a site. Ignores authors' errors, since they do not matter for search. */
function build(folder: string, site: string, output: string): void {
  const found = configFolders(folder).find((path) => path === site || path.startsWith(`${site}/`))
  const command = ['packages/cli/src/main.ts', 'build', join(folder, found ?? site)]
  spawnSync(process.execPath, [...command, '-o', output, '--offline'], { stdio: 'ignore' })
  if (!existsSync(output) || readdirSync(output).length === 0)
    throw new Error(`${site} was not built.`)
}
