/** `octavo api`: compares versions of an API, some of which may be deployments. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { folderVersion, type SpecificationVersion } from '@octavo/openapi'
import { type ApiChangelogOptions, apiChangelog } from '../commands/api-changelog.ts'
import { type ApiDiffOptions, apiDiff, type ReadVersion } from '../commands/api-diff.ts'
import { readSpecifications } from '../commands/specification-versions.ts'
import type { CommandContext, ExitCode } from '../context/command-context.ts'
import { findDeploymentId, isDeploymentName } from './deployment-name.ts'
import type { ServiceClient } from './service-client.ts'
import { type ServiceOptions, withService } from './with-service.ts'

export type ApiOptions = (ApiDiffOptions | ApiChangelogOptions) & {
  /** The project whose deployments can be compared. */
  readonly service?: ServiceOptions
}

export async function api(world: CommandContext, options: ApiOptions): Promise<ExitCode> {
  const compare = (read: ReadVersion) =>
    options.verb === 'diff' ? apiDiff(world, options, read) : apiChangelog(world, options, read)
  const readLocal = (written: string) => readSpecifications(world, written, options)
  if (options.service === undefined) return compare(readLocal)
  return withService(world, options.service, (client) =>
    compare((written) =>
      isDeploymentName(written) && !existsSync(resolve(world.cwd, written))
        ? readDeployed(client, written)
        : readLocal(written),
    ),
  )
}

async function readDeployed(client: ServiceClient, written: string): Promise<SpecificationVersion> {
  const { files } = await client.specifications(await findDeploymentId(client, written))
  return folderVersion(files.map(({ path, text }) => [path, text]))
}
