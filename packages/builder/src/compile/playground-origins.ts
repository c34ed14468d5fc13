/** Which hosts a playground may talk to: those that the specification itself names. */
import {
  type OperationPage,
  type PageContext,
  type ServerData,
  securityOf,
  serversOf,
} from '@octavo/openapi'
import type { PlaygroundSettings } from './api-settings.ts'
import { NO_ORIGINS, OriginSet, type Origins } from './origins.ts'

/** Addresses that variables of one server can make. */
const ADDRESSES_MAX = 50

export function playgroundOrigins(
  page: OperationPage,
  context: PageContext,
  { proxy }: Pick<PlaygroundSettings, 'proxy'>,
): Origins {
  const set = new OriginSet()
  const anyHost: string[] = []
  for (const server of serversOf(page, context)) {
    for (const url of addressesOf(server)) {
      set.add('connections', url)
      if (proxy) set.add('servers', url)
    }
    anyHost.push(...hostPatterns(server))
  }
  const wanted = new Set(
    securityOf(page, context)
      .flat()
      .map(({ scheme }) => scheme),
  )
  for (const { name, flows } of context.frame.schemes) {
    if (!wanted.has(name)) continue
    for (const { tokenUrl, refreshUrl } of flows ?? []) {
      for (const url of [tokenUrl, refreshUrl]) if (url !== undefined) set.add('connections', url)
    }
  }
  const { connections: found = [], servers = [] } = set.result() ?? {}
  return {
    ...NO_ORIGINS,
    images: ['blob:'],
    media: ['blob:'],
    connections: [...new Set([...found, ...anyHost])].toSorted(),
    servers: servers.filter((origin) => /^https?:/.test(origin)),
  }
}

/** With every value that a variable may have. */
function addressesOf({ url, variables = [] }: ServerData): readonly string[] {
  let addresses = [url]
  for (const { name, default: value, values = [] } of variables) {
    const choices = [...new Set([value, ...values])]
    addresses = addresses
      .flatMap((address) => choices.map((choice) => address.replaceAll(`{${name}}`, choice)))
      .slice(0, ADDRESSES_MAX)
  }
  return addresses
}

/** `https://{tenant}.example.com`, where the reader writes the tenant. */
function hostPatterns({ url, variables = [] }: ServerData): readonly string[] {
  const [, scheme, name, rest] =
    /^(https?:\/\/)\{([^{}]+)\}(\.[a-z\d.-]+\.[a-z]+)(?=[/:?#]|$)/i.exec(url) ?? ['']
  const variable = variables.find((one) => one.name === name)
  if (variable === undefined || variable.values !== undefined) return []
  return [`${scheme}*${rest}`.toLowerCase()]
}
