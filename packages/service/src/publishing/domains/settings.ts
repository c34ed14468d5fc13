import { isIP } from 'node:net'
import { z } from 'zod'
import { httpUrl, listOf, type ValuesOf } from '../../platform/settings-values.ts'
import { findNameProblem, namesOf } from './site-address.ts'

/** The URL of the service, and the parent domains of sites and previews. */
export type NameSettings = {
  readonly url: string | undefined
  readonly sitesDomain: string | undefined
  readonly previewsDomain: string | undefined
}

const domainName = (name: string, example: string) =>
  z
    .string()
    .toLowerCase()
    .regex(/^(?:[a-z\d-]{1,63}\.)+[a-z\d-]{2,63}$/, {
      error: `${name} must be a domain such as ${example}.`,
    })

export const DOMAIN_VARIABLES = {
  OCTAVO_URL: httpUrl(
    'OCTAVO_URL',
    'the address of this service, such as https://octavo.example.com',
  ).optional(),
  OCTAVO_SITES_DOMAIN: domainName('OCTAVO_SITES_DOMAIN', 'sites.example.net').optional(),
  /** The parent domain of previews. Without it, the service has no previews. */
  OCTAVO_PREVIEWS_DOMAIN: domainName('OCTAVO_PREVIEWS_DOMAIN', 'previews.example.org').optional(),
}

/** Returns the settings, or an error message. */
export function readNames(values: ValuesOf<typeof DOMAIN_VARIABLES>): NameSettings | string {
  const names = {
    url: values.OCTAVO_URL,
    sitesDomain: values.OCTAVO_SITES_DOMAIN,
    previewsDomain: values.OCTAVO_PREVIEWS_DOMAIN,
  }
  return findNameProblem(namesOf(names)) ?? names
}

const DNS_SERVER = /^(?:\[(?<bracketed>[^\]]+)\]|(?<plain>[^[\]:]+))(?::\d{1,5})?$/

export const DNS_VARIABLES = {
  /** DNS servers for looking up custom domains. By default, those of the system are used. */
  OCTAVO_DNS_SERVERS: listOf(
    (server) => {
      const { bracketed, plain = server } = DNS_SERVER.exec(server)?.groups ?? {}
      return isIP(bracketed ?? plain) !== 0
    },
    (wrong) =>
      `OCTAVO_DNS_SERVERS: "${wrong}" is not the IP address of a DNS server, such as 1.1.1.1 or 10.0.0.5:5353.`,
  ),
}
