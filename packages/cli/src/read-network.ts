import { parseHostName } from '@octavo/outbound/host-name'
import type { NetworkOptions } from './commands/specification-fetcher.ts'

type NetworkValues = {
  readonly offline?: boolean | undefined
  readonly external?: boolean | undefined
  readonly 'allow-private-host'?: readonly string[] | undefined
}

/** Returns the network options, or an error message if they are invalid. */
export function readNetwork(values: NetworkValues): NetworkOptions | string {
  const { offline = false, 'allow-private-host': written = [] } = values
  const allowPrivateHosts: string[] = []
  for (const text of written) {
    const host = parseHostName(text)
    if (host === undefined)
      return `Invalid --allow-private-host "${text}": expected a host such as specs.internal or 10.0.0.7.`
    allowPrivateHosts.push(host)
  }
  if (offline && values.external === true) return '--external needs the network. Remove --offline.'
  return { offline, allowPrivateHosts }
}
