import { join } from 'node:path'
import { VERSION } from '@octavo/model/version'
import { type CommandLine, parseCommandLine } from './command-line.ts'
import { type CommandName, usageOf } from './command-table.ts'
import { type CommandContext, EXIT, type ExitCode } from './context/command-context.ts'

/**
 * The folder of the package, one level above this file. The published package has the same layout.
 */
const PACKAGE_FOLDER = join(import.meta.dirname, '..')

/** Runs one command and returns its exit code. */
export async function run(world: CommandContext): Promise<ExitCode> {
  const parsed = parseCommandLine(world.args)
  switch (parsed.kind) {
    case 'wrong':
      return refuse(world, parsed)
    case 'version':
      world.out.write(`${VERSION}\n`)
      return EXIT.ok
    case 'help':
      ;(parsed.asked ? world.out : world.err).write(
        (await import('./print-help.ts')).printHelp(parsed.command),
      )
      return parsed.asked ? EXIT.ok : EXIT.usage
    case 'dev':
      return (await import('./dev/dev.ts')).dev(world, parsed.options)
    case 'build':
      return (await import('./commands/build.ts')).build(world, parsed.options)
    case 'preview':
      return (await import('./preview/preview.ts')).preview(world, parsed.options)
    case 'check':
      return (await import('./commands/check.ts')).check(world, parsed.options)
    case 'check-live':
      return (await import('./live/check-live.ts')).checkLive(world, parsed.options)
    case 'ask':
      return (await import('./answers/ask.ts')).ask(world, parsed.options)
    case 'eval':
      return (await import('./answers/eval.ts')).evaluateSite(world, parsed.options)
    case 'eval-against':
      return (await import('./deploy/eval-against.ts')).evaluateAgainst(world, parsed.options)
    case 'eval-gaps':
      return (await import('./deploy/eval-gaps.ts')).evaluateGaps(world, parsed.options)
    case 'mcp':
      return (await import('./answers/mcp.ts')).serveMcp(world, parsed.options)
    case 'agents-md':
      return (await import('./answers/agents-md.ts')).printAgentsMd(world, parsed.options)
    case 'nav':
      return (await import('./commands/nav.ts')).nav(world, parsed.options)
    case 'init':
      return (await import('./commands/init.ts')).init(world, parsed.options, PACKAGE_FOLDER)
    case 'rename':
      return (await import('./commands/rename.ts')).rename(world, parsed.options)
    case 'migrate':
      return (await import('./commands/migrate.ts')).migrate(world, parsed.options)
    case 'scrape':
      return (await import('./commands/scrape.ts')).scrape(world, parsed.options)
    case 'export':
      return (await import('./export/export.ts')).exportConversations(world, parsed.options)
    case 'deploy':
      return (await import('./deploy/deploy.ts')).deploy(world, parsed.options)
    case 'deployments':
      return (await import('./deploy/deployments.ts')).deployments(world, parsed.options)
    case 'builds':
      return (await import('./deploy/builds.ts')).builds(world, parsed.options)
    case 'api':
      return (await import('./deploy/api.ts')).api(world, parsed.options)
    case 'mock':
      return (await import('./mock/mock.ts')).mock(world, parsed.options)
    case 'test':
      return (await import('./proof/test-samples.ts')).testSamples(world, parsed.options)
    case 'domain':
      return (await import('./deploy/domain.ts')).domain(world, parsed.options)
    case 'gaps':
      return (await import('./deploy/gaps.ts')).gaps(world, parsed.options)
    case 'login':
    case 'logout':
    case 'whoami':
      return (await import('./deploy/login.ts'))[parsed.kind](world, parsed.options)
  }
}

async function refuse(
  world: CommandContext,
  { reason, service, command }: Extract<CommandLine, { kind: 'wrong' }>,
): Promise<ExitCode> {
  const projects = await listProjects(world, service)
  world.err.write(`octavo: ${reason}\n${projects}${helpHint(command)}\n`)
  return EXIT.usage
}

async function listProjects(world: CommandContext, service: URL | undefined): Promise<string> {
  return service === undefined
    ? ''
    : (await import('./deploy/login.ts')).listProjects(world, service)
}

function helpHint(command: CommandName | undefined): string {
  return command === undefined
    ? 'Run `octavo --help` to see all commands.'
    : `${usageOf(command)}\nRun \`octavo help ${command}\` to see its options.`
}
