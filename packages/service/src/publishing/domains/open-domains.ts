/** Creates the parts of the service that handle custom domains. */

import type { Database } from '../../platform/database/database.ts'
import type { Route } from '../../platform/http/route.ts'
import type { Target } from '../../platform/http/server.ts'
import type { SecretSettings } from '../../platform/secrets/settings.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { type CertificateDecision, decideCertificate, type HasSite } from './answer-ask.ts'
import { DomainCheck } from './check-domain.ts'
import { createDomainDirectory } from './domain-directory.ts'
import { createDomainDns } from './domain-dns.ts'
import { nonceOf, reachResponse } from './reach-answer.ts'
import { domainRoutes } from './routes.ts'
import type { NameSettings } from './settings.ts'
import { namesOf } from './site-address.ts'

export type DomainsDeps = {
  readonly settings: NameSettings &
    Pick<SecretSettings, 'pepper'> & {
      readonly dnsServers: readonly string[]
      readonly allowPrivateHosts: readonly string[]
    }
  readonly database: Database
  readonly siteUrlOf: (slug: string) => string | undefined
  readonly log: Log
  readonly now: () => number
}

export type Domains = {
  readonly routes: readonly Route[]
  readonly check: DomainCheck
  /**
   * Returns the target of a request to a host name that is not one of the service's own; undefined
   * for an unknown name.
   */
  readonly targetOf: (host: string, path: string) => Target | undefined
  readonly decideCertificate: (url: string, hasSite: HasSite) => Promise<CertificateDecision>
  readonly start: () => void
  readonly stop: () => void
}

export function openDomains({ settings, database, siteUrlOf, log, now }: DomainsDeps): Domains {
  const { url, pepper, allowPrivateHosts } = settings
  const names = namesOf(settings)
  const { api, sites, previews } = names
  const dns = createDomainDns(settings.dnsServers)
  const onError = (error: unknown) => log.error('domains were not read', { error })
  const directory = createDomainDirectory(database, onError)
  // If this refresh fails, the directory loads the change a few seconds later.
  const onChanged = () => directory.refresh().catch(onError)
  const check = new DomainCheck({
    dns,
    pepper,
    allowPrivateHosts,
    url,
    siteUrlOf,
    onChanged,
    now,
  })
  const { protocol, port } = new URL(url ?? 'https://localhost')
  return {
    routes: domainRoutes({
      databaseOf: database.forProject,
      domainCheck: check,
      ownNames: [api, sites, previews].filter((name) => name !== undefined),
      onChanged,
    }),
    check,
    targetOf(host, path) {
      const name = host.replace(/:\d{1,5}$/, '').toLowerCase()
      const nonce = nonceOf(path)
      if (nonce !== undefined) return { kind: 'text', text: reachResponse(pepper, { name, nonce }) }
      const found = directory.find(name)
      if (found === undefined) return undefined
      if (found.redirectTo === undefined) return { kind: 'site', slug: found.slug }
      const origin = `${protocol}//${found.redirectTo}${port === '' ? '' : `:${port}`}`
      return { kind: 'redirect', origin }
    },
    decideCertificate: (askedUrl, hasSite) =>
      decideCertificate(askedUrl, { directory, names, hasSite }),
    start: directory.start,
    stop: directory.stop,
  }
}
