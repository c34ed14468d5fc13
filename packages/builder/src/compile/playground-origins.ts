/**
 * Determines the hosts to which a playground may send requests: those that the specification names.
 */
import {
  type OperationPage,
  type PageContext,
  type ServerData,
  securityOf,
  serversOf,
} from '@octavo/openapi'
import type { PlaygroundSettings } from './api-settings.ts'
import { NO_ORIGINS, OriginSet, type Origins } from './origins.ts'

/** Maximum number of addresses that the variables of one server can produce. */
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
    anyHost.push(...hostSources(server))
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

/**
 * Returns an address for every combination of listed values; variables without a list have their
 * default value.
 */
function addressesOf(server: ServerData): readonly string[] {
  const free = freeVariables(server)
  return choicesOf(server).map((url) =>
    free.reduce((address, { name, default: value }) => address.replaceAll(`{${name}}`, value), url),
  )
}

/** Returns the URL for every combination of values of those variables that list their values. */
function choicesOf({ url, variables = [] }: ServerData): readonly string[] {
  let addresses = [url]
  for (const { name, default: value, values } of variables) {
    if (values === undefined || !url.includes(`{${name}}`)) continue
    const choices = [...new Set([value, ...values])]
    addresses = addresses
      .flatMap((address) => choices.map((choice) => address.replaceAll(`{${name}}`, choice)))
      .slice(0, ADDRESSES_MAX)
  }
  return addresses
}

const freeVariables = ({ variables = [] }: ServerData) =>
  variables.filter(({ values }) => values === undefined)

/**
 * Returns the policy sources for hosts that readers fill in: `https://{tenant}.example.com` becomes
 * `https://*.example.com`. A policy allows a wildcard only at the start of a host, so any host is
 * allowed if the host ends with a variable.
 */
export function hostSources(server: ServerData): readonly string[] {
  const free = freeVariables(server).map(({ name }) => `{${name}}`)
  return choicesOf(server).flatMap((url) => {
    const [, scheme, host = '', port = ''] =
      /^((?:http|ws)s?:)\/\/((?:[^/?#:{}]|\{[^{}]*\})*)(?::(\d+|\{[^{}]*\}))?(?=[/?#]|$)/i.exec(
        url,
      ) ?? []
    if (scheme === undefined || !free.some((name) => host.includes(name) || port === name))
      return []
    const end = host.slice(host.lastIndexOf('}') + 1).toLowerCase()
    const isEndKnown = /^\.[a-z\d-]+(?:\.[a-z\d-]+)*$/.test(end)
    const isHostKnown = !host.includes('{') && /^[a-z\d.-]+$/.test(end)
    if (!isEndKnown && !isHostKnown) return [scheme.toLowerCase()]
    const suffix = port === '' ? '' : `:${/^\d+$/.test(port) ? port : '*'}`
    return [`${scheme.toLowerCase()}//${isHostKnown ? '' : '*'}${end}${suffix}`]
  })
}
