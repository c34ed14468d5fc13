import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import { colorsFor } from '../report/colors.ts'
import { askSite } from './ask-site.ts'
import { checkLiveSite, type LiveCheck } from './live-checks.ts'

export type CheckLiveOptions = { readonly url: URL; readonly format: 'text' | 'json' }

/** `octavo check --live`: checks that readers get a hosted site exactly as the service sends it. */
export async function checkLive(
  world: CommandContext,
  { url, format }: CheckLiveOptions,
): Promise<ExitCode> {
  try {
    const checks = await checkLiveSite(url, askSite)
    if (format === 'json')
      world.out.write(`${JSON.stringify({ url: url.href, checks }, null, 2)}\n`)
    else print(world, url, checks)
    return checks.every(({ problem }) => problem === undefined) ? EXIT.ok : EXIT.problems
  } catch (error) {
    const reason = error instanceof Error ? error.message || String(error) : String(error)
    world.err.write(`octavo: ${url.href} cannot be reached: ${reason}\n`)
    return EXIT.failed
  }
}

function print(world: CommandContext, { href }: URL, checks: readonly LiveCheck[]): void {
  const { red, green, dim } = colorsFor(world.out, world.env)
  for (const { name, url, problem, hint } of checks) {
    const mark = problem === undefined ? green('✓') : red('✗')
    world.out.write(`${mark} ${name.padEnd(12)} ${dim(url)}\n`)
    if (problem !== undefined) world.out.write(`  ${problem}\n  Hint: ${hint}\n`)
  }
  const failed = checks.filter(({ problem }) => problem !== undefined).length
  world.out.write(
    failed === 0
      ? `\nAll ${checks.length} checks passed for ${href}\n`
      : `\n${failed} of ${checks.length} checks failed for ${href}\n`,
  )
}
