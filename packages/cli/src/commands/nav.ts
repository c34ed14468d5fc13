import { navigationJson, type Paint, printNavigation } from '@octavo/model'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import { colorsFor } from '../report/colors.ts'
import { openFolder } from './open-folder.ts'
import type { NetworkOptions } from './specification-fetcher.ts'

export type NavOptions = NetworkOptions & { readonly folder: string; readonly json: boolean }

/** `octavo nav`: prints the navigation as readers see it. */
export async function nav(world: CommandContext, options: NavOptions): Promise<ExitCode> {
  const opened = await openFolder(world, options)
  if (opened === undefined) return EXIT.usage
  const { site, diagnostics } = opened
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
