import { openLibrary, type SiteLibrary } from '@octavo/search'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import {
  type DeploymentOptions,
  FOLDER_READER,
  openDeployment,
  readSiteName,
} from './open-site-library.ts'

export type McpOptions = DeploymentOptions

/**
 * `octavo mcp`: serves the MCP tools of hosted sites to an agent on this machine. Only MCP messages
 * are written to standard output.
 */
export async function serveMcp(world: CommandContext, options: McpOptions): Promise<ExitCode> {
  const pipes = world.openPipes?.()
  const deployment = await openDeployment(world, options)
  if (typeof deployment === 'string' || pipes === undefined) {
    const reason = typeof deployment === 'string' ? deployment : 'there is no standard input.'
    world.err.write(`octavo: ${reason}\n`)
    return EXIT.usage
  }
  const libraries = new Map<string | undefined, Promise<SiteLibrary>>()
  const open = (scope: string | undefined) => {
    const library =
      libraries.get(scope) ?? openLibrary(deployment, { scope, reader: FOLDER_READER })
    libraries.set(scope, library)
    return library
  }
  // This import is dynamic because no other command needs the MCP library.
  const { serveDocs } = await import('@octavo/mcp')
  await serveDocs(
    {
      site: {
        name: await readSiteName(deployment),
        deployment,
        reader: FOLDER_READER,
        openLibrary: open,
        url: '',
      },
      // Clients need not cache or share results, because the folder is read only once.
      cache: { ttlMs: 0, cacheScope: 'private' },
      onError: (error) => world.err.write(`octavo: ${String(error)}\n`),
    },
    pipes,
  )
  return EXIT.ok
}
