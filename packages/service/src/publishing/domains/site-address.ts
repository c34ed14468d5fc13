/**
 * Determines the target of a request from its verified `Host` header. No path, query, cookie or
 * other header can select a site.
 */
import { getDomain } from 'tldts'
import type { Target } from '../../platform/http/server.ts'

export type HostNames = {
  /** The host name of the API. If it is undefined, all requests go to the API. */
  readonly api: string | undefined
  /** The parent domain of sites. A site is at `<slug>.<sites>`. */
  readonly sites: string | undefined
  /** The parent domain of previews. A preview is at `<name>.<previews>`. */
  readonly previews: string | undefined
}

const API: Target = { kind: 'api' }
const UNKNOWN: Target = { kind: 'unknown' }
const PREVIEW = 'preview/'
const LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/
const SLUG = /^[a-z\d](?:[a-z\d-]{0,48}[a-z\d])?$/

export function targetOf(host: string, { api, sites, previews }: HostNames): Target {
  if (api === undefined || sites === undefined) return API
  const name = host.replace(/:\d{1,5}$/, '').toLowerCase()
  if (name === api) return API
  const slug = labelBelow(sites, name)
  if (slug !== undefined) return SLUG.test(slug) ? { kind: 'site', slug } : UNKNOWN
  const label = previews && labelBelow(previews, name)
  if (label === undefined || !LABEL.test(label)) return UNKNOWN
  return { kind: 'site', slug: PREVIEW + label }
}

/** Works like `targetOf`, but treats names that this process's role does not serve as unknown. */
export function targetForRole(host: string, names: HostNames, role: string): Target {
  const target = targetOf(host, names)
  const isOther = target.kind === 'site' ? role === 'api' : role === 'host'
  return isOther ? UNKNOWN : target
}

export const previewSlug = (name: string) => PREVIEW + name

export const isPreview = (slug: string) => slug.startsWith(PREVIEW)

/** Returns the name of a preview from its slug; undefined for the slug of a site. */
export const previewNameOf = (slug: string) =>
  isPreview(slug) ? slug.slice(PREVIEW.length) : undefined

/**
 * Returns why these names cannot be used together; undefined if they can. The API and sites must
 * not share a registrable domain: sites could set cookies for the API, and browsers would treat
 * both as the same site.
 */
export function findNameProblem({ api, sites, previews }: HostNames): string | undefined {
  if (previews !== undefined && sites === undefined)
    return 'OCTAVO_PREVIEWS_DOMAIN needs OCTAVO_URL and OCTAVO_SITES_DOMAIN.'
  if (sites === undefined) return undefined
  if (api === undefined) return 'OCTAVO_SITES_DOMAIN needs OCTAVO_URL.'
  const domain = (name: string) => getDomain(name, { allowPrivateDomains: true }) ?? name
  for (const [variable, name] of [
    ['OCTAVO_SITES_DOMAIN', sites],
    ['OCTAVO_PREVIEWS_DOMAIN', previews],
  ] as const)
    if (name !== undefined && (domain(api) === domain(name) || areNested(api, name)))
      return `OCTAVO_URL (${api}) and ${variable} (${name}) share the domain ${domain(api)}: a site could set cookies for the API. Use another domain for sites.`
  if (previews === undefined || !areNested(sites, previews)) return undefined
  return `OCTAVO_SITES_DOMAIN (${sites}) and OCTAVO_PREVIEWS_DOMAIN (${previews}) are the same or one is below the other. Use two domains.`
}

const labelBelow = (domain: string, name: string) =>
  name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : undefined

const areNested = (a: string, b: string) => isBelow(a, b) || isBelow(b, a)
const isBelow = (name: string, other: string) => name === other || name.endsWith(`.${other}`)

/** Returns the host names that the service serves. */
export function namesOf(settings: {
  readonly url: string | undefined
  readonly sitesDomain: string | undefined
  readonly previewsDomain: string | undefined
}): HostNames {
  const { url, sitesDomain, previewsDomain } = settings
  return { api: url && new URL(url).hostname, sites: sitesDomain, previews: previewsDomain }
}
