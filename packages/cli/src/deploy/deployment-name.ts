/** Human-readable names of deployments: the number and the first line of the message. */
import type { Deployment } from '@octavo/contract'
import { printable } from '@octavo/model'
import { DeployError } from './deploy-error.ts'
import type { ServiceClient } from './service-client.ts'

const NUMBER = /^#?(\d{1,9})$/
const ULID = /^[0-7][\dA-HJKMNP-TV-Z]{25}$/

/** Returns true for `live`, a number and an id. */
export function isDeploymentName(text: string): boolean {
  return text === 'live' || NUMBER.test(text) || ULID.test(text)
}

/** Returns a name such as `#2 Add a page about pruning`. */
export function deploymentName({ number, message = '' }: Pick<Deployment, 'number' | 'message'>) {
  const [subject = ''] = message.trim().split('\n', 1)
  return printable(`#${number} ${subject}`.trim())
}

/** Returns the id of a deployment that is named by its number or id, or `live`. */
export async function findDeploymentId(client: ServiceClient, text: string): Promise<string> {
  if (text === 'live') {
    const { live } = await client.project()
    if (live === null) throw new DeployError('The project has no live deployment.')
    return live
  }
  const [, number] = NUMBER.exec(text) ?? []
  if (number === undefined) return text
  const { deployments } = await client.list({ limit: 1, number })
  const [found] = deployments
  if (found === undefined) throw new DeployError(`There is no deployment #${number}.`)
  return found.id
}
