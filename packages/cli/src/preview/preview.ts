import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import { browserCommand, start } from '../dev/open-program.ts'
import { listen, portTaken, printOrigin } from '../loopback/listen.ts'
import { colorsFor } from '../report/colors.ts'
import { BuiltSite } from './built-site.ts'
import { PreviewServer } from './preview-server.ts'

export type PreviewOptions = {
  /** The output folder of `octavo build`. */
  readonly folder: string
  readonly host: string
  /** The port; by default, the first free port starting at 3000. */
  readonly port: number | undefined
  readonly open: boolean
}

/** `octavo preview`: serves a built site as a host does. */
export async function preview(world: CommandContext, options: PreviewOptions): Promise<ExitCode> {
  const folder = resolve(world.cwd, options.folder)
  const site = BuiltSite.open(folder)
  if (site === undefined) {
    world.err.write(`octavo: ${noSite(folder, options.folder)}\n`)
    return EXIT.usage
  }
  const server = new PreviewServer(site, { folder, host: options.host })
  const port = await listen(server, options.port)
  if (port === undefined) {
    world.err.write(portTaken(options.port))
    return EXIT.usage
  }
  const url = `${printOrigin(options.host, port)}${site.basePath}/`
  const { bold, dim, green } = colorsFor(world.out, world.env)
  const facts = `Serving ${options.folder}. Press Ctrl+C to stop.`
  world.out.write(`\n  ${green('octavo preview')}  ${bold(url)}\n  ${dim(facts)}\n\n`)
  if (options.open) void start(browserCommand(url, process.platform))
  await world.waitForSignal?.()
  await server.close()
  return EXIT.ok
}

function noSite(folder: string, written: string): string {
  const isSource = ['docs.json', 'mint.json'].some((name) => existsSync(join(folder, name)))
  return isSource
    ? `"${written}" is the source of the documentation, not the built site. Run \`octavo build ${written}\`, then \`octavo preview\`.`
    : `no built site was found in "${written}". Run \`octavo build\` first.`
}
