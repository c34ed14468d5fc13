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

/** With every value that a variable may have; a variable that readers fill in freely has its default. */
function addressesOf(server: ServerData): readonly string[] {
  const free = freeVariables(server)
  return choicesOf(server).map((url) =>
    free.reduce((address, { name, default: value }) => address.replaceAll(`{${name}}`, value), url),
  )
}

/** With every value of the variables that have a list of them. */
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
 * Sources of a policy for hosts that readers fill in: `https://{tenant}.example.com` is
 * `https://*.example.com`. A policy has a wildcard at the beginning of a host alone, so a host that ends
 * with a variable can be any.
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
