import { formatDiagnostic, navigationJson, type Paint, printNavigation } from '@octavo/model'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import { colorsFor } from '../report/colors.ts'
import { openSite } from './open-site.ts'

export type NavOptions = { readonly folder: string; readonly json: boolean }

/** `octavo nav`: the navigation as readers get it. */
export function nav(world: CommandContext, options: NavOptions): ExitCode {
  const opened = openSite(world, options.folder)
  if (opened.kind === 'no-folder') {
    world.err.write(`octavo: there is no folder "${opened.folder}".\n`)
    return EXIT.usage
  }
  const { site, diagnostics } = opened.result
  if (site === undefined) {
    world.err.write(`${diagnostics.map(formatDiagnostic).join('\n\n')}\n`)
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
    world.err.write(`\n${count} in this site: \`octavo check\` tells what to do.\n`)
  }
  return EXIT.ok
}
