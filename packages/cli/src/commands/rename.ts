import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { builderVersion, planRename } from '@octavo/builder'
import { applyEdits } from '@octavo/model'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import { colorsFor } from '../report/colors.ts'
import { plural } from '../report/plural.ts'
import { documentationRoot } from './documentation-root.ts'
import { workFolder } from './work-folder.ts'

export type RenameOptions = {
  readonly from: string
  readonly to: string
  readonly dryRun: boolean
}

/**
 * `octavo rename`: moves a page and updates every link, navigation entry and import that refers to
 * it.
 */
export async function rename(world: CommandContext, options: RenameOptions): Promise<ExitCode> {
  const root = documentationRoot(world.cwd)
  if (root === undefined) {
    world.err.write('octavo: docs.json was not found in this folder or a parent folder.\n')
    return EXIT.usage
  }
  const plan = await planRename({
    folder: root,
    cacheFolder: workFolder(root, 'cache'),
    version: builderVersion(),
    from: pathFromRoot(options.from, { root, cwd: world.cwd, separator: sep }),
    to: pathFromRoot(options.to, { root, cwd: world.cwd, separator: sep }),
  })
  if (plan.kind === 'refused') {
    world.err.write(`octavo: ${plan.reason}\n`)
    return EXIT.usage
  }
  const { move, urls, edits } = plan
  const { green, dim } = colorsFor(world.out, world.env)
  world.out.write(`${move.from} → ${move.to}\n`)
  for (const [file, list] of edits) {
    world.out.write(`${dim('updated')}  ${file}  ${plural(list.length, 'place')}\n`)
  }
  if (options.dryRun) {
    world.out.write('Nothing was written.\n')
    return EXIT.ok
  }
  for (const [file, list] of edits) {
    const path = join(root, file)
    writeFileSync(path, applyEdits(readFileSync(path, 'utf8'), list).text)
  }
  const target = join(root, move.to)
  mkdirSync(dirname(target), { recursive: true })
  // `wx` never overwrites a file that was created in the meantime.
  writeFileSync(target, readFileSync(join(root, move.from)), { flag: 'wx' })
  rmSync(join(root, move.from))
  world.out.write(`${green('✓')} Moved ${urls.from} to ${urls.to} and added a redirect.\n`)
  return EXIT.ok
}

/**
 * Resolves a page argument. It is relative to the documentation root, or, if it starts with a dot
 * or a drive, to the working directory. It can use the separators of the operating system.
 */
export function pathFromRoot(
  written: string,
  place: { readonly root: string; readonly cwd: string; readonly separator: string },
): string {
  const slashed = place.separator === '\\' ? written.replaceAll('\\', '/') : written
  if (!/^\.{1,2}\/|^[a-z]:\//i.test(slashed)) return slashed
  return relative(place.root, resolve(place.cwd, slashed)).split(place.separator).join('/')
}
