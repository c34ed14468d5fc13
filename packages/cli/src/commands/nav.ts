import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { openSite, readFolder } from '@octavo/builder'
import { formatDiagnostic, navigationJson, type Paint, printNavigation } from '@octavo/model'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import { colorsFor } from '../report/colors.ts'
import { withNotFoundHint } from './not-found-hint.ts'
import { createFetcher, type NetworkOptions } from './specification-fetcher.ts'

export type NavOptions = NetworkOptions & { readonly folder: string; readonly json: boolean }

/** `octavo nav`: prints the navigation as readers see it. */
export async function nav(world: CommandContext, options: NavOptions): Promise<ExitCode> {
  const folder = resolve(world.cwd, options.folder)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    world.err.write(`octavo: the folder "${options.folder}" does not exist.\n`)
    return EXIT.usage
  }
  const fetcher = createFetcher(world, { ...options, folder })
  const { site, diagnostics } = await openSite(readFolder(folder), fetcher)
  if (site === undefined) {
    const found = withNotFoundHint(diagnostics, { folder, cwd: world.cwd })
    world.err.write(`${found.map(formatDiagnostic).join('\n\n')}\n`)
    return EXIT.usage
  }
  if (options.json) {
    world.out.write(`${JSON.stringify(navigationJson(site.navigation), null, 2)}\n`)
    return EXIT.ok
  }
  const { bold, dim, red, blue } = colorsFor(world.out, world.env)
  const paint: Paint = { kind: blue, name: bold, detail: dim, trouble: red }
  world.out.write(printNavigation(site.navigation, paint))
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  if (errors > 0) {
    const count = errors === 1 ? '1 error' : `${errors} errors`
    world.err.write(`\n${count} in this site: run \`octavo check\` for details.\n`)
  }
  return EXIT.ok
}
