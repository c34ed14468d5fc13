/**
 * Opens the corpus of real documentation, which is not part of this repository. Its folder is an
 * argument.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Runs `work` with the folder that contains `openapi/` and `sites/`: the named folder, or a
 * temporary one that its `unpack.sh` creates. `wanted` lists the packs to unpack; if it is empty,
 * all are unpacked.
 */
export function withCorpus<Result>(
  named: string | undefined,
  work: (folder: string) => Result,
  wanted: readonly string[] = [],
): Result {
  const corpus = requireCorpus(named)
  if (!existsSync(join(corpus, 'unpack.sh'))) return work(corpus)
  const target = mkdtempSync(join(tmpdir(), 'octavo-corpus-'))
  const clean = () => rmSync(target, { recursive: true, force: true })
  let result: Result | undefined
  try {
    execFileSync('bash', [join(corpus, 'unpack.sh'), target, ...wanted], { stdio: 'inherit' })
    result = work(target)
    if (result instanceof Promise) return result.finally(clean) as Result
    return result
  } finally {
    if (!(result instanceof Promise)) clean()
  }
}

/** Returns the named folder; exits the program if it does not exist. */
export function requireCorpus(named: string | undefined): string {
  if (named !== undefined && existsSync(named)) return named
  const problem = named === undefined ? 'The corpus is missing' : `There is no corpus at ${named}`
  console.log(`${problem}. Name its folder as the first argument.`)
  process.exit(2)
}

/**
 * Returns the folders with a configuration file: usually those of the sites, otherwise their
 * subfolders.
 */
export function configFolders(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const has = (path: string) =>
      ['docs.json', 'mint.json'].some((file) => existsSync(join(folder, path, file)))
    if (has(name)) return [name]
    return readdirSync(join(folder, name))
      .map((child) => `${name}/${child}`)
      .filter(has)
  })
}
