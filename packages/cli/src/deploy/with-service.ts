import { BuiltFilesError } from '@octavo/builder/build'
import { formatCount, printable } from '@octavo/model'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import { DeployError } from './deploy-error.ts'
import { findApiKey } from './find-api-key.ts'
import { ServiceClient } from './service-client.ts'

export type ServiceOptions = {
  readonly project: string
  /** The service's URL, with a trailing slash. */
  readonly service: URL
}

const ERRORS_SHOWN_MAX = 20
/**
 * The age at which a CI job's token is renewed. The token is valid for 15 minutes, and uploading
 * takes some of this time.
 */
const TOKEN_MS_FRESH = 5 * 60_000

/**
 * Runs `work` with a client that uses the key from the environment, the CI job or the session.
 * Prints errors with all their reasons.
 */
export async function withService(
  world: CommandContext,
  { service, project, onFailure }: ServiceOptions & { readonly onFailure?: string },
  work: (
    client: ServiceClient,
    /**
     * Returns a client for requests after long work, during which the CI job's token may have
     * expired.
     */
    renewed: () => Promise<ServiceClient>,
  ) => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    const apiKey = await findApiKey(world, { service, project })
    // A key that is not a valid header value is rejected here, because the error from `fetch` would
    // contain the key.
    if (apiKey === undefined || !/^[\x21-\x7e]+$/.test(apiKey)) {
      const what = apiKey === undefined ? 'is not set' : 'is not an API key'
      world.err.write(
        `octavo: OCTAVO_API_KEY ${what}. Set it to a deploy token of the project, or run \`octavo login\`.\n`,
      )
      return EXIT.usage
    }
    const begun = world.clock.now()
    const client = new ServiceClient(world, { service, project, apiKey })
    return await work(client, async () => {
      if (world.clock.now() - begun <= TOKEN_MS_FRESH) return client
      const freshKey = (await findApiKey(world, { service, project })) ?? apiKey
      return new ServiceClient(world, { service, project, apiKey: freshKey })
    })
  } catch (thrown) {
    const error = thrown instanceof BuiltFilesError ? new DeployError(thrown.message) : thrown
    if (!(error instanceof DeployError)) throw error
    world.err.write(`octavo: ${error.message}\n`)
    for (const { path, reason } of error.errors.slice(0, ERRORS_SHOWN_MAX))
      world.err.write(`  ${printable(path)}: ${printable(reason)}\n`)
    const more = error.errors.length - ERRORS_SHOWN_MAX
    if (more > 0) world.err.write(`  … and ${formatCount(more)} more\n`)
    if (onFailure !== undefined) world.err.write(`${onFailure}\n`)
    return EXIT.failed
  }
}
