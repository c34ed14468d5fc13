import { join } from 'node:path'
import { VERSION } from '@octavo/model'
import { parseCommandLine } from './command-line.ts'
import { type CommandName, usageOf } from './command-table.ts'
import { build } from './commands/build.ts'
import { check } from './commands/check.ts'
import { init } from './commands/init.ts'
import { migrate } from './commands/migrate.ts'
import { nav } from './commands/nav.ts'
import { rename } from './commands/rename.ts'
import { scrape } from './commands/scrape.ts'
import { type CommandContext, EXIT, type ExitCode } from './context/command-context.ts'
import { exportConversations } from './export/export.ts'
import { printHelp } from './print-help.ts'

/** One level above this file; the published package has the same layout. */
const PACKAGE_FOLDER = join(import.meta.dirname, '..')

/** Runs one command and returns its exit code. */
export async function run(world: CommandContext): Promise<ExitCode> {
  const asked = parseCommandLine(world.args)
  switch (asked.kind) {
    case 'wrong':
      world.err.write(`octavo: ${asked.reason}\n${helpHint(asked.command)}\n`)
      return EXIT.usage
    case 'version':
      world.out.write(`${VERSION}\n`)
      return EXIT.ok
    case 'help':
      ;(asked.asked ? world.out : world.err).write(printHelp(asked.command))
      return asked.asked ? EXIT.ok : EXIT.usage
    case 'dev':
      return (await import('./dev/dev.ts')).dev(world, asked.options)
    case 'build':
      return build(world, asked.options)
    case 'preview':
      return (await import('./preview/preview.ts')).preview(world, asked.options)
    case 'check':
      return check(world, asked.options)
    case 'check-live':
      return (await import('./live/check-live.ts')).checkLive(world, asked.options)
    case 'ask':
      return (await import('./answers/ask.ts')).ask(world, asked.options)
    case 'eval':
      return (await import('./answers/eval.ts')).evaluateSite(world, asked.options)
    case 'eval-gaps':
      return (await import('./deploy/eval-gaps.ts')).evaluateGaps(world, asked.options)
    case 'mcp':
      return (await import('./answers/mcp.ts')).serveMcp(world, asked.options)
    case 'agents-md':
      return (await import('./answers/agents-md.ts')).printAgentsMd(world, asked.options)
    case 'nav':
      return nav(world, asked.options)
    case 'init':
      return init(world, asked.options, PACKAGE_FOLDER)
    case 'rename':
      return rename(world, asked.options)
    case 'migrate':
      return migrate(world, asked.options)
    case 'scrape':
      return scrape(world, asked.options)
    case 'export':
      return exportConversations(world, asked.options)
    case 'deploy':
      return (await import('./deploy/deploy.ts')).deploy(world, asked.options)
    case 'deployments':
      return (await import('./deploy/deployments.ts')).deployments(world, asked.options)
    case 'builds':
      return (await import('./deploy/builds.ts')).builds(world, asked.options)
    case 'domain':
      return (await import('./deploy/domain.ts')).domain(world, asked.options)
    case 'gaps':
      return (await import('./deploy/gaps.ts')).gaps(world, asked.options)
    case 'login':
    case 'logout':
    case 'whoami':
      return (await import('./deploy/login.ts'))[asked.kind](world, asked.options)
  }
}

function helpHint(command: CommandName | undefined): string {
  return command === undefined
    ? 'Run `octavo --help` to see all commands.'
    : `${usageOf(command)}\nRun \`octavo help ${command}\` to see its options.`
}
