import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { formatDiagnostic, migrateConfig } from '@octavo/model'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import { colorsFor } from '../report/colors.ts'

export type MigrateOptions = {
  readonly folder: string
  /** The folder of the new site; undefined to convert docs.json or mint.json in place. */
  readonly output: string | undefined
  readonly dryRun: boolean
}

/**
 * `octavo migrate`: converts mint.json, or a docs.json with mixed levels, to a current docs.json.
 */
export async function migrate(
  world: CommandContext,
  { folder, output, dryRun }: MigrateOptions,
): Promise<ExitCode> {
  if (output !== undefined)
    return (await import('./migrate-site.ts')).migrateSiteTo(world, { folder, output, dryRun })
  const root = resolve(world.cwd, folder)
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) {
    world.err.write(`octavo: the folder "${folder}" does not exist.\n`)
    return EXIT.usage
  }
  const source = ['docs.json', 'mint.json'].find((name) => existsSync(join(root, name)))
  if (source === undefined) {
    world.err.write(
      'octavo: neither docs.json nor mint.json was found in this folder. For a site of another tool, add `-o` and a folder for the new site.\n',
    )
    return EXIT.usage
  }
  const old = readFileSync(join(root, source), 'utf8')
  const { text, changes, diagnostics } = migrateConfig(source, old)
  const problems = diagnostics.filter(({ code }) => code !== 'config/mint-json')
  if (text === undefined) {
    world.err.write(`${problems.map(formatDiagnostic).join('\n\n')}\n`)
    return EXIT.problems
  }
  const { green, dim } = colorsFor(world.out, world.env)
  if (changes.length === 0) {
    world.out.write(
      `${green('✓')} Nothing to do: no level of docs.json has children of different kinds.\n`,
    )
    return EXIT.ok
  }
  for (const change of changes) world.out.write(`${change}\n`)
  for (const problem of problems) world.out.write(`\n${formatDiagnostic(problem)}\n`)
  if (dryRun) {
    world.out.write(`\n${dim('Nothing was written. This would be the new docs.json:')}\n\n${text}`)
    return EXIT.ok
  }
  const copy = freeName(root, `${source}.old`)
  renameSync(join(root, source), join(root, copy))
  writeFileSync(join(root, 'docs.json'), text)
  world.out.write(
    `\n${green('✓')} Created docs.json; the old file is now ${copy}. Run \`octavo check\` next.\n`,
  )
  return EXIT.ok
}

/** Returns an unused file name, so that a copy of mint.json never replaces an older copy. */
function freeName(root: string, wanted: string): string {
  let name = wanted
  for (let number = 2; existsSync(join(root, name)); number += 1) name = `${wanted}.${number}`
  return name
}
