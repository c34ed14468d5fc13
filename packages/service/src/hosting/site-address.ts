/**
 * Whom a request is for. The verified `Host` says it and nothing else: no path, header, query or
 * cookie names a site.
 */
import { getDomain } from 'tldts'

export type HostNames = {
  /** The name of the API; every name when nothing is hosted. */
  readonly api: string | undefined
  /** Sites are at `<slug>.` of it. */
  readonly sites: string | undefined
}

export type Target =
  | { readonly kind: 'api' }
  | { readonly kind: 'site'; readonly slug: string }
  | { readonly kind: 'unknown' }

const API: Target = { kind: 'api' }
const UNKNOWN: Target = { kind: 'unknown' }
const SLUG = /^[a-z\d](?:[a-z\d-]{0,48}[a-z\d])?$/

export function targetOf(host: string, { api, sites }: HostNames): Target {
  if (api === undefined || sites === undefined) return API
  const name = host.replace(/:\d{1,5}$/, '').toLowerCase()
  if (name === api) return API
  if (!name.endsWith(`.${sites}`)) return UNKNOWN
  const slug = name.slice(0, -sites.length - 1)
  return SLUG.test(slug) ? { kind: 'site', slug } : UNKNOWN
}

/**
 * Why the two names cannot be used together; nothing if they can. Under one registrable domain a
 * site could set cookies for the API, and browsers would count both as one site.
 */
export function findNameProblem({ api, sites }: HostNames): string | undefined {
  if (api === undefined && sites === undefined) return undefined
  if (api === undefined || sites === undefined)
    return 'OCTAVO_URL and OCTAVO_SITES_DOMAIN belong together: set both or none.'
  const domain = (name: string) => getDomain(name, { allowPrivateDomains: true }) ?? name
  if (domain(api) !== domain(sites) && !isBelow(api, sites) && !isBelow(sites, api))
    return undefined
  return `OCTAVO_URL (${api}) and OCTAVO_SITES_DOMAIN (${sites}) share the domain ${domain(api)}: a site could set cookies for the API. Use another domain for sites.`
}

const isBelow = (name: string, other: string) => name === other || name.endsWith(`.${other}`)
